import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendJson, sendResults, startFakeNode } from '../../../test/harness/fake-node.ts';
import { startNode, type TestNode } from '../../../test/harness/litecoind.ts';
import { type BlockSource, createBlockSource } from './block-source.ts';
import { isNodeError } from './node-error.ts';
import { type FetchedBlock, prefetchBlocks } from './prefetch-blocks.ts';
import { createNodeClient } from './rpc-client.ts';

const TIP = 1_003;

async function collect(
  source: BlockSource,
  options: Parameters<typeof prefetchBlocks>[1],
): Promise<FetchedBlock[]> {
  const blocks: FetchedBlock[] = [];
  for await (const block of prefetchBlocks(source, options)) blocks.push(block);
  return blocks;
}

describe.each(['rest', 'rpc'] as const)('blocks of a real node by %s', (transport) => {
  let node: TestNode;
  let source: BlockSource;

  beforeAll(async () => {
    node = await startNode(transport === 'rpc' ? { extraArgs: ['-rest=0'] } : {});
    await node.mine(TIP);
    source = createBlockSource(node.client);
  });
  afterAll(() => node.stop());

  test('are fetched that way', async () => {
    expect(await source.transport()).toBe(transport);
  });

  test("have the bytes of the node's own hex", async () => {
    const [hash] = await source.fetchHashes(7, 7);
    const bytes = await source.fetchBlock(hash!);
    expect(Buffer.from(bytes).toString('hex')).toBe(await node.rpc('getblock', hash, 0));
  });

  test('unknown to the node are an RPC error', async () => {
    const failure = await source.fetchBlock('00'.repeat(32)).catch((error: unknown) => error);
    expect(isNodeError(failure, 'rpc') && failure.rpcCode).toBe(-5);
  });

  test('above the tip have no hash', async () => {
    const failure = await source.fetchHashes(TIP, TIP + 1).catch((error: unknown) => error);
    expect(isNodeError(failure, 'rpc') && failure.rpcCode).toBe(-8);
  });

  test('have headers where REST gives them', async () => {
    const [hash] = await source.fetchHashes(1_000, 1_000);
    const headers = await source.findHeaders(hash!, 2_000);
    if (transport === 'rpc') expect(headers).toBeUndefined();
    else expect(headers).toHaveLength((TIP - 999) * 80);
  });

  test.each([1, 5, 16])('prefetched with a window of %i come all and in order', async (window) => {
    const blocks = await collect(source, { fromHeight: 0, toHeight: TIP, window });
    expect(blocks.map(({ height }) => height)).toEqual(
      Array.from({ length: TIP + 1 }, (_, height) => height),
    );
    const hashes = await source.fetchHashes(0, TIP);
    expect(blocks.map(({ hash }) => hash)).toEqual(hashes);
    // The previous hash in each block is the one yielded before.
    blocks.slice(1).forEach(({ bytes }, index) => {
      expect(Buffer.from(bytes.slice(4, 36)).reverse().toString('hex')).toBe(hashes[index]);
    });
  });

  test('prefetched beyond the tip fail', async () => {
    const blocks = collect(source, { fromHeight: 995, toHeight: TIP + 400 });
    await expect(blocks).rejects.toMatchObject({ kind: 'rpc', rpcCode: -8 });
  });

  test('prefetched are cancelled by leaving the loop and by the signal', async () => {
    for await (const { height } of prefetchBlocks(source, { fromHeight: 0, toHeight: TIP })) {
      if (height === 3) break;
    }
    const stopping = new AbortController();
    const loop = async () => {
      for await (const { height } of prefetchBlocks(source, {
        fromHeight: 0,
        toHeight: TIP,
        signal: stopping.signal,
      })) {
        if (height === 3) stopping.abort(new Error('enough'));
      }
    };
    await expect(loop()).rejects.toThrow('enough');
  });
});

