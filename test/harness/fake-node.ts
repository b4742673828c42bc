import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A server that answers as a node would, or as none should; for faults that a real node cannot be made to show. */
export type FakeNode = {
  /** With user and password, as a node's URL has them. */
  readonly url: string;
  readonly origin: string;
  /** Requests that came so far. */
  count(): number;
  stop(): Promise<void>;
};

/** What came in: `rpc` is the parsed body of a POST, undefined for a GET. */
export type FakeRequest = {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly rpc: unknown;
};

/** Starts the server; `answer` is called for each whole request. */
export async function startFakeNode(
  answer: (response: ServerResponse, request: FakeRequest, count: number) => void,
): Promise<FakeNode> {
  let count = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    count += 1;
    const rpc = body === '' ? undefined : JSON.parse(body);
    answer(response, { path: request.url ?? '', headers: request.headers, rpc }, count);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port.');
  return {
    url: `http://someone:secret@127.0.0.1:${address.port}`,
    origin: `http://127.0.0.1:${address.port}`,
    count: () => count,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Sends a JSON body. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Answers one call, or each call of a batch, with what `result` gives for its method. */
export function sendResults(
  response: ServerResponse,
  request: FakeRequest,
  result: (method: string, params: unknown[]) => unknown,
): void {
  const one = ({ id, method, params }: { id: number; method: string; params: unknown[] }) => ({
    result: result(method, params),
    error: null,
    id,
  });
  const { rpc } = request;
  sendJson(response, 200, Array.isArray(rpc) ? rpc.map(one) : one(rpc as Parameters<typeof one>[0]));
}
