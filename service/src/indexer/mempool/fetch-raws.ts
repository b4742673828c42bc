import { parseHex } from '@coinfront/protocol/bytes.ts';
import type { NodeClient } from '../../node/rpc-client.ts';

/**
 * Raw transactions by display txid; without those that were mined, replaced or evicted meanwhile. A node with `-txindex` also
 * gives those of its chain.
 *
 * @throws NodeError
 */
export async function fetchRaws(
  node: NodeClient,
  txids: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const answers = await node.batch(txids.map((txid) => ({ method: 'getrawtransaction', params: [txid] })));
  const raws = new Map<string, Uint8Array>();
  for (const [i, answer] of answers.entries()) {
    const bytes = answer.ok && typeof answer.value === 'string' ? parseHex(answer.value) : undefined;
    if (bytes?.ok) raws.set(txids[i]!, bytes.value);
  }
  return raws;
}
