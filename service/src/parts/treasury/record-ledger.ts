/** Keeps the ledger in step with the index: entries for blocks that come, reversals for blocks that leave. */

import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { ChainView } from '../../chain/chain-view.ts';
import { type Attribution, attribute, type Incoming } from './attribution-rules.ts';
import { loadKnownIntents } from './intent-store.ts';
import {
  describeMovement,
  emptyTotals,
  firstUnverifiedHeight,
  type LedgerTotals,
  type MovingKind,
  readTotals,
  writeTotals,
} from './ledger-rules.ts';
import {
  createCursor,
  findCursor,
  holdCursor,
  insertCoins,
  insertEntries,
  listStanding,
  listWaiting,
  moveCursor,
  recountStanding,
  revertCoins,
  spendCoin,
  sumWaiting,
  verifyCoin,
} from './ledger-store.ts';
import { type ConfirmedTx, readBlocks } from './read-transactions.ts';
import { firstSeenOf, insertSightings, listSightings } from './sighting-store.ts';
import type { TreasuryFollowContext } from './treasury-context.ts';
import type { CoinTable, CursorTable, EntryTable, TreasuryQuery, TreasuryTables } from './treasury-tables.ts';

/** Somebody else has moved the cursor meanwhile; the round begins anew. */
class CursorMovedError extends Error {
  override readonly name = 'CursorMovedError';
}

/** Transactions of one commit, unless one block has more. */
const TXS_PER_COMMIT = 200;
const BLOCKS_AT_ONCE = { first: 500, most: 20_000 };
const ENTRIES_AT_ONCE = 500;

type Place = { height: number; hash: string };

/** What a look at the index says has to be done. */
type Step =
  | { kind: 'none' }
  | { kind: 'reverse'; to: Place; entries: EntryTable[] }
  | { kind: 'append'; to: Place; txs: ConfirmedTx[] };

export type LedgerRecorder = {
  /**
   * Takes the ledger one step towards the tip of the index, in one transaction.
   *
   * @returns whether there may be more to do
   * @throws Error when the ledger was kept for another address
   */
  step(): Promise<boolean>;
};

/** Opens the recorder. Any number may run: of two that read the same cursor one writes. */
export function openLedgerRecorder(context: TreasuryFollowContext): LedgerRecorder {
  const { precious, readChain, treasury } = context;
  const script = bytesToHex(treasury.script);
  let blocksAtOnce = BLOCKS_AT_ONCE.first;

  const readCursor = async (): Promise<CursorTable> => {
    const db = precious.query<TreasuryTables>();
    let cursor = await findCursor(db);
    if (cursor === undefined) {
      await precious.transaction<TreasuryTables, void>((trx) =>
        createCursor(trx, script, writeTotals(emptyTotals())),
      );
      cursor = (await findCursor(db))!;
    }
    if (cursor.script !== script) {
      throw new Error(
        'The ledger was kept for another treasury address. Restore the address in the coin profile, or give the service ' +
          'a fresh precious database.',
      );
    }
    return cursor;
  };

  const append = async (view: ChainView, cursor: CursorTable): Promise<Step> => {
    const tip = view.tip!;
    for (;;) {
      const end = Math.min(tip.height, cursor.height + blocksAtOnce);
      const upTo = end === tip.height ? tip : (await view.findBlockAt(end))!;
      const most = end === cursor.height + 1 ? Number.MAX_SAFE_INTEGER : TXS_PER_COMMIT;
      const txs = await readBlocks(view, treasury, { above: cursor.height, upTo, most });
      if (txs !== undefined) {
        blocksAtOnce = Math.min(2 * blocksAtOnce, BLOCKS_AT_ONCE.most);
        return { kind: 'append', to: { height: end, hash: toDisplayHash(upTo.hash) }, txs };
      }
      blocksAtOnce = Math.max(1, Math.floor((end - cursor.height) / 2));
    }
  };

  const look = (cursor: CursorTable, standing: readonly EntryTable[] | undefined): Promise<Step | 'parted'> =>
    readChain(async (view) => {
      if (view.tip === undefined) return { kind: 'none' };
      if (await isInChain(view, cursor)) {
        return cursor.height >= view.tip.height ? { kind: 'none' } : await append(view, cursor);
      }
      // An index that is being rebuilt says nothing of what left the chain.
      if ((await view.getSynced()) === undefined) return { kind: 'none' };
      if (standing === undefined) return 'parted';
      return await findReversal(view, cursor, standing);
    });

  return {
    async step() {
      const cursor = await readCursor();
      let step = await look(cursor, undefined);
      if (step === 'parted') {
        const standing = await listStanding(
          precious.query<TreasuryTables>(),
          cursor.sequence + 1,
          ENTRIES_AT_ONCE,
        );
        step = await look(cursor, standing);
      }
      if (step === 'parted' || step.kind === 'none') return false;
      const { kind } = step;
      try {
        await precious.transaction<TreasuryTables, void>(async (trx) => {
          if (!(await holdCursor(trx, precious.engine, cursor))) throw new CursorMovedError();
          if (kind === 'append') await appendBlocks(trx, context, cursor, step);
          else await reverseEntries(trx, context, cursor, step);
        });
      } catch (error) {
        if (!(error instanceof CursorMovedError)) throw error;
      }
      return true;
    },
  };
}

