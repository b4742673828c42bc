import { readFields, readFieldsOfEach } from './read-answer.ts';
import type { NodeClient } from './rpc-client.ts';

/**
 * Whether the node knows of blocks above its tip that it has yet to fetch or check: what the network has mined is then
 * not all in its chain.
 *
 * @throws NodeError
 */
export async function isCatchingUp(node: NodeClient): Promise<boolean> {
  const info = await node.call<unknown>('getblockchaininfo');
  const { blocks, headers, initialblockdownload } = readFields(node, 'description of its chain', info);
  if (initialblockdownload === true) return true;
  if (typeof blocks !== 'number' || typeof headers !== 'number' || headers <= blocks) return false;
  // More headers may also be a branch that the node was told, or found, to be invalid: nothing to wait for.
  const tips = readFieldsOfEach(node, 'list of chain tips', await node.call<unknown>('getchaintips'));
  return tips.some(
    ({ height, status }) =>
      Number(height) > blocks && (status === 'headers-only' || status === 'valid-headers'),
  );
}