describe('a prefetch', () => {
  /** A source whose blocks wait until they are let go. */
  function heldSource(size: number) {
    const waiting: Array<() => void> = [];
    let asked = 0;
    const source: BlockSource = {
      fetchBlock: () => {
        asked += 1;
        return new Promise((resolve) => waiting.push(() => resolve(new Uint8Array(size))));
      },
      fetchHashes: async (from, to) => Array.from({ length: to - from + 1 }, () => 'ab'.repeat(32)),
      findHeaders: async () => undefined,
      findSpentOutputs: async () => undefined,
      transport: async () => 'rest',
    };
    return {
      source,
      asked: () => asked,
      releaseAll() {
        for (const release of waiting.splice(0)) release();
      },
    };
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  test('asks for no more blocks than its window', async () => {
    const held = heldSource(10);
    const blocks = prefetchBlocks(held.source, { fromHeight: 0, toHeight: 99, window: 4 });
    const first = blocks.next();
    await turn();
    expect(held.asked()).toBe(4);
    held.releaseAll();
    await first;
    await turn();
    expect(held.asked()).toBe(4);
    await blocks.return();
  });

  test('holds no more bytes than allowed, counting a block under way as large as the last ones', async () => {
    const held = heldSource(100);
    const blocks = prefetchBlocks(held.source, {
      fromHeight: 0,
      toHeight: 99,
      window: 2,
      maxBytesInFlight: 150,
    });
    const first = blocks.next();
    await turn();
    held.releaseAll();
    await first;
    const second = blocks.next();
    await turn();
    // The second block is held still, so the third would be too much.
    expect(held.asked()).toBe(2);
    await second;
    const third = blocks.next();
    await turn();
    expect(held.asked()).toBe(3);
    held.releaseAll();
    expect((await third).value).toMatchObject({ height: 2 });
    await blocks.return();
  });

  test('asks for no hash of a single block that is named', async () => {
    const held = heldSource(1);
    const fetchHashes = () => Promise.reject(new Error('asked for hashes'));
    const source = { ...held.source, fetchHashes };
    const block = prefetchBlocks(source, { fromHeight: 7, toHeight: 7, lastHash: 'cd'.repeat(32) }).next();
    await turn();
    held.releaseAll();
    expect((await block).value).toMatchObject({ height: 7, hash: 'cd'.repeat(32) });
  });

  test('reports a failed block only after those before it', async () => {
    const source: BlockSource = {
      ...heldSource(1).source,
      fetchBlock: async (hash) => {
        if (hash === '02') throw new Error('lost');
        return new Uint8Array(1);
      },
      fetchHashes: async (from, to) =>
        Array.from({ length: to - from + 1 }, (_, index) => `0${from + index}`),
    };
    const heights: number[] = [];
    const loop = async () => {
      for await (const { height } of prefetchBlocks(source, { fromHeight: 0, toHeight: 9 }))
        heights.push(height);
    };
    await expect(loop()).rejects.toThrow('lost');
    expect(heights).toEqual([0, 1]);
  });

  test('of an empty range yields nothing', async () => {
    expect(await collect(heldSource(1).source, { fromHeight: 5, toHeight: 4 })).toEqual([]);
  });
});

describe('a block source', () => {
  const HASH = 'ab'.repeat(32);

  test('does not take a node that is starting for one without REST', async () => {
    const fake = await startFakeNode((response, request, count) => {
      if (request.path.startsWith('/rest/') && count === 1) {
        response.writeHead(503).end('Service temporarily unavailable: Loading block index...');
      } else if (request.path === '/rest/chaininfo.json') sendJson(response, 200, {});
      else response.end(Buffer.from('0102', 'hex'));
    });
    const client = createNodeClient({ url: fake.url });
    const source = createBlockSource(client);
    await expect(source.fetchBlock(HASH)).rejects.toMatchObject({ kind: 'warming_up' });
    expect(Buffer.from(await source.fetchBlock(HASH)).toString('hex')).toBe('0102');
    await client.close();
    await fake.stop();
  });

  test('goes on by RPC when REST ends', async () => {
    let servesRest = true;
    const fake = await startFakeNode((response, request) => {
      if (request.rpc !== undefined) sendResults(response, request, () => '0304');
      else if (!servesRest) response.writeHead(404).end();
      else response.end('{}');
    });
    const client = createNodeClient({ url: fake.url });
    const source = createBlockSource(client);
    expect(await source.transport()).toBe('rest');
    servesRest = false;
    expect(Buffer.from(await source.fetchBlock(HASH)).toString('hex')).toBe('0304');
    expect(await source.transport()).toBe('rpc');
    await client.close();
    await fake.stop();
  });

  test.each(['zz', 'abc', 'AB', 7, null])('refuses %j for the hex of a block', async (answer) => {
    const fake = await startFakeNode((response, request) => {
      if (request.rpc === undefined) response.writeHead(404).end();
      else sendResults(response, request, () => answer);
    });
    const client = createNodeClient({ url: fake.url });
    await expect(createBlockSource(client).fetchBlock(HASH)).rejects.toMatchObject({
      kind: 'invalid_answer',
    });
    await client.close();
    await fake.stop();
  });

  test('sends nothing but hashes to the node', async () => {
    const client = createNodeClient({ url: 'http://127.0.0.1:9' });
    await expect(createBlockSource(client).fetchBlock('../rpc')).rejects.toThrow(TypeError);
    await client.close();
  });
});

describe('what a block spends', () => {
  const hash = 'ab'.repeat(32);

  async function ask(times: number, answer: Parameters<typeof startFakeNode>[0], timeoutMs = 10_000) {
    let asked = 0;
    const node = await startFakeNode((response, request, count) => {
      if (request.path === '/rest/chaininfo.json') return sendJson(response, 200, {});
      expect(request.path).toBe(`/rest/spenttxouts/${hash}.bin`);
      asked++;
      answer(response, request, count);
    });
    const client = createNodeClient({ url: node.url, maxAnswerBytes: 100 });
    try {
      const source = createBlockSource(client);
      const found: (Uint8Array | undefined)[] = [];
      for (let i = 0; i < times; i++) found.push(await source.findSpentOutputs(hash, { timeoutMs }));
      return { asked, found };
    } finally {
      await client.close();
      await node.stop();
    }
  }

  test('is given as the node serves it', async () => {
    const { asked, found } = await ask(2, (response) => response.end(Uint8Array.of(1, 0)));
    expect(found.map((bytes) => [...bytes!])).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect(asked).toBe(2);
  });

  test.each<[string, Parameters<typeof startFakeNode>[0]]>([
    ['does not have it', (response) => response.writeHead(404).end()],
    ['answers with too much', (response) => response.end(new Uint8Array(101))],
  ])('is asked once of a node that %s', async (_, answer) => {
    expect(await ask(3, answer)).toEqual({ asked: 1, found: [undefined, undefined, undefined] });
  });

  test('is asked once of a node that does not answer in time', async () => {
    expect(await ask(3, () => {}, 50)).toEqual({ asked: 1, found: [undefined, undefined, undefined] });
  });

  test('is asked again of a node that is busy', async () => {
    const { asked, found } = await ask(2, (response, _, count) =>
      count <= 2 ? response.writeHead(503).end() : response.end(Uint8Array.of(1, 0)),
    );
    expect(found.map((bytes) => bytes?.length)).toEqual([undefined, 2]);
    expect(asked).toBe(2);
  });
});
