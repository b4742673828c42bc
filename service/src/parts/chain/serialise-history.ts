import type { AddressTransactionJson } from '@coinfront/api/chain-addresses.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { confirmationsAt } from '../../chain/chain-reads.ts';
import type { BlockName, BlockRecord, ChainView, HistoryEntry } from '../../chain/chain-view.ts';
import { serialiseTxBlock } from './serialise-tx.ts';

/**
 * Lines of a history, of an address or of a wallet.
 *
 * @param balances one a line, undefined for what waits; without them lines have none
 */
export async function serialiseHistory(
  view: ChainView,
  entries: readonly HistoryEntry[],
  tip: BlockRecord,
  decimals: number,
  balances?: readonly (bigint | undefined)[],
): Promise<AddressTransactionJson[]> {
  const blocks = new Map<number, BlockName | undefined>();
  for (const { status } of entries) {
    if (status.confirmed && !blocks.has(status.height)) {
      blocks.set(status.height, await view.nameBlockAt(status.height));
    }
  }
  return entries.map(({ txid, delta, status }, i) => {
    const balance = balances?.[i];
    const block = status.confirmed ? blocks.get(status.height) : undefined;
    return {
      txid: toDisplayHash(txid),
      delta: formatAmount(delta, decimals),
      confirmed: status.confirmed,
      confirmations: status.confirmed ? confirmationsAt(status.height, tip) : 0,
      block: status.confirmed && block !== undefined ? serialiseTxBlock(block, status.position) : null,
      first_seen: status.confirmed ? null : new Date(status.firstSeenMs).toISOString(),
      ...(balances && { balance: balance === undefined ? null : formatAmount(balance, decimals) }),
    };
  });
}
