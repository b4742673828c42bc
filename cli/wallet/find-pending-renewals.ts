import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { getTransaction } from '@coinfront/sdk/chain/get-transaction.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { describePayload } from '@coinfront/sdk/wallet/describe-payload.ts';
import type { WalletScan } from '@coinfront/sdk/wallet/scan-accounts.ts';
import { waitForBudget } from '@coinfront/sdk/wallet/wait-for-budget.ts';

/** Transactions in the mempool that are looked at, at most: nodes keep no longer chains of them than this. */
const mostPending = 25;

/**
 * Names that the wallet renews in the mempool already: renewing them again would pay for further periods. From each unconfirmed coin it
 * goes back through renewals whose change was spent.
 */
export async function findPendingRenewals(
  client: Client,
  { coins }: WalletScan,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const renewed = new Set<string>();
  const looked = new Set<string>();
  const next = coins.filter(({ height }) => height === undefined).map(({ txid }) => txid);
  while (next.length > 0 && looked.size < mostPending) {
    const txid = next.pop()!;
    if (looked.has(txid)) continue;
    looked.add(txid);
    const tx = await waitForBudget(() => getTransaction(client, { txid }), signal);
    if (tx.confirmed) continue;
    for (const { script } of tx.outputs) {
      const payload = script === null ? undefined : describePayload(getHexBytes(script));
      if (payload?.protocol !== 'name' || payload.operation.kind !== 'renew') continue;
      renewed.add(payload.operation.name);
      next.push(...tx.inputs.flatMap((input) => (input.txid === null ? [] : [input.txid])));
    }
  }
  return renewed;
}
