import { setImmediate as nextTurn } from 'node:timers/promises';
import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import {
  isHogEx,
  parseTransaction,
  type Transaction,
  type TxOutput,
  transactionSizes,
} from '@coinfront/protocol/transaction.ts';
import type { Writer } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import type { UnminedTxs } from '../connect/returning-txs.ts';
import { hashTx } from '../encoding/hashes.ts';
import type { FetchedBlock } from '../feed/fetched-block.ts';
import type { ForeseenPrevouts } from '../feed/foreseen-prevouts.ts';
import { mempoolTxTable } from '../layout.ts';
import type { Revision } from '../revision.ts';
import type { RunStore } from '../runs/run-store.ts';
import { createOutputReader } from '../transactions/output-reader.ts';
import { findTxByTxid, visitTxsByTxid } from '../transactions/tx-store.ts';
import { outpointKey } from './held-spends.ts';
import { createHeldTxs } from './held-txs.ts';
import { listLeaving } from './leaving-txs.ts';
import { createLeftRows } from './left-rows.ts';
import {
  insertMempoolEntries,
  type MempoolEntry,
  type NewMempoolEntry,
  readEntry,
  sumValues,
} from './mempool-rows.ts';
import { encodeMempoolSummary } from './mempool-summary.ts';
import {
  type NamedTx,
  packSpent,
  readSpentOutputs,
  type SpentOutputs,
  type VisitConfirmed,
} from './spent-outputs.ts';
import { openReplacementTrack } from './track-replacements.ts';

/**
 * The mempool as the index holds it: in tables, so that every reader sees the same one, and mirrored in memory for
 * finding conflicts.
 */
export type Mempool = {
  readonly isEmpty: boolean;
  readonly size: number;
  has(txid: string): boolean;
  /** Whether something in it may spend outputs of a transaction: false of most of which nothing does. */
  maySpend(txid: Uint8Array): boolean;
  /** Txids in internal byte order, hex. */
  txids(): IterableIterator<string>;
  /**
   * Takes over what the node's mempool gained and lost, in a transaction of its own.
   *
   * @param added raw transactions, parents before children
   * @returns how many could not be added because an output they spend is not known (yet)
   */
  update(added: readonly Uint8Array[], removed: readonly string[], nowMs: number): Promise<number>;
  /**
   * Adds transactions that the node knows, in a transaction of its own; those that the chain has by now are passed over.
   *
   * @param known raw transactions, parents before children
   * @returns how many could not be added because an output they spend is not known (yet)
   */
  admit(known: readonly Uint8Array[], nowMs: number): Promise<number>;
  /**
   * Within the caller's transaction: adds what blocks that go had mined, and drops what builds on what is lost. Rows of what is added come with
   * {@link Mempool.writeReturned} only: blocks that come mine most of it again.
   */
  takeBack(unmined: UnminedTxs, nowMs: number): Promise<void>;
  /** Before the caller commits: writes the rows of what was taken back and is still there, and drops of it what builds on what is lost. */
  writeReturned(nowMs: number): Promise<void>;
  /**
   * Within the caller's transaction: drops what the blocks mined and what conflicts with them. Of what was mined rows are left
   * that nobody sees: see `left-rows.ts`.
   */
  removeMined(blocks: readonly FetchedBlock[], nowMs: number): Promise<void>;
  /** Deletes those rows, in small transactions of their own, until nothing is left or `isDue` says that something else is. */
  sweep(isDue: () => boolean): Promise<void>;
  /** Reads everything anew from the tables, after the caller's rollback. */
  reload(): Promise<void>;
};

const LIST_TXS = sql<{ id: bigint; txid: Uint8Array; weight: bigint; fee: bigint; raw: Uint8Array }>(
  'select id, txid, weight, fee, raw from mempool_tx order by id',
  {
    bigints: true,
  },
);
const PUT_SUMMARY = sql(
  `insert into meta (key, value) values ('mempool', $1) on conflict (key) do update set value = excluded.value`,
);
const GET_NEXT_ID = sql<{ value: string }>("select value from meta where key = 'mempool_next_id'");
const PUT_NEXT_ID = sql(
  `insert into meta (key, value) values ('mempool_next_id', $1)
   on conflict (key) do update set value = excluded.value`,
);
/** A crash of the database may take back its last commits, whose numbers others have read: so many are passed over. */
const SKIPPED_IDS = 100_000;

/**
 * Opens the mempool that the tables hold.
 *
 * @param runs of the chain, in which the outputs are found that it spends
 * @param foresee is told of those outputs when transactions come that spend them
 */
