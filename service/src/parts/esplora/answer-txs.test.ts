import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { txidOf } from '@coinfront/protocol/transaction.ts';
import { afterEach, expect, test } from 'vitest';
import type { ReadChain } from '../../chain/chain-reads.ts';
import { maxLargeAnswers } from '../../http/answer-places.ts';
import { makeTx } from '../../testing/fixture-chain.ts';
import {
  addressOf,
  createFixtureServer,
  type FixtureOverrides,
  fixtureProfile,
  makeFixtureChain,
  miner,
  scriptOf,
} from '../../testing/fixture-server.ts';
import { readFixture } from '../../testing/fixture-view.ts';
import { readTxParts, serialiseTx } from './serialise.ts';
import { writeTx } from './write-tx.ts';

const heavy = 0xcc;
const path = `/esplora/address/${addressOf(heavy)}/txs`;

const running: ReturnType<typeof createFixtureServer>[] = [];
afterEach(async () => {
  for (const { app } of running.splice(0)) {
    app.server.closeAllConnections();
    await app.close();
  }
});

/** A chain with `count` transactions that pay {@link heavy}, each with a witness of so many bytes, one a block. */
function makeHeavyChain(count: number, witnessBytes: number) {
  const chain = makeFixtureChain();
  for (let i = 0; i < count; i++) {
    const coin = chain.txs.find(({ id, position }) => position === 0 && id === i + 1)!;
    const witness = [new Uint8Array(witnessBytes).fill(i + 1)];
    const outputs = [{ value: 1_000n, script: scriptOf(heavy) }];
    chain.addBlock(scriptOf(miner), [makeTx([{ txid: coin.txid, vout: 0 }], outputs, witness)]);
  }
  return chain;
}

async function listen(overrides: FixtureOverrides) {
  const server = createFixtureServer(overrides);
  running.push(server);
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  const ask = async (): Promise<IncomingMessage> => {
    const request = get({ port, path, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    return response;
  };
  return { ...server, ask };
}

async function readAll(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}

test('a transaction in pieces is the same text as in one', async () => {
  const chain = makeHeavyChain(1, 10);
  await readFixture(chain)(async (view) => {
    for (const { txid } of chain.txs) {
      const record = await view.findTx(txid);
      const parts = await readTxParts(view, record!);
      expect([...writeTx(parts, fixtureProfile)].join('')).toBe(
        JSON.stringify(serialiseTx(parts, fixtureProfile)),
      );
    }
  });
});

test('a transaction of many witness items is written in short pieces, and is the same text as in one', async () => {
  const chain = makeFixtureChain();
  const items = Array.from({ length: 4_500 }, (_, i) => Uint8Array.of(i & 255, i >> 8));
  const coin = chain.txs.find(({ position }) => position === 0)!;
  const spent = { txid: coin.txid, vout: 0 };
  const tx = makeTx([spent, spent, spent], [{ value: 1_000n, script: scriptOf(heavy) }]);
  tx.hasWitness = true;
  for (const [i, count] of [4_500, 2, 1_001].entries()) tx.inputs[i]!.witness = items.slice(0, count);
  chain.addBlock(scriptOf(miner), [tx]);
  const script = Uint8Array.of(0, 32, ...new Uint8Array(32));
  await readFixture(chain)(async (view) => {
    const parts = await readTxParts(view, (await view.findTx(txidOf(tx)))!);
    // A witness script is the last item.
    const shown = { ...parts, prevouts: parts.prevouts.map((each) => ({ ...each!, script })) };
    const pieces = [...writeTx(shown, fixtureProfile)];
    expect(pieces.join('')).toBe(JSON.stringify(serialiseTx(shown, fixtureProfile)));
    expect(pieces.join('')).toContain('inner_witnessscript_asm');
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(8_000);
  });
});

test('a page of large transactions is whole, in order, and like a page of small ones', async () => {
  const small = createFixtureServer({ chain: makeHeavyChain(30, 10) });
  const large = createFixtureServer({ chain: makeHeavyChain(30, 20_000) });
  const [{ json: fromSmall }, { json: fromLarge, headers }] = [
    await small.app.inject(path),
    await large.app.inject(path),
  ];
  const outline = (txs: Record<string, unknown>[]) =>
    txs.map(({ vout, status, fee }) => ({
      vout,
      fee,
      height: (status as { block_height: number }).block_height,
    }));
  expect(fromLarge()).toHaveLength(25);
  expect(outline(fromLarge())).toEqual(outline(fromSmall()));
  expect(fromLarge()[24].vin[0].witness[0]).toHaveLength(40_000);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-chain-height': '150',
  });
  expect(headers.etag).toBeDefined();
  const last = fromLarge()[24].txid;
  const next = await large.app.inject(`/esplora/address/${addressOf(heavy)}/txs/chain/${last}`);
  expect(next.json()).toHaveLength(5);
});

