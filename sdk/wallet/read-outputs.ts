import type { AddressTotalsJson, UtxoJson } from '@coinfront/api/chain-addresses.ts';
import { WalletError } from './wallet-error.ts';
import type { AddressReport, WalletReads } from './wallet-reads.ts';

const PAGE = 100;
/** Pages of unspent outputs of one address at most. */
const MAX_PAGES = 200;

type Source = {
  readonly reads: WalletReads;
  readonly options: { signal?: AbortSignal };
  /** What was known of the address in a state of the same chain. */
  readonly known: AddressReport | undefined;
};

/**
 * A report with all pages of its unspent outputs. Where no transaction touched the address since it was known, they are not asked for again.
 *
 * @throws WalletError `scan_limit`; and what the reads throw
 */
export async function completeReport(
  report: AddressReport,
  address: string,
  { reads, options, known }: Source,
): Promise<AddressReport> {
  if (known !== undefined && isUntouched(report, known)) return { ...report, utxos: known.utxos };
  const items: UtxoJson[] = [...report.utxos.items];
  let cursor = report.utxos.next_cursor;
  for (let pages = 1; cursor !== null; pages += 1) {
    if (pages >= MAX_PAGES) {
      throw new WalletError('scan_limit', `${address} has more unspent outputs than a wallet reads.`);
    }
    options.signal?.throwIfAborted();
    const page = await reads.listUtxos({ address, cursor, limit: PAGE }, options);
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return { ...report, utxos: { items, next_cursor: null } };
}

/** In one chain, totals that did not grow mean that nothing happened; only coinbases change by themselves, when they are mature. */
function isUntouched(now: AddressReport, known: AddressReport): boolean {
  return (
    known.utxos.next_cursor === null &&
    isSameTotal(now.confirmed, known.confirmed) &&
    now.mempool.tx_count === 0 &&
    known.mempool.tx_count === 0 &&
    known.utxos.items.every(({ spendable }) => spendable)
  );
}

function isSameTotal(a: AddressTotalsJson, b: AddressTotalsJson): boolean {
  return (
    a.tx_count === b.tx_count &&
    a.received_count === b.received_count &&
    a.spent_count === b.spent_count &&
    a.balance === b.balance
  );
}
