import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { frameMessage } from '../../../node/p2p/wire.ts';
import { createAllowList } from '../../../outbound/allow-list.ts';
import { hasRoute } from '../../../outbound/has-route.ts';
import { OutboundError } from '../../../outbound/outbound-error.ts';
import { createNameServers } from '../../../outbound/resolve-host.ts';
import {
  type FakePeer,
  type FakePeerOptions,
  type PeerBlock,
  startFakePeer,
  writeHeaders,
  writePeerVersion,
} from '../../../testing/fake-peer.ts';
import { fixtureFacts, fixtureProfile, makeFixtureChain, polled } from '../../../testing/fixture-server.ts';
import { readFixture } from '../../../testing/fixture-view.ts';
import { isOwnFault } from './is-own-fault.ts';
import { type Look, lookAtNode } from './look-at-node.ts';
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
const tip = blocks.length - 1;

let peer: FakePeer | undefined;
let node = polled({ ...fixtureFacts });
const own = createOwnChain({
  readChain,
  node: { current: () => node, refresh: async () => {} },
  profile: fixtureProfile,
  now: () => 0,
});
const token = `nodeproof-${'ab'.repeat(16)}`;

afterEach(async () => {
  await peer?.close();
  peer = undefined;
  node = polled({ ...fixtureFacts });
});

async function look(options: Partial<FakePeerOptions> & { limitMs?: number } = {}): Promise<Look> {
  peer = await startFakePeer({ magic, blocks, ...options });
  return await lookAt(`127.0.0.1:${peer.port}`, options.limitMs);
}

function lookAt(endpoint: string, limitMs = 20_000, allow = ['loopback']): Promise<Look> {
  return lookAtNode(
    { nodeKey: '11'.repeat(32), endpoint, reached: null, token },
    {
      chain: own,
      rules: { allow: createAllowList(allow), ports: 'any', socks: undefined },
      nameServers: createNameServers(),
      places: createPlaces([]),
      userAgent: '/Test/',
      limitMs,
      now: () => 0,
    },
    new AbortController().signal,
  );
}

const failsFor = async (reason: string, options: Partial<FakePeerOptions> & { limitMs?: number }) => {
  const { attempt } = await look(options);
  expect(attempt).toMatchObject({ result: 'fail', reason });
};

describe('a node that has our chain', () => {
  test('passes, and has sent the block that it was asked for', async () => {
    const { attempt, observed, tokens } = await look({ userAgent: `/Fake:1.0(${token})/` });
    expect(attempt).toMatchObject({ result: 'pass', reason: null });
    expect(observed).toMatchObject({ lag: 0, start_height: tip, endpoint_proven: true, services: '9' });
    expect(observed?.block_height).toBeGreaterThan(0);
    expect(tokens).toEqual([token]);
    expect(peer?.received).toEqual(expect.arrayContaining(['version', 'verack', 'pong', 'getdata']));
  });

  test.each([0, 1, 2, 3, 4])('passes %s blocks behind', async (lag) => {
    const { attempt, observed } = await look({ blocks: blocks.slice(0, tip + 1 - lag), startHeight: tip });
    expect([attempt.result, observed?.lag]).toEqual(['pass', lag]);
  });

  test('is told from its user agent, whatever bytes are in it', async () => {
    const { observed } = await look({ userAgent: `<b>\u202e\0${'é'.repeat(60)}` });
    expect(observed?.user_agent).toMatch(/^<b>\?+$/);
  });
});

