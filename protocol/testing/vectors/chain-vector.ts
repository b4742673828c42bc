import { bytesToHex } from '../../bytes.ts';
import { sha256 } from '../../hash.ts';
import { hashEvents } from '../../hash-chain.ts';
import { encodeLeb128 } from '../../leb128.ts';
import type { PlacedTransaction } from '../../operation.ts';
import { serializeTransaction, type Transaction, txidOf } from '../../transaction.ts';

/** A transaction of a vector, with the code that the rules must answer: an event's kind, a reason, or nothing. */
export type ScriptedTransaction = {
  about: string;
  tx: Transaction;
  prevoutScript: Uint8Array | undefined;
  expect: string | null;
};

/** A block of a vector; heights between two are empty blocks. */
export type ScriptedBlock = { height: number; transactions: ScriptedTransaction[] };

type Entry = { position: number } & ({ event: { kind: string }; bytes: Uint8Array } | { reason: string });

/** A ledger of the rules, of either protocol. */
export type VectorLedger = {
  connect(height: number, blockHash: Uint8Array, transactions: PlacedTransaction[]): Entry[];
  chainHash(): Uint8Array;
  stateHash(): Uint8Array;
};

/** The hash that a block of the vectors has: SHA-256 of its height as LEB128. */
export function vectorBlockHash(height: number): Uint8Array {
  return sha256(encodeLeb128(height));
}

/**
 * Plays blocks on a ledger and writes down what became of every transaction, and the hashes after every block.
 * @throws Error when the rules answer anything else than the script expects.
 */
export function playVector(ledger: VectorLedger, from: number, blocks: readonly ScriptedBlock[]): unknown[] {
  const last = blocks.at(-1)?.height ?? from;
  const played: unknown[] = [];
  for (let height = from; height <= last; height++) {
    const transactions = blocks
      .filter((block) => block.height === height)
      .flatMap((block) => block.transactions);
    played.push(playBlock(ledger, height, transactions));
  }
  return played;
}

function playBlock(
  ledger: VectorLedger,
  height: number,
  transactions: readonly ScriptedTransaction[],
): unknown {
  const blockHash = vectorBlockHash(height);
  const placed = transactions.map(({ tx, prevoutScript }, position) => ({
    tx,
    txid: txidOf(tx),
    height,
    position,
    prevoutScript,
  }));
  const entries = ledger.connect(height, blockHash, placed);
  const events = entries.flatMap((entry) => ('bytes' in entry ? [entry.bytes] : []));
  return {
    height,
    block_hash: bytesToHex(blockHash),
    transactions: transactions.map(({ about, tx, prevoutScript, expect }, position) => {
      const entry = entries.find((each) => each.position === position);
      const code = entry === undefined ? null : 'reason' in entry ? entry.reason : entry.event.kind;
      if (code !== expect) throw new Error(`${height}: ${about}: expected ${expect}, the rules say ${code}`);
      return {
        about,
        raw: bytesToHex(serializeTransaction(tx, { witness: true })),
        prevout_script: prevoutScript === undefined ? null : bytesToHex(prevoutScript),
        outcome:
          entry === undefined
            ? null
            : 'bytes' in entry
              ? { valid: true, kind: entry.event.kind, event: bytesToHex(entry.bytes) }
              : { valid: false, reason: entry.reason },
      };
    }),
    events_hash: bytesToHex(hashEvents(events)),
    chain_hash: bytesToHex(ledger.chainHash()),
    state_hash: bytesToHex(ledger.stateHash()),
  };
}
