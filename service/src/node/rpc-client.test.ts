import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type FakeNode, sendJson, sendResults, startFakeNode } from '../../../test/harness/fake-node.ts';
import { isMethodRefused, isTransient, NodeError } from './node-error.ts';
import { createNodeClient, type NodeClient } from './rpc-client.ts';

const closing: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function fake(...args: Parameters<typeof startFakeNode>): Promise<FakeNode> {
  const node = await startFakeNode(...args);
  closing.push(node.stop);
  return node;
}

function clientOf(options: Parameters<typeof createNodeClient>[0]): NodeClient {
  const client = createNodeClient(options);
  closing.push(client.close);
  return client;
}

async function failureOf(promise: Promise<unknown>): Promise<NodeError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(NodeError);
  return error as NodeError;
}

describe('an answer', () => {
  test('gives its result, with the user and password of the URL sent', async () => {
    const node = await fake((response, request) => {
      sendResults(response, request, (method, params) => [method, params, request.headers.authorization]);
    });
    const answer = await clientOf({ url: node.url }).call('echo', [1, 'two']);
    expect(answer).toEqual(['echo', [1, 'two'], `Basic ${btoa('someone:secret')}`]);
  });

  test('of callText keeps the digits of every number', async () => {
    const node = await fake((response) => {
      response.end(
        '{"result":{"fee":0.00000010,"big":12345678901234567890,"in":[1e-8]},"error":null,"id":1}',
      );
    });
    const answer = await clientOf({ url: node.url }).callText('estimate');
    expect(answer).toEqual({ fee: '0.00000010', big: '12345678901234567890', in: ['1e-8'] });
  });

  test('that is null is a result', async () => {
    const node = await fake((response, request) => sendResults(response, request, () => null));
    expect(await clientOf({ url: node.url }).call('setnetworkactive', [true])).toBeNull();
  });
});

describe('a batch', () => {
  test('of more calls than one request holds is answered in order, with errors as values', async () => {
    const node = await fake((response, { rpc }) => {
      const answers = (rpc as Array<{ id: number; params: number[] }>).map(({ id, params }) =>
        params[0] === 7
          ? { result: null, error: { code: -8, message: 'out of range' }, id }
          : { result: params[0], error: null, id },
      );
      sendJson(response, 200, answers);
    });
    const calls = Array.from({ length: 1201 }, (_, index) => ({ method: 'echo', params: [index] }));
    const answers = await clientOf({ url: node.url }).batch(calls);
    expect(node.count()).toBe(3);
    answers.forEach((answer, index) => {
      if (index === 7) expect(answer).toMatchObject({ ok: false, error: { kind: 'rpc', rpcCode: -8 } });
      else expect(answer).toEqual({ ok: true, value: index });
    });
  });

  test.each([
    ['too few answers', []],
    [
      'answers in another order',
      [
        { result: 1, error: null, id: 2 },
        { result: 1, error: null, id: 1 },
      ],
    ],
    ['an object', { result: [], error: null, id: null }],
  ])('with %s is invalid', async (_, body) => {
    const node = await fake((response) => sendJson(response, 200, body));
    const failure = await failureOf(clientOf({ url: node.url }).batch([{ method: 'a' }, { method: 'b' }]));
    expect(failure.kind).toBe('invalid_answer');
  });

  test('of no calls asks nothing', async () => {
    const node = await fake((response) => sendJson(response, 500, null));
    expect(await clientOf({ url: node.url }).batch([])).toEqual([]);
    expect(node.count()).toBe(0);
  });
});

