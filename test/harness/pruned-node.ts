import { NodeError } from '../../service/src/node/node-error.ts';
import { type FakeNode, type FakeRequest, sendJson, startFakeNode } from './fake-node.ts';
import type { TestNode } from './litecoind.ts';

type Call = { id: number; method: string; params: unknown[] };
type Answer = { id: number; result: unknown; error: { code: number; message: string } | null };

/**
 * The node as it would be after pruning: blocks below `pruneHeight` are gone, everything else is its own answer. Core
 * prunes whole files of 128 MB only, more than a test can fill.
 */
export function startPrunedNode(node: TestNode, pruneHeight: number): Promise<FakeNode> {
  const isGone = async (hash: string): Promise<boolean> =>
    (await node.rpc<{ height: number }>('getblockheader', hash)).height < pruneHeight;

  async function answer({ id, method, params }: Call): Promise<Answer> {
    try {
      if (method === 'getblock' && (await isGone(String(params[0])))) {
        return { id, result: null, error: { code: -1, message: 'Block not available (pruned data)' } };
      }
      const longPoll = method === 'waitfornewblock';
      const result = await node.client.call<object>(method, params, { longPoll });
      if (method !== 'getblockchaininfo') return { id, result, error: null };
      return { id, result: { ...result, pruned: true, pruneheight: pruneHeight }, error: null };
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      return { id, result: null, error: { code: error.rpcCode ?? -1, message: error.message } };
    }
  }

  async function answerRest(path: string): Promise<{ status: number; body: Uint8Array }> {
    const hash = /^\/rest\/block\/([0-9a-f]{64})\.bin$/.exec(path)?.[1];
    if (hash !== undefined && (await isGone(hash))) {
      return { status: 404, body: Buffer.from(`${hash} not available (pruned data)\r\n`) };
    }
    return await node.client.get(path);
  }

  return startFakeNode((response, { path, rpc }: FakeRequest) => {
    const sent = (async () => {
      if (rpc === undefined) {
        const { status, body } = await answerRest(path);
        response.writeHead(status, { 'content-length': body.length }).end(body);
      } else if (Array.isArray(rpc)) {
        sendJson(response, 200, await Promise.all(rpc.map((call) => answer(call as Call))));
      } else sendJson(response, 200, await answer(rpc as Call));
    })();
    sent.catch(() => response.destroy());
  });
}
