import { createServer, type Socket } from 'node:net';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { createAllowList } from '../../../outbound/allow-list.ts';
import { createNameServers } from '../../../outbound/resolve-host.ts';
import { type FakePeer, type PeerBlock, startFakePeer } from '../../../testing/fake-peer.ts';
import { fixtureFacts, fixtureProfile, makeFixtureChain, polled } from '../../../testing/fixture-server.ts';
import { readFixture } from '../../../testing/fixture-view.ts';
import { type NameAnswer, startNameServer } from '../../../testing/name-server.ts';
import { listenOnLoopback, startSocksServer } from '../../../testing/socks-server.ts';
import { type Look, type LookOptions, lookAtNode } from './look-at-node.ts';
import { createOwnChain } from './own-chain.ts';
import { createPlaces } from './places.ts';

const chain = makeFixtureChain();
const readChain = readFixture(chain);
const magic = getHexBytes(fixtureProfile.p2pMagic);
const blocks: PeerBlock[] = [];
for (const block of chain.blocks)
  blocks.push({
    hash: block.hash,
    header: block.header,
    raw: await readChain((view) => view.readRawBlock(block)),
  });
const own = createOwnChain({
  readChain,
  node: { current: () => polled({ ...fixtureFacts }), refresh: async () => {} },
  profile: fixtureProfile,
  now: () => 0,
});
const onion = 'pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion';
const nodeKey = '11'.repeat(32);
const token = `nodeproof-${'ab'.repeat(16)}`;
const otherToken = `nodeproof-${'cd'.repeat(16)}`;

const started: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((each) => each.close()));
});

async function startPeer(tokens: readonly string[] = [token]): Promise<FakePeer> {
  const peer = await startFakePeer({ magic, blocks, userAgent: `/Fake:1.0(${tokens.join(' ')})/` });
  started.push(peer);
  return peer;
}

async function startNames(find: (name: string, type: string) => NameAnswer) {
  const server = await startNameServer(find);
  started.push(server);
  return { server, nameServers: createNameServers([server.address]) };
}

function look(endpoint: string, options: Partial<LookOptions> & { reached?: string } = {}): Promise<Look> {
  const { reached = null, ...more } = options;
  return lookAtNode(
    { nodeKey, endpoint, reached, token },
    {
      chain: own,
      rules: { allow: createAllowList(['loopback']), ports: 'any', socks: undefined },
      nameServers: createNameServers(),
      places: createPlaces([]),
      userAgent: '/Test/',
      limitMs: 20_000,
      now: () => 0,
      ...more,
    },
    new AbortController().signal,
  );
}

describe('a node with a host name', () => {
  test('is looked at where its name leads, which is told', async () => {
    const peer = await startPeer();
    const { server, nameServers } = await startNames(() => ['127.0.0.1']);
    const { attempt, observed, reached } = await look(`node.example:${peer.port}`, { nameServers });
    expect(attempt).toMatchObject({ result: 'pass' });
    expect(observed?.endpoint_proven).toBe(true);
    expect(reached).toMatchObject({ text: `127.0.0.1:${peer.port}`, network: '127.0.0.0/24' });
    expect(new Set(server.asked)).toEqual(new Set(['node.example']));
  });

  test('is reached where it was before, if its name still leads there', async () => {
    const peer = await startPeer();
    const { nameServers } = await startNames(() => ['127.0.0.9', '127.0.0.1']);
    const reached = `127.0.0.1:${peer.port}`;
    expect((await look(`node.example:${peer.port}`, { nameServers, reached })).reached?.text).toBe(reached);
  });

  test.each([
    [['10.0.0.1']],
    [['127.0.0.1']],
    [['169.254.169.254']],
    [['8.8.8.8', '192.168.1.1']],
    [['0.0.0.0']],
    [['100.64.0.1']],
  ])('whose name leads to %j fails, and nothing is connected to', async (addresses) => {
    const peer = await startPeer();
    const { nameServers } = await startNames(() => addresses);
    const rules = { allow: createAllowList([]), ports: 'any' as const, socks: undefined };
    const { attempt } = await look(`node.example:${peer.port}`, { nameServers, rules });
    expect(attempt).toMatchObject({ result: 'fail', reason: 'address_refused' });
    expect(peer.received).toEqual([]);
  });

  test('is connected to where its one answer leads, and not where the next would', async () => {
    const peer = await startPeer();
    let answers = 0;
    const { nameServers } = await startNames((_, type) =>
      type === 'A' && answers++ > 0 ? ['127.0.0.3'] : ['127.0.0.1'],
    );
    // Two addresses of loopback stand for one outside, which is opened, and one inside, which is not.
    const rules = { allow: createAllowList(['127.0.0.1']), ports: 'any' as const, socks: undefined };
    const options = { nameServers, rules };
    const first = await look(`node.example:${peer.port}`, options);
    expect([first.attempt.result, first.reached?.text]).toEqual(['pass', `127.0.0.1:${peer.port}`]);
    expect(answers).toBe(1);
    const second = await look(`node.example:${peer.port}`, options);
    expect(second.attempt).toMatchObject({ result: 'fail', reason: 'address_refused' });
  });

  test('that nobody knows fails; while no name server answers for anything, nothing is said', async () => {
    const peer = await startPeer();
    const absent = await startNames(() => undefined);
    const endpoint = `node.example:${peer.port}`;
    expect((await look(endpoint, absent)).attempt).toMatchObject({ result: 'fail', reason: 'unresolved' });
    const spoilt = await startNames((name) => (name === '' ? undefined : 'broken'));
    expect((await look(endpoint, spoilt)).attempt).toMatchObject({ result: 'fail', reason: 'unresolved' });
    const broken = await startNames(() => 'broken');
    expect((await look(endpoint, broken)).attempt).toMatchObject({
      result: 'void',
      reason: 'no_name_server',
    });
    const silent = await startNames(() => 'silent');
    expect((await look(endpoint, silent)).attempt).toMatchObject({
      result: 'void',
      reason: 'no_name_server',
    });
    expect(peer.received).toEqual([]);
  }, 30_000);
});

