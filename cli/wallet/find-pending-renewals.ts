import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { getTransaction } from '@coinfront/sdk/chain/get-transaction.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { describePayload } from '@coinfront/sdk/wallet/describe-payload.ts';
import type { WalletScan } from '@coinfront/sdk/wallet/scan-accounts.ts';
import { waitForBudget } from '@coinfront/sdk/wallet/wait-for-budget.ts';

/** Transactions that are looked at, at most: four times as many as nodes take in a row, with the confirmed ones that they spend. */
const mostLooked = 200;

/**
 * Names that the wallet renews in the mempool already: renewing them again would pay for further periods. From coins that are unconfirmed, or
 * spent in the mempool, it goes back and forth through what the wallet itself has made and spent there, whatever it was for.
 */
export async function findPendingRenewals(
  client: Client,
  { coins, used }: WalletScan,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const own = new Set(used.map(({ script }) => bytesToHex(script)));
  const isOwn = (script: string | null | undefined) => typeof script === 'string' && own.has(script);
  const renewed = new Set<string>();
  const looked = new Set<string>();
  const next = coins
    .filter(({ height, spentInMempool }) => height === undefined || spentInMempool)
    .map(({ txid }) => txid);
  while (next.length > 0 && looked.size < mostLooked) {
    const txid = next.pop()!;
    if (looked.has(txid)) continue;
    looked.add(txid);
    const tx = await waitForBudget(() => getTransaction(client, { txid }), signal);
    for (const { script, spent_by } of tx.outputs)
      if (isOwn(script) && spent_by?.height === null) next.push(spent_by.txid);
    if (tx.confirmed) continue;
    for (const { script } of tx.outputs) {
      const payload = script === null ? undefined : describePayload(getHexBytes(script));
      if (payload?.protocol === 'name' && payload.operation.kind === 'renew')
        renewed.add(payload.operation.name);
    }
    for (const input of tx.inputs)
      if (input.txid !== null && isOwn(input.prevout?.script)) next.push(input.txid);
  }
  return renewed;
}