describe('a node fails that', () => {
  test.each([5, 6, 10, 60, tip])('is %s blocks behind, though it says otherwise', async (lag) => {
    await failsFor('lagging', { blocks: blocks.slice(0, tip + 1 - lag), startHeight: tip });
  });
  test('says that it is behind, whether it shows headers or not', async () => {
    await failsFor('lagging', { startHeight: tip - 5 });
    const silent: FakePeerOptions['script'] = (command) => (command === 'getheaders' ? [] : undefined);
    await failsFor('lagging', { startHeight: tip - 5, script: silent, limitMs: 2_000 });
  });
  test('has no port open', async () => {
    const closed = await startFakePeer({ magic, blocks });
    await closed.close();
    expect((await lookAt(`127.0.0.1:${closed.port}`)).attempt).toMatchObject({
      result: 'fail',
      reason: 'unreachable',
    });
  });
  test('speaks for another network', () =>
    failsFor('wrong_magic', {
      script: (_, __, socket) => {
        socket.write(frameMessage(Uint8Array.of(1, 2, 3, 4), 'version', writePeerVersion({})));
        return [];
      },
    }));
  test('serves no old blocks', () => failsFor('not_full', { services: 1n << 10n }));
  test('speaks too old a protocol', () =>
    failsFor('too_old', {
      script: (command) =>
        command === 'version'
          ? [
              ['version', writePeerVersion({ protocolVersion: 209, startHeight: tip })],
              ['verack', new Uint8Array(0)],
            ]
          : undefined,
    }));
  test('has another chain', async () => {
    const foreign = blocks.map(({ header, raw }, i) => {
      const other = new Uint8Array(header);
      other[76] = 1;
      return { hash: new Uint8Array(32).fill(i), header: other, raw };
    });
    await failsFor('wrong_chain', { blocks: [blocks[0]!, ...foreign.slice(1)], startHeight: tip });
    // A shorter one says that it is behind, and is another one all the same.
    const shorter = [blocks[0]!, ...foreign.slice(1, tip - 9)];
    await failsFor('wrong_chain', { blocks: shorter, startHeight: tip - 10 });
  });
  test('has another chain that leaves ours above the headers of its first answer', async () => {
    const other = new Uint8Array(blocks[21]!.header);
    other[76] = 1;
    const answers = [blocks.slice(1, 21).map(({ header }) => header), [other]];
    for (const startHeight of [tip, tip - 10]) {
      let asked = 0;
      await failsFor('wrong_chain', {
        startHeight,
        script: (command) =>
          command === 'getheaders' ? [['headers', writeHeaders(answers[asked++] ?? [])]] : undefined,
      });
      expect(asked).toBe(2);
    }
  });
  test('is behind, and goes on with headers of ours for ever', async () => {
    let asked = 0;
    await failsFor('lagging', {
      startHeight: tip,
      // One more of ours each time.
      script: (command) =>
        command === 'getheaders' ? [['headers', writeHeaders([blocks[++asked]!.header])]] : undefined,
    });
    expect(asked).toBe(8);
  });
  test('has headers that do not follow one another', () =>
    failsFor('wrong_chain', {
      script: (command) =>
        command === 'getheaders'
          ? [['headers', writeHeaders([blocks[tip - 4]!.header, blocks[tip]!.header])]]
          : undefined,
    }));
  test('has not the block', () =>
    failsFor('block_missing', {
      script: (command, payload) => (command === 'getdata' ? [['notfound', payload]] : undefined),
    }));
  test('sends another block', () =>
    failsFor('wrong_block', {
      script: (command) => (command === 'getdata' ? [['block', blocks[0]!.raw]] : undefined),
    }));
  test('sends the block with another transaction', () =>
    failsFor('wrong_block', {
      script: (command, payload) => {
        if (command !== 'getdata') return undefined;
        const { raw } = blocks.find(({ hash }) => Buffer.from(hash).equals(payload.subarray(5, 37)))!;
        const changed = Uint8Array.from(raw);
        changed[changed.length - 5]! ^= 1;
        return [['block', changed]];
      },
    }));
  test('closes in the middle', () =>
    failsFor('closed', {
      script: (command, _, socket) => {
        if (command !== 'getheaders') return undefined;
        socket.destroy();
        return [];
      },
    }));
});

