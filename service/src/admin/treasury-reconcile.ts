/** The comparison of ledger and chain that the operator asks for: whole, or an error. */

import { setTimeout as delay } from 'node:timers/promises';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { findCursor } from '../parts/treasury/ledger/ledger-store.ts';
import { type Audit, type AuditOptions, auditBooks } from '../parts/treasury/reconciliation/audit-books.ts';
import { compareOutputs, type OutputComparison } from '../parts/treasury/reconciliation/compare-outputs.ts';
import { reconcile } from '../parts/treasury/reconciliation/reconcile.ts';
import type { TreasuryTables } from '../parts/treasury/schema/treasury-tables.ts';

/** What a ledger is held against, from sources other than its database. */
export type Trusted = Pick<AuditOptions, 'serviceKeys' | 'head'>;

type Context = Parameters<typeof reconcile>[0];
type Reconciliation = NonNullable<Awaited<ReturnType<typeof reconcile>>['reconciliation']>;
/** All at one state of the ledger, and the chain at its block. */
type Comparison = { reconciliation: Reconciliation; audit: Audit; outputs: OutputComparison };

const TRIES = 20;
const PAUSE_MS = 100;

/** Compares, and writes what was found; `isSound` is false when something differs. */
export async function runReconcile(
  context: Context,
  trusted: Trusted,
  asJson: boolean,
  write: (text: string) => Promise<void>,
): Promise<Result<{ isSound: boolean }>> {
  const compared = await compareWhole(context, trusted);
  if (!compared.ok) return compared;
  const { reconciliation, audit, outputs } = compared.value;
  const { unexplained } = outputs;
  const faults = [...audit.faults, ...describeFlows(outputs, context.profile.decimals)];
  const isEqual = /^0(\.0*)?$/.test(reconciliation.difference) && unexplained.length === 0;
  const isSound = isEqual && faults.length === 0;
  const { isCut, head } = audit;
  const isKeyChecked = trusted.serviceKeys !== undefined;
  if (asJson) {
    const found = { unexplained, head: head ?? null, key_checked: isKeyChecked, faults, more_faults: isCut };
    await write(`${JSON.stringify({ sound: isSound, ...reconciliation, ...found })}\n`);
    return ok({ isSound });
  }
  const { as_of, ledger_total, utxo_total, difference } = reconciliation;
  const lines = [
    `Block ${as_of.height} ${as_of.hash}`,
    `Ledger      ${ledger_total}`,
    `Chain       ${utxo_total}`,
    `Difference  ${difference}`,
    `Ends with   ${head ? `entry ${head.sequence} ${head.hash}` : 'nothing'}`,
    ...unexplained.map(({ txid, vout, amount, side }) => `Only in the ${side}: ${txid}:${vout} ${amount}`),
    ...faults,
    ...(isCut ? ['There are more faults than these.'] : []),
    ...(isKeyChecked
      ? []
      : ['Not checked: whose key has signed. The key file of the service is not here; give --key.']),
  ];
  await write(`${lines.join('\n')}\n`);
  return ok({ isSound });
}

/** Compares until all of it was of one state: what was not compared is never said to be equal. */
async function compareWhole(context: Context, trusted: Trusted): Promise<Result<Comparison>> {
  const db = context.precious.query<TreasuryTables>();
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (attempt > 0) await delay(PAUSE_MS);
    const cursor = await findCursor(db);
    const { reconciliation, unreconciled_reason } = await reconcile(context);
    if (reconciliation === null)
      return fail(`Ledger and chain cannot be compared at the moment (${unreconciled_reason}); try again.`);
    if (cursor === undefined || cursor.hash !== reconciliation.as_of.hash) continue;
    const outputs = await compareOutputs(context, cursor);
    if (outputs === undefined) continue;
    const audit = await auditBooks({ ...context, ...trusted });
    if (audit === undefined || (await findCursor(db))?.version !== cursor.version) continue;
    return ok({ reconciliation, audit, outputs });
  }
  return fail(
    'Ledger and index were never at the same block for long enough to compare their outputs. Try again while the service follows the chain.',
  );
}

/** What came and went again is in no list of unspent outputs. */
function describeFlows({ received, spent }: OutputComparison, decimals: number): string[] {
  const flows = [
    { what: 'came to', ...received },
    { what: 'was spent from', ...spent },
  ];
  return flows
    .filter(({ chain, ledger }) => chain !== ledger)
    .map(
      ({ what, chain, ledger }) =>
        `In the chain ${formatAmount(chain, decimals)} ${what} the addresses, in the ledger ${formatAmount(ledger, decimals)}.`,
    );
}
