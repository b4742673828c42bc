/** Answers whether a transaction is the contribution of an intent: what it is, or why it is not. */

import { setTimeout as delay } from 'node:timers/promises';
import type { VerifyBody, VerifyJson } from '@coinfront/api/treasury.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import {
  bytesToHex,
  getHexBytes,
  parseDisplayHash,
  reverseBytes,
  toDisplayHash,
} from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { Static } from 'typebox';
import type { ChainView } from '../../../chain/chain-view.ts';
import { AppError } from '../../../errors.ts';
import { readTransaction, type TreasuryTx } from '../following/read-transactions.ts';
import { firstSeenOf, insertSightings, listSightings } from '../following/sighting-store.ts';
import { findIntent, loadKnownIntents } from '../intents/intent-store.ts';
import { listCoinsOf } from '../ledger/coin-store.ts';
import { firstUnverifiedHeight } from '../ledger/ledger-rules.ts';
import { behindNode, isCurrent } from '../read-synced.ts';
import type { IntentTable, SightingTable, TreasuryTables } from '../schema/treasury-tables.ts';
import { type OwnScripts, ownScripts } from '../scripts/own-scripts.ts';
import { listScripts } from '../scripts/script-store.ts';
import type { TreasuryContext } from '../treasury-context.ts';
import { type Attribution, attribute, type FirstSeen } from './attribution-rules.ts';
import { refuseContribution } from './refuse-contribution.ts';

type Body = Static<typeof VerifyBody>;

const ATTEMPTS = 10;
const PAUSE_MS = 100;

/** Where a transaction is in the index, or what is known of one that is not there. */
type Found =
  | { kind: 'here'; tx: TreasuryTx; tipHeight: number; place: Place; firstSeenMs: number }
  | { kind: 'absent'; isCurrent: boolean; replacedBy: string | undefined };
type LookContext = TreasuryContext & { scripts: OwnScripts };
type Place = { height: number; blockHash: string; blockTimeMs: number } | undefined;

/** An answer, with how many blocks there are still to wait for. */
export type Verification = { body: VerifyJson; blocksLeft: number };

/**
 * Judges a transaction for an intent by the rules of the ledger. It never attributes anything: that happens by itself.
 *
 * @throws AppError that says which: unseen, replaced, wrong address, amount or tag, used, too early, too late, change
 */
export async function verifyContribution(
  context: TreasuryContext,
  body: Body,
  contributorId: string | undefined,
): Promise<Verification> {
  const { precious } = context;
  const db = precious.query<TreasuryTables>();
  const row = await findIntent(db, body.intent_id);
  if (row === undefined || (contributorId !== undefined && row.contributor_id !== contributorId)) {
    throw new AppError('intent_not_found', `There is no intent ${body.intent_id} of this contributor.`);
  }
  const txid = body.txid.toLowerCase();
  const sighting = (await listSightings(db, [txid])).get(txid);
  const known = await listScripts(db);
  const scripts = ownScripts(bytesToHex(context.treasury.script), known);
  const found = await lookFor({ ...context, scripts }, txid, sighting);
  if (found.kind === 'absent') throw refuseAbsent(found, txid, sighting !== undefined);
  const { attributions, firstSeen } = await judge(context, found, sighting);
  const picked = attributions.filter(({ vout }) => body.vout === undefined || vout === body.vout);
  const credited = picked.filter((each) => each.kind === 'contribution' && each.intent.id === row.id);
  const [first] = credited;
  if (first?.kind !== 'contribution')
    throw refuseContribution(context, {
      row,
      tx: found.tx,
      attributions: picked,
      firstSeen,
      vout: body.vout,
    });
  if (sighting === undefined && found.place === undefined) await remember(context, found);
  const settled = await findSettled(context, txid, row.id, found);
  const { confirmations: needed } = context.treasury;
  const confirmations = found.place === undefined ? 0 : found.tipHeight - found.place.height + 1;
  return {
    body: {
      state: settled ? 'verified' : 'pending',
      txid,
      vouts: credited.map(({ vout }) => vout),
      amount: formatAmount(
        credited.reduce((sum, { value }) => sum + value, 0n),
        context.profile.decimals,
      ),
      matched_by: first.by,
      intent_id: row.id,
      late: first.late,
      height: found.place?.height ?? null,
      block_hash: found.place?.blockHash ?? null,
      confirmations,
      confirmations_required: needed,
    },
    blocksLeft: Math.max(0, needed - confirmations),
  };
}

/** Looks for a transaction; what is not there may be there as soon as the index has caught up with the node. */
async function lookFor(
  context: LookContext,
  txid: string,
  sighting: SightingTable | undefined,
): Promise<Found> {
  for (let attempt = 1; ; attempt++) {
    const found = await context.readChain((view) => findTransaction(view, context, txid, sighting));
    const isSure = found.kind === 'here' || found.isCurrent || found.replacedBy !== undefined;
    if (isSure || attempt === ATTEMPTS) return found;
    await delay(PAUSE_MS);
  }
}

