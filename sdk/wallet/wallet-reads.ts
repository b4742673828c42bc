import type { AddressTotalsJson, UtxoJson } from '@coinfront/api/chain-addresses.ts';
import type { FeeReportJson } from '@coinfront/api/chain-state.ts';

/** What a wallet asks about one address. */
export type AddressReport = {
  confirmed: AddressTotalsJson;
  mempool: AddressTotalsJson;
  utxos: { items: readonly UtxoJson[]; next_cursor: string | null };
};

/**
 * What the wallet asks of a service: public data only. The functions of the SDK's client fit it; a test gives it lies.
 * Whatever comes back is checked, or shown before anything is signed.
 */
export type WalletReads = {
  getAddress(address: string, options?: { signal?: AbortSignal }): Promise<AddressReport>;
  listUtxos(
    query: { address: string; cursor: string; limit: number },
    options?: { signal?: AbortSignal },
  ): Promise<{ items: readonly UtxoJson[]; next_cursor: string | null }>;
  /** The serialised transaction, hex. */
  getRawTransaction(txid: string, options?: { signal?: AbortSignal }): Promise<string>;
  getFees(options?: { signal?: AbortSignal }): Promise<FeeReportJson>;
  /** Sends a signed transaction, hex. */
  broadcast(rawTx: string, options?: { signal?: AbortSignal }): Promise<{ txid: string }>;
};
