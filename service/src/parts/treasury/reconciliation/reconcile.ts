/** Compares the ledger with the unspent outputs of the chain, both at the block up to which the ledger is kept. */

import { setTimeout as delay } from 'node:timers/promises';
import type { ReconciliationJson, TreasuryStatusJson } from '@coinfront/api/treasury.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { ChainView, HistoryEntry } from '../../../chain/chain-view.ts';
import { countUnspent } from '../ledger/coin-store.ts';
import { readTotals } from '../ledger/ledger-rules.ts';
import { findCursor } from '../ledger/ledger-store.ts';
import type { CursorTable, TreasuryTables } from '../schema/treasury-tables.ts';
import { listCovered } from '../scripts/script-store.ts';
import type { TreasuryFollowContext } from '../treasury-context.ts';
import { compareOutputs } from './compare-outputs.ts';

type Outcome = Pick<TreasuryStatusJson, 'reconciliation' | 'unreconciled_reason'>;
type Reason = NonNullable<TreasuryStatusJson['unreconciled_reason']>;
/** The ledger at its cursor. */
type Books = { cursor: CursorTable; unspent: number; scripts: Uint8Array[] };
/** The chain at the same block. */
type Chain = { utxoTotal: bigint; utxos: number; immature: bigint; isTip: boolean };

const TRIES = 20;
const PAUSE_MS = 25;
const PAGE = 100;
/** The index may be ahead of the ledger by so many transactions of the treasury. */
const MOST_AHEAD = 2_000;
const MOST_PAYOUTS = 5_000;

/** Reconciles; a reason says why that is not possible at the moment. */
export async function reconcile(context: Omit<TreasuryFollowContext, 'now'>): Promise<Outcome> {
  let reason: Reason = 'behind';
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (attempt > 0) await delay(PAUSE_MS);
    const books = await readBooks(context);
    if (books === 'not_started') return refuse(books);
    if (books === 'moved') continue;
    if (books.cursor.script !== bytesToHex(context.treasury.script)) return refuse('other_address');
    const chain = await context.readChain((view) => readChainAt(view, books, context));
    if (typeof chain !== 'string') {
      return { reconciliation: await describe(books, chain, context), unreconciled_reason: null };
    }
    reason = chain;
  }
  return refuse(reason);
}

function refuse(reason: Reason): Outcome {
  return { reconciliation: null, unreconciled_reason: reason };
}

/** Reads the books in one state: what another process writes meanwhile moves the cursor. */
async function readBooks({
  precious,
  treasury,
}: Pick<TreasuryFollowContext, 'precious' | 'treasury'>): Promise<Books | 'not_started' | 'moved'> {
  const db = precious.query<TreasuryTables>();
  const cursor = await findCursor(db);
  if (cursor === undefined || cursor.height < 0) return 'not_started';
  const books = { cursor, unspent: await countUnspent(db), scripts: await listCovered(db, treasury) };
  return (await findCursor(db))?.version === cursor.version ? books : 'moved';
}

async function readChainAt(
  view: ChainView,
  { cursor, scripts }: Books,
  { profile }: Pick<TreasuryFollowContext, 'profile'>,
): Promise<Chain | Reason> {
  // An index that is made anew.
  if (view.tip === undefined) return 'behind';
  const block = await view.findBlockAt(cursor.height);
  if (block === undefined || toDisplayHash(block.hash) !== cursor.hash) return 'reorganising';
  const chain: Chain = { utxoTotal: 0n, utxos: 0, immature: 0n, isTip: view.tip.height === cursor.height };
  // A coinbase of height h can be spent from h + maturity on: in the next block, those up to this height less that.
  const firstImmature = Math.max(0, cursor.height + 2 - profile.coinbaseMaturity);
  let looked = 0;
  for (const script of scripts) {
    const stats = await view.getScriptStats(script);
    const ahead = await sumAhead(view, script, cursor.height, MOST_AHEAD - looked);
    if (ahead === undefined) return 'behind';
    looked += ahead.looked;
    chain.utxoTotal += stats.fundedSum - stats.spentSum - ahead.sum;
    chain.utxos += stats.fundedCount - stats.spentCount;
    const payouts = await view.listCoinbasePayouts(script, firstImmature, cursor.height + 1, MOST_PAYOUTS);
    chain.immature += payouts.reduce((sum, { value }) => sum + value, 0n);
  }
  return chain;
}

/** What blocks above a height change of a script's sum; undefined when they have more than `most` transactions of it. */
async function sumAhead(
  view: ChainView,
  script: Uint8Array,
  height: number,
  most: number,
): Promise<{ sum: bigint; looked: number } | undefined> {
  let [sum, looked] = [0n, 0];
  for (let before: number | undefined; ; ) {
    const page: HistoryEntry[] = await view.listHistory(script, before, PAGE);
    const newer = page.filter(({ status }) => status.confirmed && status.height > height);
    for (const { delta } of newer) sum += delta;
    looked += newer.length;
    if (looked > most) return undefined;
    if (page.length < PAGE || newer.length < page.length) return { sum, looked };
    before = page.at(-1)!.txId;
  }
}

async function describe(
  { cursor, unspent }: Books,
  chain: Chain,
  context: Omit<TreasuryFollowContext, 'now'>,
): Promise<ReconciliationJson> {
  const amount = (value: bigint) => formatAmount(value, context.profile.decimals);
  const totals = readTotals(cursor.totals);
  const balance = BigInt(cursor.balance);
  const isEqual = chain.utxoTotal === balance && (!chain.isTip || chain.utxos === unspent);
  return {
    as_of: { height: cursor.height, hash: cursor.hash },
    verified_in: amount(totals.contribution - totals.waiting),
    confirming_in: amount(totals.waiting),
    unattributed_in: amount(totals.unattributed),
    coinbase_in: amount(totals.coinbase),
    change_in: amount(totals.change),
    out: amount(-totals.spend),
    fees: amount(-totals.fee),
    ledger_total: amount(balance),
    utxo_total: amount(chain.utxoTotal),
    difference: amount(chain.utxoTotal - balance),
    immature_coinbase: amount(chain.immature),
    // Which outputs they are can be said only while the index is at the same block.
    unexplained: isEqual ? [] : ((await compareOutputs(context, cursor))?.unexplained ?? []),
  };
}