describe('a hostile peer is given up on that', () => {
  test('says nothing', () => failsFor('timeout', { script: () => [], limitMs: 300 }));
  test('sends byte after byte and never a message', () =>
    failsFor('timeout', {
      limitMs: 400,
      script: (_, __, socket) => {
        const bytes = frameMessage(magic, 'version', writePeerVersion({}));
        let at = 0;
        const timer = setInterval(() => socket.write(bytes.subarray(at, ++at)), 50);
        socket.on('close', () => clearInterval(timer));
        return [];
      },
    }));
  test('announces a message of four gigabytes', () =>
    failsFor('too_large', {
      script: (_, __, socket) => {
        const bytes = frameMessage(magic, 'version', new Uint8Array(0));
        new DataView(bytes.buffer).setUint32(16, 0xffffffff, true);
        socket.write(bytes);
        return [];
      },
    }));
  test('sends a block larger than ours', () =>
    failsFor('too_large', {
      script: (command) => (command === 'getdata' ? [['block', new Uint8Array(200_000)]] : undefined),
    }));
  test('sends garbage', () =>
    failsFor('wrong_magic', {
      script: (_, __, socket) => {
        socket.write(Buffer.alloc(10_000, 0x41));
        return [];
      },
    }));
  test('sends a message with another checksum', () =>
    failsFor('bad_checksum', {
      script: (_, __, socket) => {
        const bytes = frameMessage(magic, 'version', writePeerVersion({}));
        bytes[20]! ^= 1;
        socket.write(bytes);
        return [];
      },
    }));
  test('has no end of messages', () =>
    failsFor('too_much', {
      script: (_, __, socket) => {
        const many = Buffer.concat(Array(600).fill(frameMessage(magic, 'inv', new Uint8Array(1))));
        socket.write(many);
        return [];
      },
    }));
  test('pings without an end', () =>
    failsFor('too_much', {
      script: (_, __, socket) => {
        socket.write(Buffer.concat(Array(600).fill(frameMessage(magic, 'ping', new Uint8Array(8)))));
        return [];
      },
    }));
  test('has no end of bytes', () =>
    failsFor('too_much', {
      script: (_, __, socket) => {
        const large = frameMessage(magic, 'addr', new Uint8Array(1_500_000));
        for (let i = 0; i < 10; i++) socket.write(large);
        return [];
      },
    }));
  test.each([
    ['a version without an end', 'version', new Uint8Array(4)],
    ['a user agent longer than any', 'version', writePeerVersion({ userAgent: 'a'.repeat(300) })],
  ])('sends %s', (_, command, payload) =>
    failsFor('malformed', { script: (got) => (got === 'version' ? [[command, payload]] : undefined) }),
  );
  test.each([
    ['a count of headers that are not there', Uint8Array.of(0xfd, 0xd0, 0x07)],
    ['headers with transactions', Uint8Array.of(1, ...new Uint8Array(80), 1)],
    ['bytes after the headers', Uint8Array.of(0, 0)],
  ])('sends %s', (_, payload) =>
    failsFor('malformed', {
      script: (command) => (command === 'getheaders' ? [['headers', payload]] : undefined),
    }),
  );
});

describe('a look is void, and says nothing of the node', () => {
  test('while our node does not answer', async () => {
    node = { ...node, error: 'unreachable' };
    const { attempt, observed } = await look();
    expect([attempt, observed]).toMatchObject([{ result: 'void', reason: 'own_node_unavailable' }, null]);
    expect(peer?.received).toEqual([]);
  });
  test('while our node or index is behind', async () => {
    node = polled({ ...fixtureFacts, headers: 130 });
    expect((await look()).attempt).toMatchObject({ result: 'void', reason: 'own_node_behind' });
    node = polled({ ...fixtureFacts, blocks: 130, headers: 130 });
    expect((await lookAt(`127.0.0.1:${peer!.port}`)).attempt.reason).toBe('own_node_behind');
  });
  test('when our node went away in the middle of a look that failed', async () => {
    const { attempt } = await look({
      script: (command, payload) => {
        if (command !== 'getdata') return undefined;
        node = { ...node, error: 'unreachable' };
        return [['notfound', payload]];
      },
    });
    expect(attempt).toMatchObject({ result: 'void', reason: 'own_node_unavailable' });
  });
  test('when the endpoint may not be looked at any more', async () => {
    for (const endpoint of ['127.0.0.1:9999', '10.0.0.1:9999', '[::1]:9999'])
      expect((await lookAt(endpoint, 1_000, [])).attempt).toMatchObject({
        result: 'void',
        reason: 'endpoint_refused',
      });
  });
});

describe('a connection that cannot be made', () => {
  const fault = (code: string) => new OutboundError('None.', { cause: Object.assign(new Error(), { code }) });

  test.each(['ENETUNREACH', 'EHOSTUNREACH'])(
    'is our own fault for %s without a way there only',
    async (code) => {
      expect(await isOwnFault(fault(code), '203.0.113.7', async () => false)).toBe(true);
      // A router before the node can say the same whenever its owner likes.
      expect(await isOwnFault(fault(code), '203.0.113.7', async () => true)).toBe(false);
    },
  );

  test('is our own fault where this machine has no more sockets, never where it was refused', async () => {
    expect(await isOwnFault(fault('EMFILE'), '127.0.0.1')).toBe(true);
    expect(await isOwnFault(fault('ECONNREFUSED'), '127.0.0.1', async () => false)).toBe(false);
    expect(await isOwnFault(new OutboundError('Too late.'), '127.0.0.1', async () => false)).toBe(false);
  });

  test('is asked of the tables of this machine', async () => {
    expect(await hasRoute('127.0.0.1')).toBe(true);
    // No way leads to everybody.
    expect(await hasRoute('255.255.255.255')).toBe(false);
  });
});
