import { broadcast } from '../chain/broadcast.ts';
import { getAddress } from '../chain/get-address.ts';
import { getFees } from '../chain/get-fees.ts';
import { getRawTransaction } from '../chain/get-raw-transaction.ts';
import { listUtxos } from '../chain/list-utxos.ts';
import type { Client } from '../client/client.ts';
import type { WalletReads } from './wallet-reads.ts';

/**
 * The reads of a wallet from a service.
 *
 * @example
 * const scan = await scanAccounts(watch, clientReads(client));
 */
export function clientReads(client: Client): WalletReads {
  return {
    getAddress: (address, options) => getAddress(client, { address }, options),
    listUtxos: (query, options) => listUtxos(client, query, options),
    getRawTransaction: async (txid, options) => (await getRawTransaction(client, { txid }, options)).raw_tx,
    getFees: (options) => getFees(client, options),
    broadcast: (rawTx, options) => broadcast(client, { raw_tx: rawTx }, options),
  };
}
