import type { AddressTotalsJson, UtxoJson } from '@coinfront/api/chain-addresses.ts';
import type { FeeReportJson } from '@coinfront/api/chain-state.ts';

/** What a wallet asks about one address. */
export type AddressReport = {
  confirmed: AddressTotalsJson;
  mempool: AddressTotalsJson;
  utxos: { items: readonly UtxoJson[]; next_cursor: string | null };
};

/** What answers were read from. */
export type ChainState = {
  readonly height: number;
  /** Hash of the best block. */
  readonly tip: string;
  /** Names the content of the mempool; another text when it changed. */
  readonly mempool: string;
};

/** Reports of addresses in the order in which they were asked for. */
export type AddressReports = {
  readonly reports: readonly AddressReport[];
  /** The one state that all of them are from; undefined where that cannot be said. */
  readonly state: ChainState | undefined;
};

/**
 * What the wallet asks of a service: public data only. The functions of the SDK's client fit it; a test gives it lies.
 * Whatever comes back is checked, or shown before anything is signed.
 */
export type WalletReads = {
  getAddress(address: string, options?: { signal?: AbortSignal }): Promise<AddressReport>;
  /** Up to 99 addresses in a request or few; without it `getAddress` is asked for each. */
  getAddresses?(addresses: readonly string[], options?: { signal?: AbortSignal }): Promise<AddressReports>;
  /** Hash of the block of the best chain at a height. */
  getBlockHash?(height: number, options?: { signal?: AbortSignal }): Promise<string>;
  listUtxos(
    query: { address: string; cursor: string; limit: number },
    options?: { signal?: AbortSignal },
  ): Promise<{ items: readonly UtxoJson[]; next_cursor: string | null }>;
  /** The serialised transaction, hex. */
  getRawTransaction(txid: string, options?: { signal?: AbortSignal }): Promise<string>;
  /** Several, in their order, in a request or few; without it `getRawTransaction` is asked for each. */
  getRawTransactions?(
    txids: readonly string[],
    options?: { signal?: AbortSignal },
  ): Promise<readonly string[]>;
  getFees(options?: { signal?: AbortSignal }): Promise<FeeReportJson>;
  /** Sends a signed transaction, hex. */
  broadcast(rawTx: string, options?: { signal?: AbortSignal }): Promise<{ txid: string }>;
};

/** The reads by which transactions are fetched. */
export type TransactionReads = Pick<WalletReads, 'getRawTransaction' | 'getRawTransactions'>;