test('is charged by its bytes', async () => {
  const { app } = createFixtureServer({
    chain: makeHeavyChain(10, 100_000),
    server: { rateLimitPerMinute: 1_000 },
  });
  const { body } = await app.inject(path);
  const { headers } = await app.inject('/api/v1/health');
  const units = 2 + Math.floor(body.length / 65_536) + 1;
  expect(units).toBeGreaterThan(25);
  expect(Math.abs(1_000 - units - Number(headers['ratelimit-remaining']))).toBeLessThanOrEqual(1);
});

test('is read no faster than the client reads it, and given up when the client is gone', async () => {
  const chain = makeHeavyChain(25, 1_500_000);
  let found = 0;
  const readChain: ReadChain = (read) =>
    readFixture(chain)((view) =>
      read({
        ...view,
        findTx: (txid) => {
          found += 1;
          return view.findTx(txid);
        },
      }),
    );
  const timeouts = { headersMs: 200, requestMs: 300, keepAliveMs: 1000, stallMs: 1_000, checkEveryMs: 50 };
  const { app, ask } = await listen({ chain, context: { readChain }, server: { timeouts } });
  for (let i = 0; i < maxLargeAnswers.ofClient + 1; i++) {
    const accepted = once(app.server, 'connection').then(([socket]) => socket as Socket);
    const response = await ask();
    expect(response.statusCode).toBe(200);
    // Nothing is read of the answer until the service gives it up.
    await once(await accepted, 'close');
    response.destroy();
  }
  expect(found).toBeLessThan(25 * (maxLargeAnswers.ofClient + 1));
}, 30_000);

test('a client gets some at a time, some wait for these to be read, and more is refused', async () => {
  const { ask } = await listen({ chain: makeHeavyChain(25, 1_000_000) });
  const first = await Promise.all(Array.from({ length: maxLargeAnswers.ofClient }, ask));
  expect(first.map(({ statusCode }) => statusCode)).toEqual(first.map(() => 200));
  // Which of those that come together is the one too many is not known before.
  const more = Array.from({ length: maxLargeAnswers.waitingOfClient + 1 }, async (_, number) => ({
    number,
    response: await ask(),
  }));
  const { number, response: refused } = await Promise.race(more);
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1']);
  expect(await readAll(refused)).toMatch(/large answers at a time/);
  for (const response of first) expect(JSON.parse(await readAll(response))).toHaveLength(25);
  const waiting = more.filter((_, each) => each !== number);
  await Promise.all(
    waiting.map(async (each, i) => {
      const { response } = await each;
      expect(response.statusCode).toBe(200);
      if (i < 3) expect(JSON.parse(await readAll(response))).toHaveLength(25);
      else response.destroy();
    }),
  );
}, 180_000);

test('a list that a reorganisation takes something from is cut off, never ended', async () => {
  const chain = makeHeavyChain(25, 1_000_000);
  const { ask } = await listen({ chain });
  const response = await ask();
  expect(response.statusCode).toBe(200);
  // The oldest is listed last, and has not been read yet.
  const oldest = chain.txs.find(({ raw, height }) => raw.length > 1_000_000 && height === 121)!;
  oldest.txid = new Uint8Array(32);
  await expect(readAll(response)).rejects.toThrow('aborted');
});

test('HEAD has the headers and reads nothing more', async () => {
  const { app } = createFixtureServer({ chain: makeHeavyChain(25, 100_000) });
  const head = await app.inject({ method: 'HEAD', url: path });
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', undefined]);
  expect(head.headers.etag).toBeDefined();
});
