import type { EsploraTxJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraAddressChainTxsAfterParams = { address: string; last_seen_txid: string };
export type GetEsploraAddressChainTxsAfterResult = EsploraTxJson[];
export type GetEsploraAddressChainTxsAfterError = CoinfrontError<ClientErrorCode>;

/**
 * 25 confirmed transactions older than one.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraAddressChainTxsAfterError}
 * @example
 * const answer = await getEsploraAddressChainTxsAfter(client, {
 *   address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
 *   last_seen_txid: 'f4184fc5…',
 * });
 */
export function getEsploraAddressChainTxsAfter(
  client: Client,
  params: GetEsploraAddressChainTxsAfterParams,
  options?: CallOptions,
): Promise<GetEsploraAddressChainTxsAfterResult> {
  return client.request(
    { method: 'GET', path: '/esplora/address/{address}/txs/chain/{last_seen_txid}', params },
    options,
  );
}
