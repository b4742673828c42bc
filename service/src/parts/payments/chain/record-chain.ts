/** Keeps the recorded outputs of payments in step with the index: blocks, reorganisations, the mempool. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHexBytes, parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { ChainView, ReadChain } from '../../../chain/chain-reads.ts';
import type { WholeState } from '../judging/judge-payments.ts';
import type { JudgeTurn } from '../judging/judge-turn.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import {
  type FoundOutput,
  type FoundTx,
  findKnownTx,
  listArrivals,
  listOutputs,
  listScriptTxs,
} from './find-arrivals.ts';
import { findInNextBlock } from './find-in-block.ts';
import {
  type BlockRef,
  keptBlocks,
  listBelow,
  listFollowedBlocks,
  recordBelow,
  recordFollowed,
  refOf,
} from './followed-blocks.ts';
import {
  listTrustedTxids,
  listUnconfirmedTxids,
  queryPayments,
  recordGone,
  recordOutputs,
  recordTraits,
  rewindOutputs,
  selectOurs,
} from './output-store.ts';
import { listNewPayments, recordScanned } from './scan-queue.ts';
import { readTraits, type UnconfirmedTraits } from './unconfirmed-traits.ts';

export type ChainRecorder = {
  /**
   * Records all outputs up to the newest whole state of the index.
   *
   * @returns that state; undefined while there is none, or while it changes faster than it is read
   * @throws TurnLostError
   */
  record(): Promise<WholeState | undefined>;
};

export type RecorderContext = Pick<PaymentContext, 'precious' | 'now'> & { readChain: ReadChain };

/** Transactions parsed between two turns of the event loop: requests are answered by the same thread. */
const TXS_AT_ONCE = 200;
const OUTPUTS_PER_COMMIT = 500;
/** While it catches up: a commit costs a write to the disk, a block that is walked again nearly nothing. */
const BLOCKS_PER_COMMIT = 100;
const PAYMENTS_AT_ONCE = 100;
const MEMPOOL_IDS_AT_ONCE = 2_000;
/** Starts anew when the index moved on meanwhile; what was recorded by then stays. */
const MAX_TRIES = 5;
const noTraits: ReadonlyMap<string, UnconfirmedTraits> = new Map();

type Moment = {
  revision: number;
  tip: BlockRef;
  syncedAtMs: number | undefined;
  /** Whether the last recorded block is in the chain. */
  hasFollowed: boolean;
};

