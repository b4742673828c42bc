import type { EsploraTxParams } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraTxMerkleBlockProofParams = ParamsOf<typeof EsploraTxParams>;
export type GetEsploraTxMerkleBlockProofResult = string;
export type GetEsploraTxMerkleBlockProofError = CoinfrontError<ClientErrorCode>;

/**
 * Merkle proof of a transaction as a BIP-37 merkleblock in hex.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraTxMerkleBlockProofError}
 * @example
 * const text = await getEsploraTxMerkleBlockProof(client, { txid: 'f4184fc5…' });
 */
export function getEsploraTxMerkleBlockProof(
  client: Client,
  params: GetEsploraTxMerkleBlockProofParams,
  options?: CallOptions,
): Promise<GetEsploraTxMerkleBlockProofResult> {
  return client.request(
    { method: 'GET', path: '/esplora/tx/{txid}/merkleblock-proof', params, answer: 'text' },
    options,
  );
}
