import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type BroadcastEsploraTxParams = { raw_tx: string };
export type BroadcastEsploraTxResult = string;
export type BroadcastEsploraTxError = CoinfrontError<ClientErrorCode>;

/**
 * Submit a signed transaction.
 *
 * Submit a signed transaction, as Blockstream's Esplora answers it. Errors are plain text.
 *
 * @throws {BroadcastEsploraTxError}
 * @example
 * const text = await broadcastEsploraTx(client, { raw_tx: '02000000…' });
 */
export function broadcastEsploraTx(
  client: Client,
  params: BroadcastEsploraTxParams,
  options?: CallOptions,
): Promise<BroadcastEsploraTxResult> {
  return client.request(
    { method: 'POST', path: '/esplora/tx', body: params.raw_tx, answer: 'text' },
    options,
  );
}
