import { type FakeNode, sendJson, sendResults, startFakeNode } from './fake-node.ts';

const TIP_HEIGHT = 500;

/** A node that is well and follows a chain that is none of ours, down to its genesis block. */
export function startOtherChain(): Promise<FakeNode> {
  return startFakeNode((response, request) => {
    if (request.rpc === undefined) {
      sendJson(response, 404, {});
      return;
    }
    const answer = () => sendResults(response, request, answerAsOtherChain);
    // A long poll is held for a while, as nodes do.
    const isLongPoll = JSON.stringify(request.rpc).includes('waitfornewblock');
    if (isLongPoll) setTimeout(answer, 1_000);
    else answer();
  });
}

function answerAsOtherChain(method: string, params: unknown[]): unknown {
  switch (method) {
    case 'getblockchaininfo':
      return { chain: 'other', blocks: TIP_HEIGHT, headers: TIP_HEIGHT, pruned: false };
    case 'getnetworkinfo':
      return { version: 210_200, subversion: '/Other:1.0/', connections: 3, relayfee: 0.5, warnings: '' };
    case 'getblockhash':
      return hashAt(Number(params[0]));
    case 'getbestblockhash':
      return hashAt(TIP_HEIGHT);
    case 'getblockheader':
      return { height: TIP_HEIGHT };
    case 'getmempoolinfo':
      return { mempoolminfee: 0.5, minrelaytxfee: 0.5 };
    case 'estimatesmartfee':
      return { feerate: 0.5 };
    case 'getrawmempool':
    case 'getchaintips':
      return [];
    default:
      return null;
  }
}

function hashAt(height: number): string {
  return (height + 1).toString(16).padStart(64, 'd');
}
