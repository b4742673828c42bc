import type { Coin } from './coins.ts';
import { openWitnessScript, sha256 } from './scripts.ts';

/** An output to write: `value` in base units. */
export type NewOutput = { value: bigint; script: Uint8Array };

/** A transaction ready for the node: its id in internal byte order and its BIP-144 bytes as hex. */
export type RawTransaction = { txid: Uint8Array; hex: string };

const SEQUENCE_FINAL = 0xffffffff;

/**
 * Serialises spends of `<number> OP_DROP OP_1` coins (BIP-141, BIP-144), version 2, locktime 0. `txidOf` gives the
 * id of the transaction that made a coin. It is a writer of its own, not the protocol's, because it writes millions
 * of one shape.
 */
export function serializeSpend(
  coins: readonly Coin[],
  outputs: readonly NewOutput[],
  txidOf: (txIndex: number) => Uint8Array,
): RawTransaction {
  const outputBytes = outputs.reduce((sum, output) => sum + 9 + output.script.length, 0);
  const body = Buffer.allocUnsafe(6 + coins.length * 41 + outputBytes);
  let at = writeCompactSize(body, coins.length, 0);
  for (const coin of coins) {
    body.set(txidOf(coin.txIndex), at);
    at = body.writeUInt32LE(coin.vout, at + 32);
    body[at] = 0;
    at = body.writeUInt32LE(SEQUENCE_FINAL, at + 1);
  }
  at = writeCompactSize(body, outputs.length, at);
  for (const output of outputs) {
    at = body.writeBigUInt64LE(output.value, at);
    body[at] = output.script.length;
    body.set(output.script, at + 1);
    at += 1 + output.script.length;
  }
  const written = body.subarray(0, at);

  const stripped = Buffer.concat([VERSION, written, LOCKTIME]);
  const witness = coins.map((coin) => {
    const script = openWitnessScript(coin.number);
    return Buffer.concat([Buffer.from([1, script.length]), script]);
  });
  const full = Buffer.concat([VERSION, SEGWIT_MARKER, written, ...witness, LOCKTIME]);
  return { txid: sha256(sha256(stripped)), hex: full.toString('hex') };
}

const VERSION = Buffer.from([2, 0, 0, 0]);
const LOCKTIME = Buffer.alloc(4);
const SEGWIT_MARKER = Buffer.from([0, 1]);

function writeCompactSize(target: Buffer, count: number, at: number): number {
  if (count < 0xfd) return target.writeUInt8(count, at);
  if (count > 0xffff) throw new Error(`A bench transaction has at most 65535 outputs, got ${count}.`);
  return target.writeUInt16LE(count, target.writeUInt8(0xfd, at));
}