async function isInChain(view: ChainView, { height, hash }: Place): Promise<boolean> {
  if (height < 0) return true;
  const block = await view.findBlockAt(height);
  return block !== undefined && toDisplayHash(block.hash) === hash;
}

/**
 * The entries whose blocks left the chain, newest first. Below the first one whose block is still there all are: the
 * ledger is kept in the order of the chain.
 */
async function findReversal(
  view: ChainView,
  cursor: CursorTable,
  standing: readonly EntryTable[],
): Promise<Step> {
  const entries: EntryTable[] = [];
  for (const entry of standing) {
    const place = { height: entry.height, hash: entry.block_hash };
    if (await isInChain(view, place)) return { kind: 'reverse', to: place, entries };
    entries.push(entry);
  }
  // Either no entry is left below, or the rest follows with the next step: the cursor then stays where it is.
  const to =
    standing.length < ENTRIES_AT_ONCE
      ? { height: -1, hash: '' }
      : { height: cursor.height, hash: cursor.hash };
  return { kind: 'reverse', to, entries };
}

type Draft = { rows: EntryTable[]; sequence: number; balance: bigint; totals: LedgerTotals };

function openDraft(cursor: CursorTable): Draft {
  return {
    rows: [],
    sequence: cursor.sequence,
    balance: BigInt(cursor.balance),
    totals: readTotals(cursor.totals),
  };
}

function addEntry(
  draft: Draft,
  entry: Omit<EntryTable, 'sequence' | 'amount' | 'balance'> & { amount: bigint },
): EntryTable {
  draft.sequence += 1;
  draft.balance += entry.amount;
  const row = {
    ...entry,
    sequence: draft.sequence,
    amount: String(entry.amount),
    balance: String(draft.balance),
  };
  draft.rows.push(row);
  return row;
}

async function commitDraft(
  trx: TreasuryQuery,
  cursor: CursorTable,
  { sequence, balance, totals }: Draft,
  to: Place & { standings: number },
): Promise<void> {
  totals.waiting = await sumWaiting(trx);
  await moveCursor(trx, cursor, { ...to, sequence, balance: String(balance), totals: writeTotals(totals) });
}

async function appendBlocks(
  trx: TreasuryQuery,
  { treasury, profile, now }: TreasuryFollowContext,
  cursor: CursorTable,
  { txs, to }: Extract<Step, { kind: 'append' }>,
): Promise<void> {
  const nowMs = now();
  const draft = openDraft(cursor);
  const incoming = await describeIncoming(trx, txs, { nowMs, version: cursor.version + 1 });
  const intents = await loadKnownIntents(trx, {
    tags: incoming.flatMap(({ tag }) => (tag.kind === 'one' ? [tag.tag] : [])),
    amounts: incoming.flatMap(({ outputs }) => outputs.map(({ value }) => String(value))),
  });
  const coins = new Map<string, CoinTable>();
  const spentBefore: { txid: string; vout: number; sequence: number }[] = [];
  for (const [i, tx] of txs.entries()) {
    const attributions = attribute(incoming[i]!, intents, { minimum: profile.dustLimit });
    const rows = addMovement(draft, tx, attributions, nowMs);
    const spend = rows.find(({ kind }) => kind === 'spend');
    for (const { txid, vout } of tx.spent) {
      const here = coins.get(`${txid}:${vout}`);
      if (here) here.spent_by = spend!.sequence;
      else spentBefore.push({ txid, vout, sequence: spend!.sequence });
    }
    for (const row of rows) {
      if (row.vout !== null) coins.set(`${row.txid}:${row.vout}`, coinOf(row));
    }
  }
  await insertEntries(trx, draft.rows);
  await insertCoins(trx, [...coins.values()]);
  for (const { txid, vout, sequence } of spentBefore) await spendCoin(trx, { txid, vout }, sequence);
  const verified = await listWaiting(trx, firstUnverifiedHeight(to.height, treasury.confirmations));
  for (const coin of verified) await verifyCoin(trx, coin, nowMs);
  const standings = cursor.standings + (verified.length > 0 ? 1 : 0);
  await commitDraft(trx, cursor, draft, { ...to, standings });
}

