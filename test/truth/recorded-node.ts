import { readFileSync } from 'node:fs';
import { type FakeNode, startFakeNode } from '../harness/fake-node.ts';

/** Where a chain is recorded: the JSON text of each answer by method and parameters. */
export const recordedChainFile = new URL('merged-mining.json', import.meta.url);

/** What a node at rest says that was not recorded. */
const STILL: Readonly<Record<string, string>> = {
  getrawmempool: '[]',
  estimatesmartfee: '{"errors":["Insufficient data or no feerate found"],"blocks":2}',
};
const LONG_POLL_MS = 1_000;

type Call = { id: number; method: string; params: unknown[] };

/** A stand-in that answers what a real node answered when it was recorded, byte for byte, and nothing else. */
export function startRecordedNode(): Promise<FakeNode> {
  const answers = JSON.parse(readFileSync(recordedChainFile, 'utf8')) as Record<string, string>;
  const answer = ({ id, method, params }: Call): string => {
    const result = answers[JSON.stringify([method, ...params])] ?? STILL[method];
    return result === undefined
      ? `{"result":null,"error":{"code":-32601,"message":"not recorded: ${method}"},"id":${id}}`
      : `{"result":${result},"error":null,"id":${id}}`;
  };
  return startFakeNode((response, { rpc }) => {
    const calls = (Array.isArray(rpc) ? rpc : [rpc]) as Call[];
    const send = (status: number, body: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    if (rpc === undefined) send(404, '');
    else if (calls[0]!.method === 'waitfornewblock') {
      setTimeout(() => send(200, `{"result":{},"error":null,"id":${calls[0]!.id}}`), LONG_POLL_MS);
    } else send(200, Array.isArray(rpc) ? `[${calls.map(answer).join()}]` : answer(calls[0]!));
  });
}