/** Opens the recorder on what is recorded. Only the holder of the turn may write. */
export async function openChainRecorder(
  context: RecorderContext,
  turn: JudgeTurn,
  signal: AbortSignal,
): Promise<ChainRecorder> {
  const { precious, readChain, now } = context;
  const { engine } = precious;
  const db = queryPayments(context);
  let followed = (await listFollowedBlocks(db, 1))[0];
  /** Number of the last arrival in the mempool that was looked at. */
  let lastArrival = 0;
  let lastRevision: number | undefined;
  /** Whether blocks below the first that was followed are remembered. */
  let hasGround = false;
  /** Tip at which the mempool's transactions were last looked at that settle payments without confirmations. */
  let trustedAt: string | undefined;
  /** Our unconfirmed transactions with their numbers in the mempool; those without one have to be looked up. */
  const unconfirmed = new Map<string, number | undefined>();
  for (const txid of await listUnconfirmedTxids(db, engine)) unconfirmed.set(txid, undefined);

  const write = async (work: (trx: PaymentQuery) => Promise<void>): Promise<void> => {
    await precious.transaction<PaymentTables, void>(async (trx) => {
      await turn.check(trx);
      await work(trx);
    });
    await nextTurn();
  };

  /** Reads while the index is as it was; undefined when it has moved on. */
  const readAt = <T>(revision: number, read: (view: ChainView) => Promise<T>): Promise<T | undefined> =>
    readChain(async (view) => (view.mempool.version === revision ? await read(view) : undefined));

  const readMoment = (): Promise<Moment | undefined> =>
    readChain(async (view) => {
      if (!view.tip) return undefined;
      const there = followed && (await view.findBlockAt(followed.height));
      return {
        revision: view.mempool.version,
        tip: refOf(view.tip),
        syncedAtMs: (await view.getSynced())?.atMs,
        hasFollowed: there !== undefined && toDisplayHash(there.hash) === followed?.hash,
      };
    });

  const remember = (outputs: readonly FoundOutput[]): void => {
    for (const { txid, place } of outputs) {
      if (place.height === null) unconfirmed.set(txid, place.mempoolId);
      else unconfirmed.delete(txid);
    }
  };

  /** Records outputs of scripts of ours, in transactions of bounded length; `last` joins the last of them. */
  const recordAll = async (
    outputs: readonly FoundOutput[],
    last?: (trx: PaymentQuery) => Promise<void>,
  ): Promise<void> => {
    for (let start = 0; start < outputs.length || (start === 0 && last); start += OUTPUTS_PER_COMMIT) {
      const chunk = outputs.slice(start, start + OUTPUTS_PER_COMMIT);
      const pending = chunk.flatMap(({ txid, place }) => (place.height === null ? txid : []));
      const traits =
        pending.length === 0 ? noTraits : await readChain((view) => readTraits(view, [...new Set(pending)]));
      await write(async (trx) => {
        await recordOutputs(trx, engine, chunk, traits, now());
        if (start + OUTPUTS_PER_COMMIT >= outputs.length) await last?.(trx);
      });
    }
    remember(outputs);
  };

  const recordTxs = async (txs: readonly FoundTx[]): Promise<void> =>
    recordAll(await selectOurs(db, engine, txs.flatMap(listOutputs)));

  /** Records the blocks above the last one, up to the tip. */
  const walkBlocks = async (from: BlockRef): Promise<void> => {
    let walked = from;
    let ours: FoundOutput[] = [];
    const commit = async (): Promise<void> => {
      if (walked === followed) return;
      await recordAll(ours, (trx) => recordFollowed(trx, walked));
      followed = walked;
      ours = [];
    };
    const readNext = () => findInNextBlock(context, db, walked);
    for (let next = await readNext(); next; next = await readNext()) {
      walked = next.ref;
      ours.push(...next.ours);
      const isLong = walked.height - followed!.height >= BLOCKS_PER_COMMIT;
      if (isLong || ours.length >= OUTPUTS_PER_COMMIT) await commit();
      if (signal.aborted) break;
    }
    await commit();
  };

  /** Goes back to the last recorded block that is in the chain. */
  const rewind = async (revision: number, tip: BlockRef): Promise<void> => {
    const blocks = await listFollowedBlocks(db, keptBlocks);
    const fork = await readAt(revision, async (view) => {
      for (const block of blocks) {
        const there = await view.findBlockAt(block.height);
        if (there && toDisplayHash(there.hash) === block.hash) return block;
      }
      // Deeper than is remembered: all that can be walked again is.
      const lowest = Math.max(0, Math.min(blocks.at(-1)!.height - 1, tip.height));
      const block = await view.findBlockAt(lowest);
      return block && refOf(block);
    });
    if (!fork) return;
    await write(async (trx) => {
      for (const txid of await rewindOutputs(trx, engine, fork.height, now()))
        unconfirmed.set(txid, undefined);
      await recordFollowed(trx, fork);
    });
    followed = fork;
  };

  /** Looks through the scripts of payments that are new: something may have come before they were known here. */
  const scanNew = async (revision: number): Promise<boolean> => {
    for (let afterId = ''; ; ) {
      const payments = await listNewPayments(db, afterId, PAYMENTS_AT_ONCE);
      if (payments.length === 0) return true;
      const found = await readAt(revision, async (view) => {
        const perPayment: FoundTx[][] = [];
        for (const { script_hash, created_height } of payments)
          perPayment.push(await listScriptTxs(view, getHexBytes(script_hash), created_height));
        return perPayment;
      });
      if (!found) return false;
      const outputs = payments.flatMap(({ script_hash }, i) =>
        found[i]!.flatMap(listOutputs).filter(({ scriptHash }) => scriptHash === script_hash),
      );
      const ids = payments.map(({ id }) => id);
      // Their creation may have written what the mempool had then, and has no more.
      for (const txid of await listUnconfirmedTxids(db, engine, ids)) {
        if (!unconfirmed.has(txid)) unconfirmed.set(txid, undefined);
      }
      const withTxs = new Set(ids.filter((_, i) => found[i]!.length > 0));
      await recordAll(outputs, (trx) => recordScanned(trx, engine, ids, withTxs));
      afterId = ids.at(-1)!;
    }
  };

  const takeArrivals = async (revision: number): Promise<boolean> => {
    for (;;) {
      const after = lastArrival;
      const arrivals = await readAt(revision, (view) => listArrivals(view, after, TXS_AT_ONCE));
      if (!arrivals) return false;
      await recordTxs(arrivals);
      const last = arrivals.at(-1)?.place;
      if (last?.height === null) lastArrival = last.mempoolId;
      if (arrivals.length < TXS_AT_ONCE) return true;
      await nextTurn();
    }
  };

  /** Looks up again what was unconfirmed and is not in the mempool any more. */
  const recheckUnconfirmed = async (revision: number): Promise<boolean> => {
    const entries = [...unconfirmed];
    const missing: string[] = [];
    for (let start = 0; start < entries.length; start += MEMPOOL_IDS_AT_ONCE) {
      const slice = entries.slice(start, start + MEMPOOL_IDS_AT_ONCE);
      const ids = slice.flatMap(([, id]) => id ?? []);
      const present = await readAt(revision, async (view) => new Set(await view.listMempoolIds(ids)));
      if (!present) return false;
      for (const [txid, id] of slice) if (id === undefined || !present.has(id)) missing.push(txid);
      await nextTurn();
    }
    for (let start = 0; start < missing.length; start += TXS_AT_ONCE) {
      const slice = missing.slice(start, start + TXS_AT_ONCE);
      const found = await readAt(revision, async (view) => {
        const txs: (FoundTx | undefined)[] = [];
        for (const txid of slice) txs.push(await findKnownTx(view, getValue(parseDisplayHash(txid))));
        return txs;
      });
      if (!found) return false;
      const gone = slice.filter((_, i) => !found[i]);
      await recordTxs(found.filter((tx) => tx !== undefined));
      if (gone.length > 0) await write((trx) => recordGone(trx, engine, gone, now()));
      for (const txid of gone) unconfirmed.delete(txid);
    }
    return true;
  };

  /** A block can take away what made a transaction replaceable, and a reorganisation bring it back. */
  const recheckTrusted = async (revision: number, tip: BlockRef): Promise<boolean> => {
    if (tip.hash === trustedAt) return true;
    const txids = await listTrustedTxids(db);
    for (let start = 0; start < txids.length; start += TXS_AT_ONCE) {
      const some = txids.slice(start, start + TXS_AT_ONCE);
      const traits = await readAt(revision, (view) => readTraits(view, some));
      if (!traits) return false;
      await write((trx) => recordTraits(trx, engine, traits, now()));
    }
    trustedAt = tip.hash;
    return true;
  };

  return {
    async record() {
      for (let tries = 0; tries < MAX_TRIES && !signal.aborted; tries++) {
        const moment = await readMoment();
        if (!moment) return undefined;
        if (!followed) {
          if (moment.syncedAtMs === undefined) return undefined;
          await write((trx) => recordFollowed(trx, moment.tip));
          followed = moment.tip;
          continue;
        }
        if (!moment.hasFollowed) {
          // An index that is being rebuilt, or is in the middle of a reorganisation, says nothing yet.
          if (moment.syncedAtMs === undefined) return undefined;
          await rewind(moment.revision, moment.tip);
          continue;
        }
        if (!hasGround) {
          const below = await listBelow(readChain, db, followed.height);
          if (below.length > 0) await write((trx) => recordBelow(trx, below));
          hasGround = true;
        }
        await walkBlocks(followed);
        const whole = await readMoment();
        if (whole?.syncedAtMs === undefined || signal.aborted) return undefined;
        const { revision, tip, syncedAtMs } = whole;
        if (tip.hash !== followed.hash) continue;
        if (!(await scanNew(revision))) continue;
        if (revision !== lastRevision) {
          if (!(await takeArrivals(revision)) || !(await recheckUnconfirmed(revision))) continue;
          if (!(await recheckTrusted(revision, tip))) continue;
          lastRevision = revision;
        }
        return { tip, syncedAtMs };
      }
      return undefined;
    },
  };
}
