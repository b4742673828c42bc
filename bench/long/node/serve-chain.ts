import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openBlockLog } from '../chain/block-log.ts';
import { SPENT_FOLDER } from '../chain/ensure-chain.ts';
import { createRemadeBlocks } from './remade-blocks.ts';
import { createCallAnswers, readHeaders } from './rpc-answers.ts';
import { createServedChain } from './served-chain.ts';
import { createServedMempool } from './served-mempool.ts';
import type { NodeMessage, NodeStart, Shown } from './start-node.ts';

// The stand-in of a node, in a process of its own (see start-node.ts): raw blocks by REST, a few calls by RPC.
const { dir, tip, branch, mix, seed, spentOutputs } = JSON.parse(process.argv[2]!) as NodeStart;
const branchLog = branch ? openBlockLog(branch.dir, branch.firstHeight) : undefined;
const remake = createRemadeBlocks(mix, seed);
const spent = spentOutputs ? openBlockLog(join(dir, SPENT_FOLDER), 0) : undefined;
const chain = createServedChain(openBlockLog(dir, 0), { branch: branchLog, spent, tip, remake });
const mempool = createServedMempool(chain);
const answerCall = createCallAnswers(chain, mempool);
const waiting = new Set<() => void>();

const REST_BLOCK = /^\/rest\/block\/([0-9a-f]{64})\.bin$/;
const REST_SPENT = /^\/rest\/spenttxouts\/([0-9a-f]{64})\.bin$/;
const REST_HEADERS = /^\/rest\/headers\/(\d+)\/([0-9a-f]{64})\.bin$/;

type Call = { id: unknown; method: string; params?: unknown[] };

const server = createServer((request, response) => {
  if (request.method === 'GET') answerRest(request.url ?? '', response);
  else void answerRpc(request, response);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send!({ url: `http://bench:bench@127.0.0.1:${port}` } satisfies NodeMessage);
});
process.on('message', ({ height, onBranch = false, waitingBlocks = 0 }: Shown) => {
  chain.showTip(height, onBranch);
  mempool.hold(height, waitingBlocks);
  for (const wake of [...waiting]) wake();
  process.send!({ waitingTxs: mempool.size() } satisfies NodeMessage);
});
process.on('disconnect', () => process.exit());

function answerRest(path: string, response: ServerResponse): void {
  const block = REST_BLOCK.exec(path);
  const spends = REST_SPENT.exec(path);
  const headers = REST_HEADERS.exec(path);
  if (block) sendBytes(response, chain.read(block[1]!));
  else if (headers) sendBytes(response, readHeaders(chain, headers[2]!, Number(headers[1])));
  else if (path === '/rest/chaininfo.json') sendJson(response, answerCall('getblockchaininfo', []));
  else if (spends) sendBytes(response, chain.readSpent(spends[1]!));
  else response.writeHead(404).end();
}

async function answerRpc(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
  const answers = Array.isArray(body) ? body.map(answerOne) : await answerHeld(body);
  sendJson(response, answers);
}

/** A long poll is answered when the tip changes. */
async function answerHeld(call: Call) {
  if (call.method !== 'waitfornewblock') return answerOne(call);
  await new Promise<void>((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      waiting.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, Number(call.params?.[0] ?? 0) || 60_000);
    waiting.add(wake);
  });
  const height = chain.tipHeight();
  return { result: { hash: chain.hashAt(height), height }, error: null, id: call.id };
}

function answerOne({ id, method, params = [] }: Call) {
  try {
    return { result: answerCall(method, params), error: null, id };
  } catch (error) {
    return { result: null, error, id };
  }
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendBytes(response: ServerResponse, bytes: Buffer | undefined): void {
  if (!bytes) response.writeHead(404).end();
  else {
    response
      .writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length })
      .end(bytes);
  }
}
