import { NodeError } from './node-error.ts';
import type { NodeClient } from './rpc-client.ts';

type ChainInfo = { blocks?: unknown; headers?: unknown; initialblockdownload?: unknown };
type ChainTip = { height: number; status: string };

/**
 * Whether the node knows of blocks above its tip that it has yet to fetch or check: what the network has mined is then
 * not all in its chain.
 *
 * @throws NodeError
 */
export async function isCatchingUp(node: NodeClient): Promise<boolean> {
  const { blocks, headers, initialblockdownload } = await node.call<ChainInfo>('getblockchaininfo');
  if (initialblockdownload === true) return true;
  if (typeof blocks !== 'number' || typeof headers !== 'number' || headers <= blocks) return false;
  // More headers may also be a branch that the node was told, or found, to be invalid: nothing to wait for.
  const tips = await node.call<unknown>('getchaintips');
  if (!Array.isArray(tips))
    throw new NodeError('invalid_answer', `The node at ${node.origin} gave no list of chain tips.`);
  return (tips as ChainTip[]).some(
    ({ height, status }) => height > blocks && (status === 'headers-only' || status === 'valid-headers'),
  );
}
