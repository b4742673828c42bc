import type { ProofJson } from '@coinfront/api/proofs.ts';
import { getStatus } from '../chain/get-status.ts';
import type { Client } from '../client/client.ts';
import { getEsploraBlockHash } from '../esplora/get-esplora-block-hash.ts';
import { lookUpProof } from '../proofs/look-up-proof.ts';

/** Where the chain is read: best another service than the one that is checked, such as one beside your own node. */
export type ChainSource = {
  /** What the chain has of a digest, hex. */
  lookUpProof(sha256: string): Promise<Pick<ProofJson, 'primary'>>;
  /** Display hex. */
  getBlockHash(height: number): Promise<string>;
  getTipHeight(): Promise<number>;
};

/** A service of the coin as a source of its chain. */
export function chainSource(client: Client): ChainSource {
  return {
    lookUpProof: (sha256) => lookUpProof(client, { sha256 }),
    getBlockHash: (height) => getEsploraBlockHash(client, { height }),
    getTipHeight: async () => (await getStatus(client)).index.height,
  };
}

/**
 * The height of a source's tip.
 *
 * @throws TypeError where it tells none
 */
export async function readTipHeight(chain: ChainSource): Promise<number> {
  const tip = await chain.getTipHeight();
  if (!Number.isSafeInteger(tip)) throw new TypeError('The source of the chain tells no height.');
  return tip;
}
