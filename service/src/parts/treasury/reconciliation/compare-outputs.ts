/** Compares ledger and chain output by output, and all that ever came and went. */

import type { ReconciliationJson } from '@coinfront/api/treasury.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { listUnspent } from '../ledger/coin-store.ts';
import { readTotals } from '../ledger/ledger-rules.ts';
import { findCursor } from '../ledger/ledger-store.ts';
import type { CursorTable, TreasuryQuery, TreasuryTables } from '../schema/treasury-tables.ts';
import { listCovered } from '../scripts/script-store.ts';
import type { TreasuryFollowContext } from '../treasury-context.ts';

const OUTPUTS_AT_ONCE = 500;
const SHOWN = 100;

/** What was found when every output was looked at. */
export type OutputComparison = {
  /** Those on which ledger and chain differ, the first {@link SHOWN} of them. */
  unexplained: ReconciliationJson['unexplained'];
  /** All that ever came and went, base units: an output that came and went is in no list of unspent ones. */
  received: { chain: bigint; ledger: bigint };
  spent: { chain: bigint; ledger: bigint };
};

/**
 * Compares output by output, and all that ever came and went.
 *
 * @returns undefined when that was not possible: the index is not at the block of the cursor, or the ledger was written to meanwhile
 */
export async function compareOutputs(
  { precious, readChain, treasury, profile }: Omit<TreasuryFollowContext, 'now'>,
  cursor: CursorTable,
): Promise<OutputComparison | undefined> {
  const db = precious.query<TreasuryTables>();
  const scripts = await listCovered(db, treasury);
  const ofChain = await readChain(async (view) => {
    if (view.tip === undefined || toDisplayHash(view.tip.hash) !== cursor.hash) return undefined;
    const outputs = new Map<string, bigint>();
    let [received, spent] = [0n, 0n];
    for (const script of scripts) {
      const { fundedSum, spentSum } = await view.getScriptStats(script);
      received += fundedSum;
      spent += spentSum;
      for (let after: number | undefined; ; ) {
        const page = await view.listUtxos(script, after, OUTPUTS_AT_ONCE);
        for (const { txid, vout, value } of page) outputs.set(`${toDisplayHash(txid)}:${vout}`, value);
        if (page.length < OUTPUTS_AT_ONCE) break;
        after = page.at(-1)!.outputId;
      }
    }
    return { outputs, received, spent };
  });
  if (ofChain === undefined) return undefined;
  const unexplained = await subtractLedger(db, ofChain.outputs, profile.decimals);
  if ((await findCursor(db))?.version !== cursor.version) return undefined;
  const { contribution, unattributed, coinbase, change, spend, fee } = readTotals(cursor.totals);
  return {
    unexplained,
    received: { chain: ofChain.received, ledger: contribution + unattributed + coinbase + change },
    spent: { chain: ofChain.spent, ledger: -(spend + fee) },
  };
}

/** What is left of the outputs of the chain without those of the ledger, and what only the ledger has. */
async function subtractLedger(
  db: TreasuryQuery,
  ofChain: Map<string, bigint>,
  decimals: number,
): Promise<ReconciliationJson['unexplained']> {
  const items: ReconciliationJson['unexplained'] = [];
  const add = (txid: string, vout: number, value: bigint, side: 'chain' | 'ledger') =>
    items.push({ txid, vout, amount: formatAmount(value, decimals), side });
  for (let after = { txid: '', vout: -1 }; ; ) {
    const page = await listUnspent(db, after, OUTPUTS_AT_ONCE);
    for (const { txid, vout, value } of page) {
      const key = `${txid}:${vout}`;
      if (ofChain.get(key) === BigInt(value)) ofChain.delete(key);
      else if (items.length < SHOWN) add(txid, vout, BigInt(value), 'ledger');
    }
    const last = page.at(-1);
    if (last === undefined || page.length < OUTPUTS_AT_ONCE) break;
    after = last;
  }
  for (const [key, value] of ofChain) {
    if (items.length >= SHOWN) break;
    const [txid, vout] = key.split(':') as [string, string];
    add(txid, Number(vout), value, 'chain');
  }
  return items;
}