async function findTransaction(
  view: ChainView,
  context: LookContext,
  txid: string,
  sighting: SightingTable | undefined,
): Promise<Found> {
  const record = await view.findTx(getValue(parseDisplayHash(txid)));
  if (record === undefined) {
    return {
      kind: 'absent',
      isCurrent: await isCurrent(view, context),
      replacedBy: sighting && (await findReplacement(view, txid, sighting)),
    };
  }
  const { status } = record;
  const block = status.confirmed ? await view.findBlockAt(status.height) : undefined;
  return {
    kind: 'here',
    tx: await readTransaction(view, { marker: context.treasury.marker, scripts: context.scripts }, record),
    tipHeight: view.tip?.height ?? 0,
    place: block && {
      height: block.height,
      blockHash: toDisplayHash(block.hash),
      blockTimeMs: block.time * 1000,
    },
    firstSeenMs: status.confirmed ? (block?.time ?? 0) * 1000 : status.firstSeenMs,
  };
}

/** The transaction that spends what one that is gone spent. */
async function findReplacement(
  view: ChainView,
  txid: string,
  { inputs }: SightingTable,
): Promise<string | undefined> {
  for (const input of inputs.split(',')) {
    const [from, index] = input.split(':') as [string, string];
    const record = await view.findTx(reverseBytes(getHexBytes(from)));
    const spend = record && (await view.listSpends(record))[Number(index)];
    const spender = spend && toDisplayHash(spend.txid);
    if (spender !== undefined && spender !== txid) return spender;
  }
  return undefined;
}

function refuseAbsent(
  { isCurrent, replacedBy }: Extract<Found, { kind: 'absent' }>,
  txid: string,
  wasSeen: boolean,
): AppError {
  if (replacedBy !== undefined) {
    return new AppError(
      'contribution_replaced',
      `Transaction ${txid} was replaced by ${replacedBy}, which spends the same coins. Verify that one instead.`,
    );
  }
  if (!isCurrent) return behindNode();
  return new AppError(
    'contribution_unseen',
    wasSeen
      ? `Transaction ${txid} was seen, and is in neither chain nor mempool any more. Broadcast it again.`
      : `Transaction ${txid} is in neither chain nor mempool. Broadcast it, or check the txid; a few seconds may pass.`,
  );
}

/** What the rules say of a transaction now, whether the ledger has it yet or not. */
async function judge(
  { precious, profile, now }: TreasuryContext,
  { tx, place, firstSeenMs }: Extract<Found, { kind: 'here' }>,
  sighting: SightingTable | undefined,
): Promise<{ attributions: Attribution[]; firstSeen: FirstSeen }> {
  const firstSeen = sighting
    ? firstSeenOf(sighting)
    : // What no ledger has yet is newer than every intent.
      { atMs: Math.min(firstSeenMs, now()), version: place && Number.MAX_SAFE_INTEGER };
  const intents = await loadKnownIntents(precious.query<TreasuryTables>(), {
    tags: tx.tag.kind === 'one' ? [tx.tag.tag] : [],
    amounts: tx.outputs.map(({ value }) => String(value)),
  });
  const incoming = { ...tx, spendsTreasury: tx.spent.length > 0, firstSeen };
  return { attributions: attribute(incoming, intents, { minimum: profile.dustLimit }), firstSeen };
}

/** What somebody asked for is remembered at once, so that it can be told of when it is replaced. */
async function remember(
  { precious }: TreasuryContext,
  { tx, firstSeenMs }: Extract<Found, { kind: 'here' }>,
): Promise<void> {
  await precious.transaction<TreasuryTables, void>((trx) =>
    insertSightings(trx, [
      { txid: tx.txid, first_seen_at: firstSeenMs, first_version: null, inputs: tx.inputs.join() },
    ]),
  );
}

/** Whether the ledger has it, deep enough, in the block where it is. */
async function findSettled(
  { precious, treasury }: TreasuryContext,
  txid: string,
  intentId: string,
  { place, tipHeight }: Extract<Found, { kind: 'here' }>,
): Promise<boolean> {
  if (place === undefined || place.height >= firstUnverifiedHeight(tipHeight, treasury.confirmations))
    return false;
  const coins = await listCoinsOf(precious.query<TreasuryTables>(), txid);
  return coins.some(
    ({ intent_id, verified_at, block_hash }) =>
      intent_id === intentId && verified_at !== null && block_hash === place.blockHash,
  );
}

/** What {@link refuseContribution} explains. */
export type Refused = {
  row: IntentTable;
  tx: TreasuryTx;
  attributions: readonly Attribution[];
  firstSeen: FirstSeen;
  vout: number | undefined;
};