describe("the node's own errors", () => {
  test('a request that a stopping node drops was not answered oddly', async () => {
    const node = await fake((response) => response.writeHead(500).end('Unhandled request'));
    expect((await failureOf(clientOf({ url: node.url }).call('getthing'))).kind).toBe('unreachable');
  });

  test('an empty 404 is a node that stops or starts, and not an odd one', async () => {
    const node = await fake((response) => response.writeHead(404).end());
    expect((await failureOf(clientOf({ url: node.url }).call('getthing'))).kind).toBe('unreachable');
  });

  test.each([
    [500, { code: -5, message: 'No such thing' }, 'rpc', -5],
    [404, { code: -32601, message: 'Method not found' }, 'rpc', -32601],
    [500, { code: -28, message: 'Loading block index...' }, 'warming_up', undefined],
    [200, { code: 'x' }, 'invalid_answer', undefined],
  ])('HTTP %i with %o is %s', async (status, error, kind, rpcCode) => {
    const node = await fake((response) => sendJson(response, status, { result: null, error, id: 1 }));
    const failure = await failureOf(clientOf({ url: node.url }).call('getthing'));
    expect(failure).toMatchObject({ kind, rpcCode });
    expect(isMethodRefused(failure)).toBe(rpcCode === -32601);
    expect(isTransient(failure)).toBe(kind === 'warming_up');
  });

  test.each([
    [401, 'unauthorized', false],
    [403, 'forbidden', true],
  ])('HTTP %i is %s, and the message has no password', async (status, kind, isOfMethod) => {
    const node = await fake((response) => response.writeHead(status).end());
    const failure = await failureOf(clientOf({ url: node.url }).call('getthing'));
    expect(failure.kind).toBe(kind);
    expect(failure.message).not.toContain('secret');
    expect(isMethodRefused(failure)).toBe(isOfMethod);
  });
});

describe('a full work queue', () => {
  test('is asked again until it has room', async () => {
    const node = await fake((response, request, count) => {
      if (count < 3) response.writeHead(count === 1 ? 500 : 503).end('Work queue depth exceeded');
      else sendResults(response, request, () => 'done');
    });
    expect(await clientOf({ url: node.url }).call('getthing')).toBe('done');
  });

  test('that stays full is busy', async () => {
    const node = await fake((response) => response.writeHead(503).end('Work queue depth exceeded'));
    const failure = await failureOf(
      clientOf({ url: node.url, timeoutMs: 3_000 }).get('/rest/chaininfo.json'),
    );
    expect(failure.kind).toBe('busy');
    expect(node.count()).toBeLessThan(10);
  });
});

