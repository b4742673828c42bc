import type { TreasuryStatusJson } from '@coinfront/api/treasury.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { type Checked, need, sample } from './checked.ts';

/** The ledger explains every coin of the treasury, which has what the node's blocks paid it; contributors can still log in. */
export async function checkTreasury({ rig, record, truth, random, isFull }: Checked): Promise<string[]> {
  const path = '/api/treasury/status';
  const status: TreasuryStatusJson = need(path, await rig.client.get(path));
  const { reconciliation } = status;
  if (reconciliation === null || reconciliation.as_of.hash !== truth.hashAt(truth.height()))
    return [
      `the treasury is reconciled at ${JSON.stringify(reconciliation?.as_of)} (${status.unreconciled_reason})`,
    ];
  const paid = truth
    .listOutputs(status.address)
    .filter(({ height }) => height !== undefined)
    .reduce((sum, { amount }) => sum + amount, 0n);
  const problems: string[] = [];
  // Nobody spends from it in a campaign.
  if (reconciliation.ledger_total !== formatAmount(paid, 8) || reconciliation.difference !== '0.00000000')
    problems.push(
      `the ledger has ${reconciliation.ledger_total}, differs by ${reconciliation.difference}, and the node's blocks pay ${formatAmount(paid, 8)}`,
    );
  for (const contributor_secret of sample(random, record.contributors, isFull ? 40 : 1)) {
    const answer = await rig.client.post('/api/treasury/me', { contributor_secret });
    if (answer?.status !== 200)
      problems.push(`a contributor logs in and is answered ${answer?.status} ${answer?.text}`);
  }
  return problems;
}
