import { hash } from 'node:crypto';
import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import { hashShortMessage, MAX_SHORT_MESSAGE_BYTES } from '@coinfront/protocol/sha256-short.ts';
import { serializeTransaction, type Transaction } from '@coinfront/protocol/transaction.ts';

/** SHA-256: of short messages in our own code, of others by the runtime's, whichever takes less time. */
export function sha256(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_SHORT_MESSAGE_BYTES) return hash('sha256', bytes, 'buffer');
  const digest = new Uint8Array(32);
  hashShortMessage(bytes, 0, bytes.length, digest, 0);
  return digest;
}

/** SHA-256 twice: the hash of a transaction or a block, in internal byte order. */
export function sha256d(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes));
}

/** The txid, internal byte order, in half the time of the protocol's `txidOf`, which runs in browsers, too. */
export function hashTx(tx: Transaction): Uint8Array {
  return sha256d(serializeTransaction(tx, { witness: false }));
}

/** The key by which the index knows a script: the first 16 bytes of its SHA-256. */
export function keyOfScript(script: Uint8Array): Uint8Array {
  return sha256(script).subarray(0, SCRIPT_KEY_BYTES);
}