describe('what is no answer', () => {
  test.each([
    ['HTML', '<html>Bad gateway</html>'],
    ['cut JSON', '{"result": 1, "err'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
    ['nothing', ''],
    ['a number', '7'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['the id of another call', '{"result":1,"error":null,"id":99}'],
  ])('%s is invalid', async (_, body) => {
    const node = await fake((response) => response.end(body));
    const failure = await failureOf(clientOf({ url: node.url }).call('getthing'));
    expect(failure.kind).toBe('invalid_answer');
  });

  test.each(['with', 'without'])('one too long is cut off, %s its length told', async (told) => {
    const node = await fake((response) => {
      if (told === 'with') response.setHeader('content-length', 5_000_000);
      response.on('error', () => {});
      response.end(Buffer.alloc(5_000_000, 'x'));
    });
    const failure = await failureOf(clientOf({ url: node.url, maxAnswerBytes: 1_000_000 }).call('getthing'));
    expect(failure.kind).toBe('invalid_answer');
    expect(failure.message).toContain('1000000 bytes');
  });

  test('something that does not speak HTTP is invalid', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write('500 command not understood\r\n'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(async () => server.close());
    const { port } = server.address() as { port: number };
    const failure = await failureOf(clientOf({ url: `http://a:b@127.0.0.1:${port}` }).call('getthing'));
    expect(failure.kind).toBe('invalid_answer');
  });
});

describe('a connection', () => {
  test('refused is unreachable', async () => {
    const client = clientOf({ url: 'http://a:b@127.0.0.1:1' });
    const failure = await failureOf(client.call('getthing'));
    expect(failure.kind).toBe('unreachable');
    expect(isTransient(failure)).toBe(true);
  });

  test('that breaks within the answer is unreachable', async () => {
    const node = await fake((response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"result":');
      response.socket?.destroySoon();
    });
    expect((await failureOf(clientOf({ url: node.url }).call('getthing'))).kind).toBe('unreachable');
  });

  test('closed by the node after each answer is opened again', async () => {
    const node = await fake((response, request) => {
      response.setHeader('connection', 'close');
      sendResults(response, request, () => 1);
    });
    const client = clientOf({ url: node.url, maxConnections: 1 });
    for (let call = 0; call < 5; call += 1) expect(await client.call('getthing')).toBe(1);
  });
});

describe('time', () => {
  test('is up for an answer that does not come', async () => {
    const node = await fake(() => {});
    expect((await failureOf(clientOf({ url: node.url, timeoutMs: 50 }).call('getthing'))).kind).toBe(
      'timeout',
    );
  });

  test('is up for an answer that trickles', async () => {
    const node = await fake((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
    });
    const failure = await failureOf(clientOf({ url: node.url }).call('getthing', [], { timeoutMs: 100 }));
    expect(failure.kind).toBe('timeout');
  });

  test('is up for a call that waits for a free connection, and the connection serves the next one', async () => {
    let release = () => {};
    const first = Promise.withResolvers<void>();
    const node = await fake((response, request, count) => {
      const answer = () => sendResults(response, request, () => count);
      if (count > 1) return answer();
      release = answer;
      first.resolve();
    });
    const client = clientOf({ url: node.url, maxConnections: 1 });
    const held = client.call('first');
    await first.promise;
    expect((await failureOf(client.call('second', [], { timeoutMs: 50 }))).kind).toBe('timeout');
    release();
    expect(await held).toBe(1);
    expect(await client.call('third')).toBe(2);
  });

  test('is given back when the caller aborts', async () => {
    const node = await fake(() => {});
    const client = clientOf({ url: node.url });
    const stopping = new AbortController();
    const held = client.call('getthing', [], { signal: stopping.signal });
    stopping.abort(new Error('enough'));
    await expect(held).rejects.toThrow('enough');
    await expect(client.call('getthing', [], { signal: stopping.signal })).rejects.toThrow('enough');
  });

  test('of a long poll does not hold up other calls', async () => {
    const node = await fake((response, request) => {
      if ((request.rpc as { method: string }).method !== 'wait')
        sendResults(response, request, () => 'quick');
    });
    const client = clientOf({ url: node.url, maxConnections: 1 });
    const held = client.call('wait', [], { longPoll: true });
    expect(await client.call('getthing')).toBe('quick');
    const failure = failureOf(held);
    await client.close();
    expect((await failure).kind).toBe('unreachable');
  });
});

describe('a cookie file', () => {
  async function cookieFile(content: string): Promise<string> {
    const dir = await mkdtemp(join(tmpdir(), 'coinfront-cookie-'));
    closing.push(() => rm(dir, { recursive: true }));
    await writeFile(join(dir, '.cookie'), content);
    return join(dir, '.cookie');
  }

  test('that the restarted node wrote anew is read again', async () => {
    let valid = '__cookie__:one';
    const node = await fake((response, request) => {
      if (request.headers.authorization !== `Basic ${btoa(valid)}`) response.writeHead(401).end();
      else sendResults(response, request, () => valid);
    });
    const file = await cookieFile(`${valid}\n`);
    const client = clientOf({ url: node.origin, cookieFile: file });
    expect(await client.call('getthing')).toBe(valid);
    valid = '__cookie__:two';
    await writeFile(file, valid);
    expect(await client.call('getthing')).toBe(valid);
  });

  test('that is no longer valid is tried once', async () => {
    const node = await fake((response) => response.writeHead(401).end());
    const client = clientOf({ url: node.origin, cookieFile: await cookieFile('a:b') });
    expect((await failureOf(client.call('getthing'))).kind).toBe('unauthorized');
    expect(node.count()).toBe(1);
  });

  test('that is not there means that the node does not run', async () => {
    const node = await fake((response) => response.end());
    const client = clientOf({ url: node.origin, cookieFile: '/nowhere/.cookie' });
    expect((await failureOf(client.call('getthing'))).kind).toBe('unreachable');
  });
});

test.each(['', 'localhost:8332', 'ftp://a:secret@b', 'http://'])('%j is no node URL', (url) => {
  expect(() => createNodeClient({ url })).toThrow(/must look like http/);
});