describe('a place is one endpoint, by whatever name', () => {
  const holder = (port: number) => ({
    row: { node_key: 'other', endpoint: `127.0.0.1:${port}`, reached: null, network: '127.0.0.0/24' },
    token: otherToken,
  });

  test.each([
    ["shows nobody's token", [], 'endpoint_taken'],
    ['shows the token of who holds it', [otherToken], 'endpoint_taken'],
    ['shows the tokens of both', [token, otherToken], 'endpoint_taken'],
    ['shows the token of the name only', [token], null],
  ])('a name that leads to the place of another: the node there %s', async (_, tokens, reason) => {
    const peer = await startPeer(tokens);
    const { nameServers } = await startNames(() => ['127.0.0.1']);
    const places = createPlaces([holder(peer.port)]);
    const { attempt } = await look(`node.example:${peer.port}`, { nameServers, places });
    expect(attempt).toMatchObject({ result: reason === null ? 'pass' : 'fail', reason });
  });

  test('names that all come to lead to one network find room for as many as it may have, and connect to no more', async () => {
    const peer = await startPeer();
    const { nameServers } = await startNames(() => ['127.0.0.1']);
    const places = createPlaces([]);
    for (let i = 0; i < 8; i++)
      expect(places.admit(`key ${i}`, { text: `127.0.0.1:${i}`, network: '127.0.0.0/24' })).toBe(true);
    const { attempt } = await look(`node.example:${peer.port}`, { nameServers, places });
    expect(attempt).toMatchObject({ result: 'fail', reason: 'network_full' });
    expect(peer.received).toEqual([]);
  });
});

test('a name of many addresses takes a seat in the network of one of them, and of one more where its node is', async () => {
  const peer = await startPeer();
  const { nameServers } = await startNames((_, type) =>
    type === 'A' ? ['127.0.1.1', '127.0.2.1', '127.0.3.1', '127.0.0.1'] : [],
  );
  const places = createPlaces([]);
  const admitted: string[] = [];
  const counting = {
    ...places,
    admit: (...args: Parameters<typeof places.admit>) => {
      admitted.push(args[1].network);
      return places.admit(...args);
    },
  };
  const options = { nameServers, places: counting };
  expect((await look(`node.example:${peer.port}`, options)).attempt.result).toBe('fail');
  expect(admitted).toHaveLength(1);
  const reached = `127.0.0.1:${peer.port}`;
  expect((await look(`node.example:${peer.port}`, { ...options, reached })).attempt.result).toBe('pass');
  expect(admitted).toHaveLength(2);
});

describe('a node with an onion address', () => {
  const rulesWith = (port: number) => ({
    allow: createAllowList([]),
    ports: 'any' as const,
    socks: { host: '127.0.0.1', port },
  });

  async function startProxy(peer?: FakePeer) {
    const proxy = await startSocksServer({
      routes: new Map(peer === undefined ? [] : [[`${onion}:29666`, peer.port]]),
    });
    started.push(proxy);
    return proxy;
  }

  test('passes by the proxy, shows its token, and no name server hears of it', async () => {
    const proxy = await startProxy(await startPeer());
    const { server, nameServers } = await startNames(() => ['127.0.0.1']);
    const { attempt, observed, reached } = await look(`${onion}:29666`, {
      rules: rulesWith(proxy.port),
      nameServers,
    });
    expect(attempt).toMatchObject({ result: 'pass' });
    expect([observed?.endpoint_proven, reached]).toEqual([true, undefined]);
    expect(proxy.asked).toEqual([`${onion}:29666`]);
    expect(server.asked).toEqual([]);
  });

  test('fails when the proxy cannot reach it', async () => {
    const proxy = await startProxy();
    expect((await look(`${onion}:29666`, { rules: rulesWith(proxy.port) })).attempt).toMatchObject({
      result: 'fail',
      reason: 'unreachable',
    });
  });

  test('is not judged while the proxy says nothing, or is not there, or the operator has none', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => {})));
    const port = await listenOnLoopback(silent);
    const judged = await look(`${onion}:29666`, { rules: rulesWith(port), limitMs: 400 });
    expect(judged.attempt).toMatchObject({ result: 'void', reason: 'no_proxy' });
    for (const socket of sockets) socket.destroy();
    silent.close();
    expect((await look(`${onion}:29666`, { rules: rulesWith(port) })).attempt.reason).toBe('no_proxy');
    expect((await look(`${onion}:29666`)).attempt.reason).toBe('endpoint_refused');
  });

  test('fails when the proxy never connects to it: the time of a look is bounded', async () => {
    const sockets: Socket[] = [];
    const slow = createServer((socket) => {
      sockets.push(socket.on('error', () => {}));
      socket.once('data', () => socket.write(Uint8Array.of(5, 0)));
    });
    const port = await listenOnLoopback(slow);
    const judged = await look(`${onion}:29666`, { rules: rulesWith(port), limitMs: 400 });
    expect(judged.attempt).toMatchObject({ result: 'fail', reason: 'timeout' });
    for (const socket of sockets) socket.destroy();
    slow.close();
  });
});
