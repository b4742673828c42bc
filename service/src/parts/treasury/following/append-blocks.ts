/** Adds the entries of blocks that came, and verifies the contributions that became deep enough by them. */

import { type Attribution, attribute, type Incoming } from '../attribution/attribution-rules.ts';
import { loadKnownIntents } from '../intents/intent-store.ts';
import { insertCoins, listWaiting, spendCoin } from '../ledger/coin-store.ts';
import { addEntry, commitDraft, type Draft, openDraft, type Place } from '../ledger/ledger-draft.ts';
import { describeMovement, firstUnverifiedHeight, type MovingKind } from '../ledger/ledger-rules.ts';
import { insertEntries } from '../ledger/ledger-store.ts';
import { verifyCoin } from '../ledger/standing-store.ts';
import type { CoinTable, CursorTable, EntryTable, TreasuryQuery } from '../schema/treasury-tables.ts';
import { insertScripts } from '../scripts/script-store.ts';
import type { TreasuryRecordContext } from '../treasury-context.ts';
import type { ConfirmedTx } from './read-transactions.ts';
import { firstSeenOf, insertSightings, listSightings } from './sighting-store.ts';

/**
 * Adds what the treasury's transactions of some blocks move.
 *
 * @param txs in the order of the chain
 * @param scripts that the ledger covers from now on, beside that of the treasury's address
 */
export async function appendBlocks(
  trx: TreasuryQuery,
  context: TreasuryRecordContext,
  cursor: CursorTable,
  { txs, to, scripts }: { txs: readonly ConfirmedTx[]; to: Place; scripts: readonly string[] },
): Promise<void> {
  const { treasury, profile, now } = context;
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
  await insertScripts(trx, scripts, nowMs);
  await insertEntries(trx, draft.rows);
  await insertCoins(trx, [...coins.values()]);
  for (const { txid, vout, sequence } of spentBefore) await spendCoin(trx, { txid, vout }, sequence);
  const verified = await listWaiting(trx, firstUnverifiedHeight(to.height, treasury.confirmations));
  for (const coin of verified) await verifyCoin(trx, coin, nowMs);
  const standings = cursor.standings + (verified.length > 0 ? 1 : 0);
  await commitDraft(trx, context, cursor, draft, { ...to, standings });
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
    otherOutputs: tx.otherOutputs,
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