/** The transactions as the rules see them, each with when it was seen first, which is remembered. */
async function describeIncoming(
  trx: TreasuryQuery,
  txs: readonly ConfirmedTx[],
  { nowMs, version }: { nowMs: number; version: number },
): Promise<Incoming[]> {
  const known = await listSightings(
    trx,
    txs.map(({ txid }) => txid),
  );
  const fresh = txs
    .filter(({ txid }) => !known.has(txid))
    .map(({ txid, blockTimeMs, inputs }) => ({
      txid,
      // Seen by nobody here before: no later than its block says.
      first_seen_at: Math.min(nowMs, blockTimeMs),
      first_version: version,
      inputs: inputs.join(),
    }));
  await insertSightings(trx, fresh);
  for (const row of fresh) known.set(row.txid, row);
  return txs.map((tx) => ({
    txid: tx.txid,
    tag: tx.tag,
    outputs: tx.outputs,
    isCoinbase: tx.isCoinbase,
    spendsTreasury: tx.spent.length > 0,
    firstSeen: firstSeenOf(known.get(tx.txid)!),
  }));
}

function addMovement(
  draft: Draft,
  tx: ConfirmedTx,
  attributions: readonly Attribution[],
  nowMs: number,
): EntryTable[] {
  return describeMovement(tx, attributions).map((entry) => {
    draft.totals[entry.kind as MovingKind] += entry.amount;
    return addEntry(draft, {
      kind: entry.kind,
      amount: entry.amount,
      txid: tx.txid,
      vout: entry.vout,
      height: tx.height,
      block_hash: tx.blockHash,
      block_time: tx.blockTimeMs,
      contributor_id: entry.contributorId,
      intent_id: entry.intentId,
      late: entry.late ? 1 : 0,
      reason: entry.reason,
      reverses: null,
      recorded_at: nowMs,
    });
  });
}

function coinOf(row: EntryTable): CoinTable {
  const { txid, vout, amount, kind, sequence, height, block_hash, contributor_id, intent_id, late } = row;
  return {
    ...{ txid, vout: vout!, value: amount, kind: kind as CoinTable['kind'], sequence, height, block_hash },
    ...{ contributor_id, intent_id, late, verified_at: null, spent_by: null },
  };
}

async function reverseEntries(
  trx: TreasuryQuery,
  { now }: TreasuryFollowContext,
  cursor: CursorTable,
  { entries, to }: Extract<Step, { kind: 'reverse' }>,
): Promise<void> {
  const nowMs = now();
  const draft = openDraft(cursor);
  const recount = new Set<string>();
  for (const entry of entries) {
    const amount = BigInt(entry.amount);
    draft.totals[entry.kind as MovingKind] -= amount;
    addEntry(draft, {
      ...entry,
      kind: 'reversal',
      amount: -amount,
      reverses: entry.sequence,
      recorded_at: nowMs,
    });
    const contributor = await revertCoins(trx, entry);
    if (contributor !== undefined) recount.add(contributor);
  }
  await insertEntries(trx, draft.rows);
  for (const contributorId of recount) await recountStanding(trx, contributorId);
  await commitDraft(trx, cursor, draft, {
    ...to,
    standings: cursor.standings + (recount.size > 0 ? 1 : 0),
  });
}
