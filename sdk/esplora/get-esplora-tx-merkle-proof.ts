import type { EsploraMerkleProof, EsploraTxParams } from '@coinfront/api/esplora.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraTxMerkleProofParams = ParamsOf<typeof EsploraTxParams>;
export type GetEsploraTxMerkleProofResult = Static<typeof EsploraMerkleProof>;
export type GetEsploraTxMerkleProofError = CoinfrontError<ClientErrorCode>;

/**
 * Merkle proof of a transaction.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraTxMerkleProofError}
 * @example
 * const esploraTxMerkleProof = await getEsploraTxMerkleProof(client, { txid: 'f4184fc5…' });
 */
export function getEsploraTxMerkleProof(
  client: Client,
  params: GetEsploraTxMerkleProofParams,
  options?: CallOptions,
): Promise<GetEsploraTxMerkleProofResult> {
  return client.request({ method: 'GET', path: '/esplora/tx/{txid}/merkle-proof', params }, options);
}