export async function openMempool(
  writer: Writer,
  revision: Revision,
  runs: Pick<RunStore, 'set'>,
  foresee: (prevouts: ForeseenPrevouts) => void,
): Promise<Mempool> {
  const held = createHeldTxs();
  /** What blocks that went had mined, and has no rows yet. */
  const returned = new Map<MempoolEntry, Transaction>();
  const leftRows = createLeftRows(writer);
  const track = await openReplacementTrack(writer);
  // Numbers are given once, also over restarts: a reader that has seen one has seen all below it.
  const storedId = (await writer.get(GET_NEXT_ID))?.value;
  let nextId = storedId === undefined ? 1 : Number(storedId) + SKIPPED_IDS;

  const reload = async (): Promise<void> => {
    held.clear();
    returned.clear();
    await leftRows.reload();
    for (const row of await writer.all(LIST_TXS)) {
      const id = Number(row.id);
      const named = { txid: bytesToHex(row.txid), raw: row.raw.slice() };
      held.add(createEntry(id, named, Number(row.weight), row.fee), getValue(parseTransaction(named.raw)));
      nextId = Math.max(nextId, id + 1);
    }
  };

  /** Deletes the own rows of transactions that are let go. Gives the ids of those that had any. */
  const dropRows = async (gone: ReadonlySet<MempoolEntry>): Promise<number[]> => {
    const ids: number[] = [];
    for (const entry of gone) if (!returned.delete(entry)) ids.push(entry.id);
    if (ids.length > 0) await writer.delete(mempoolTxTable, ids.length, [ids]);
    return ids;
  };

  const remove = async (gone: ReadonlySet<MempoolEntry>): Promise<void> => {
    for (const entry of gone) held.delete(entry, returned.get(entry) ?? readEntry(entry));
    await leftRows.deleteOf(await dropRows(gone));
  };

  const visitConfirmed: VisitConfirmed = async (txids, visit) => {
    const outputs = createOutputReader();
    await visitTxsByTxid(writer, runs.set, txids.map(getHexBytes), (tx) => {
      visit(bytesToHex(tx.txid), tx.id, (vout) => outputs.find(tx, vout));
      outputs.forget();
    });
  };

  /** What transactions spend of the chain. */
  const readSpent = (txs: readonly NamedTx[]): Promise<SpentOutputs> =>
    readSpentOutputs(txs, (txid) => held.find(txid) !== undefined, visitConfirmed);

  /** Remembers a transaction under the next number; false where it is known. */
  const admit = async (entry: MempoolEntry, tx: Transaction, nowMs: number): Promise<boolean> => {
    // The transaction that sums up a block's extension exists in that block alone.
    if (held.find(entry.txid) || isHogEx(tx)) return false;
    for (const { prevTxid, prevVout } of tx.inputs) {
      const outpoint = outpointKey(prevTxid, prevVout);
      if (!track.isIdle) await track.noteSpend(outpoint, entry.txid, nowMs);
      const replaced = held.findSpender(outpoint);
      if (!replaced) continue;
      const gone = held.withDescendants(replaced);
      await remove(gone);
      await track.noteReplaced(replaced, gone, entry.txid, nowMs);
    }
    nextId++;
    held.add(entry, tx);
    return true;
  };

  /** The outputs that a transaction spends, of the mempool or of the chain; undefined when one is not known. */
  const findPrevouts = (tx: Transaction, spent: SpentOutputs): TxOutput[] | undefined => {
    const inputsOf = Map.groupBy(tx.inputs.keys(), (input) => bytesToHex(tx.inputs[input]!.prevTxid));
    const prevouts: TxOutput[] = [];
    for (const [txid, inputs] of inputsOf) {
      const parent = held.find(txid);
      const outputs = parent && readEntry(parent).outputs;
      for (const input of inputs) {
        const { prevVout } = tx.inputs[input]!;
        const output = outputs ? outputs[prevVout] : spent.get(txid)?.get(prevVout);
        if (!output) return undefined;
        prevouts[input] = outputs ? { value: output.value, script: output.script.slice() } : output;
      }
    }
    return prevouts;
  };

  /** Writes the rows of what {@link admit} gave. */
  const insert = async (fresh: readonly NewMempoolEntry[], nowMs: number): Promise<void> => {
    // What was replaced by a later one of the same round has no rows to write.
    const present = fresh.filter(({ entry }) => held.find(entry.txid) === entry);
    await insertMempoolEntries(writer, present, nowMs);
  };

  const noteChange = async (): Promise<void> => {
    await writer.run(PUT_SUMMARY, [encodeMempoolSummary(held.summary)]);
    await writer.run(PUT_NEXT_ID, [String(nextId)]);
    await revision.bump();
  };

  const isMined = async (txid: string): Promise<boolean> =>
    (await findTxByTxid(writer, runs.set, getHexBytes(txid))) !== undefined;

  const takeOver = async (
    added: readonly Uint8Array[],
    removed: readonly string[],
    nowMs: number,
    isOver: (txid: string) => Promise<boolean>,
  ): Promise<number> => {
    let orphans = 0;
    await writer.begin();
    try {
      const gone = removed.flatMap((txid) => held.find(txid) ?? []);
      await remove(new Set(gone));
      track.noteGone(gone, outpointKey);
      const named = added.flatMap(nameTx);
      const spent = await readSpent(named);
      if (spent.size > 0) foresee(packSpent(spent));
      const fresh: NewMempoolEntry[] = [];
      for (const each of named) {
        if (await isOver(each.txid)) continue;
        const tx = getValue(parseTransaction(each.raw));
        const prevouts = findPrevouts(tx, spent);
        if (!prevouts) {
          orphans++;
          continue;
        }
        const fee = sumValues(prevouts) - sumValues(tx.outputs);
        const entry = createEntry(nextId, each, transactionSizes(tx).weight, fee);
        if (await admit(entry, tx, nowMs)) fresh.push({ entry, tx, prevouts });
      }
      await insert(fresh, nowMs);
      if (gone.length > 0 || fresh.length > 0) await noteChange();
      await writer.commit();
    } catch (error) {
      await writer.rollback();
      await reloadAll();
      throw error;
    }
    return orphans;
  };

  const reloadAll = async (): Promise<void> => {
    await reload();
    await track.reload();
  };

  await reload();
  return {
    get isEmpty() {
      return held.size === 0;
    },
    get size() {
      return held.size;
    },
    has: (txid) => held.find(txid) !== undefined,
    maySpend: (txid) => held.maySpend(txid, 0),
    txids: held.txids,
    reload: reloadAll,

    update: (added, removed, nowMs) => takeOver(added, removed, nowMs, async () => false),
    admit: (known, nowMs) => takeOver(known, [], nowMs, isMined),

    async takeBack({ returning, lost }, nowMs) {
      // What was mined comes back, and an output that is spent has one row.
      await leftRows.deleteAll();
      const gone = new Set<MempoolEntry>();
      for (const { txid, outputCount } of lost) {
        for (const spender of held.listSpenders(txid, outputCount)) {
          if (gone.has(spender)) continue;
          for (const entry of held.withDescendants(spender)) gone.add(entry);
        }
      }
      await remove(gone);
      for (const each of returning) {
        const tx = getValue(parseTransaction(each.raw));
        const entry = createEntry(nextId, each, each.weight, each.fee);
        if (await admit(entry, tx, nowMs)) returned.set(entry, tx);
      }
      if (gone.size > 0) await noteChange();
    },

    async writeReturned(nowMs) {
      if (returned.size === 0) return;
      // Only now, since most of it is mined again: a read for each output that it spends is what costs most.
      const spent = await readSpent([...returned.keys()]);
      const fresh: NewMempoolEntry[] = [];
      const orphans = new Set<MempoolEntry>();
      for (const [entry, tx] of returned) {
        const prevouts = findPrevouts(tx, spent);
        if (prevouts) fresh.push({ entry, tx, prevouts });
        else for (const each of held.withDescendants(entry)) orphans.add(each);
      }
      await remove(orphans);
      returned.clear();
      await insert(fresh, nowMs);
      await noteChange();
    },

    async removeMined(blocks, nowMs) {
      if (held.size === 0 && track.isIdle) return;
      const { mined, replaced } = await listLeaving(blocks, held, track, nowMs);
      if (mined.size === 0 && replaced.size === 0) return;
      await remove(replaced);
      for (const entry of mined) held.leave(entry);
      leftRows.leave(await dropRows(mined));
      await noteChange();
    },

    async sweep(isDue) {
      while (!(held.isSwept && leftRows.isEmpty) && !isDue()) {
        held.sweepSome();
        await writer.begin();
        try {
          // The revision stays: all that can be read is as it was.
          await leftRows.deleteSome();
          await writer.commit();
        } catch (error) {
          await writer.rollback();
          await reloadAll();
          throw error;
        }
        // On SQLite nothing else is waited for, and only the event loop tells of a new block.
        await nextTurn();
      }
    },
  };
}

/** Its txid beside a raw transaction; none of bytes that are no transaction. */
function nameTx(raw: Uint8Array): NamedTx[] {
  const tx = parseTransaction(raw);
  return tx.ok ? [{ txid: bytesToHex(hashTx(tx.value)), raw }] : [];
}

function createEntry(id: number, { txid, raw }: NamedTx, weight: number, fee: bigint): MempoolEntry {
  return { id, txid, raw, weight, vsize: Math.ceil(weight / 4), fee };
}
