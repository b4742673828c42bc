/** Finds what a block pays to payments, by the keys that the index has of its scripts: few of them are anybody's here. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import {
  type BlockRecord,
  type ChainView,
  type ReadChain,
  readHeaderFields,
} from '../../../chain/chain-reads.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import { type FoundOutput, findTxsOfOutputs, listOutputs } from './find-arrivals.ts';
import { type BlockRef, refOf } from './followed-blocks.ts';
import { selectOurs, selectPaidKeys } from './output-store.ts';

/** Outputs whose keys are looked up between two turns of the event loop: requests are answered by the same thread. */
const OUTPUTS_AT_ONCE = 1_000;
/** Outputs whose transactions are parsed between two turns: a block may pay thousands of payments. */
const PAID_AT_ONCE = 200;
/** Of a key in hex. */
const KEY_DIGITS: number = 2 * SCRIPT_KEY_BYTES;

/** A block, and its outputs that pay payments. */
export type BlockOfOurs = { ref: BlockRef; ours: FoundOutput[] };

/** The block after another; undefined when there is none, or the chain changed while it was read. */
export async function findInNextBlock(
  { readChain, precious: { engine } }: Pick<PaymentContext, 'precious'> & { readChain: ReadChain },
  db: PaymentQuery,
  after: BlockRef,
): Promise<BlockOfOurs | undefined> {
  const first = await readChain((view) => findNext(view, after));
  if (!first) return undefined;
  const ref = refOf(first);
  /** Reads of the same block; undefined when the chain has another one by now. */
  const readOn = <T>(read: (view: ChainView, block: BlockRecord) => Promise<T>): Promise<T | undefined> =>
    readChain(async (view) => {
      const block = await findNext(view, after);
      return block && toDisplayHash(block.hash) === ref.hash ? await read(view, block) : undefined;
    });

  const paid: number[] = [];
  const end = first.totals.outputs;
  for (let from = first.firstTxId; from < end; from += OUTPUTS_AT_ONCE) {
    const count = Math.min(OUTPUTS_AT_ONCE, end - from);
    const keys = await readOn(async (view) => splitKeys(await view.readScriptKeys(from, count)));
    if (!keys) return undefined;
    const ours = await selectPaidKeys(db, engine, keys);
    if (ours.size > 0) for (const [i, key] of keys.entries()) if (ours.has(key)) paid.push(from + i);
    await nextTurn();
  }

  const ours: FoundOutput[] = [];
  let lastTxId = -1;
  for (let from = 0; from < paid.length; from += PAID_AT_ONCE) {
    const ids = paid.slice(from, from + PAID_AT_ONCE);
    const found = await readOn((view, block) => findTxsOfOutputs(view, block, ids));
    if (!found) return undefined;
    // A transaction may have been read with the outputs before.
    const fresh = found.filter(({ id }) => id > lastTxId);
    lastTxId = found.at(-1)?.id ?? lastTxId;
    ours.push(...(await selectOurs(db, engine, fresh.flatMap(listOutputs))));
    await nextTurn();
  }
  return { ref, ours };
}

async function findNext(view: ChainView, { height, hash }: BlockRef): Promise<BlockRecord | undefined> {
  const block = await view.findBlockAt(height + 1);
  return block && toDisplayHash(readHeaderFields(block.header).prevHash) === hash ? block : undefined;
}

/** In hex. */
function splitKeys(bytes: Uint8Array): string[] {
  const digits = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return Array.from({ length: digits.length / KEY_DIGITS }, (_, i) =>
    digits.slice(i * KEY_DIGITS, (i + 1) * KEY_DIGITS),
  );
}
