import { broadcast } from '../chain/broadcast.ts';
import { getAddress } from '../chain/get-address.ts';
import { getBlock } from '../chain/get-block.ts';
import { getFees } from '../chain/get-fees.ts';
import { getRawTransaction } from '../chain/get-raw-transaction.ts';
import { listUtxos } from '../chain/list-utxos.ts';
import type { Client } from '../client/client.ts';
import { readAddresses } from './read-addresses.ts';
import { readTogether } from './read-together.ts';
import { waitForBudget } from './wait-for-budget.ts';
import type { WalletReads } from './wallet-reads.ts';

/**
 * The reads of a wallet from a service, many in a request where it takes that; they wait where it limits how much one client may ask for.
 *
 * @example
 * const scan = await scanAccounts(watch, clientReads(client));
 */
export function clientReads(client: Client): WalletReads {
  return {
    getAddress: (address, options) =>
      waitForBudget(() => getAddress(client, { address }, options), options?.signal),
    getAddresses: (addresses, options) => readAddresses(client, addresses, options),
    getBlockHash: async (height, options) =>
      (await waitForBudget(() => getBlock(client, { id: height, limit: 1 }, options), options?.signal)).hash,
    listUtxos: (query, options) => waitForBudget(() => listUtxos(client, query, options), options?.signal),
    getRawTransaction: async (txid, options) =>
      (await waitForBudget(() => getRawTransaction(client, { txid }, options), options?.signal)).raw_tx,
    getRawTransactions: async (txids, options) => {
      const reads = txids.map((txid) => (each: Client) => getRawTransaction(each, { txid }));
      return (await readTogether(client, reads, options)).map(({ raw_tx }) => raw_tx);
    },
    getFees: (options) => waitForBudget(() => getFees(client, options), options?.signal),
    broadcast: (rawTx, options) =>
      waitForBudget(() => broadcast(client, { raw_tx: rawTx }, options), options?.signal),
  };
}
