import type { Client } from '../client/client.ts';
import { getEsploraBlockHash } from '../esplora/get-esplora-block-hash.ts';
import { getEsploraBlockHeader } from '../esplora/get-esplora-block-header.ts';

/** Headers of one call at most: each takes two requests. */
const MAX_HEADERS = 200;

/**
 * Headers of the blocks after a height, for {@link verifyProof}. They prove work for whoever checks it; that no heavier
 * chain exists they do not.
 *
 * @param afterHeight - of the proof's block
 * @example
 * const headers = await fetchHeaders(client, { afterHeight: proof.primary.height, count: 5 });
 */
export async function fetchHeaders(
  client: Client,
  { afterHeight, count }: { afterHeight: number; count: number },
): Promise<string[]> {
  const headers: string[] = [];
  for (let i = 1; i <= Math.min(count, MAX_HEADERS); i += 1) {
    const hash = await getEsploraBlockHash(client, { height: afterHeight + i });
    headers.push(await getEsploraBlockHeader(client, { hash }));
  }
  return headers;
}
