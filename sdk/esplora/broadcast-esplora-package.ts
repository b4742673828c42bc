import type { EsploraPackageAnswerJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type BroadcastEsploraPackageParams = {
  raw_txs: readonly string[];
  maxfeerate?: string;
  maxburnamount?: string;
};
export type BroadcastEsploraPackageResult = EsploraPackageAnswerJson;
export type BroadcastEsploraPackageError = CoinfrontError<ClientErrorCode>;

/**
 * Submit a package of signed transactions: parents and the child that pays for them.
 *
 * The answer is the node's own. Errors are plain text, so their code is `http_error`.
 *
 * @throws {BroadcastEsploraPackageError}
 * @example
 * const answer = await broadcastEsploraPackage(client, { raw_txs: ['02000000…', '02000000…'] });
 */
export function broadcastEsploraPackage(
  client: Client,
  { raw_txs, maxfeerate, maxburnamount }: BroadcastEsploraPackageParams,
  options?: CallOptions,
): Promise<BroadcastEsploraPackageResult> {
  return client.request(
    { method: 'POST', path: '/esplora/txs/package', params: { maxfeerate, maxburnamount }, body: raw_txs },
    options,
  );
}
