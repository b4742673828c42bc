import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { createAuthority } from '../../../../test/harness/certificates.ts';
import { connectElectrum, type ElectrumClient } from '../../../../test/harness/electrum-client.ts';
import { type ElectrumFixture, portOf, startElectrumFixture } from '../../testing/electrum-fixture.ts';
import { miner, payee, scriptOf } from '../../testing/fixture-server.ts';
import { electrumLimits } from './electrum-limits.ts';

const hashOf = (script: Uint8Array): string =>
  createHash('sha256').update(script).digest().reverse().toString('hex');
const payeeHash = hashOf(scriptOf(payee));
const hello = (id: unknown, versions: unknown = ['1.4', '1.6']) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'server.version', params: ['test', versions] });

let server: ElectrumFixture;

beforeAll(async () => {
  server = await startElectrumFixture();
});
afterAll(() => server.finish(1_000));

async function open(fixture: ElectrumFixture = server): Promise<ElectrumClient> {
  const client = await connectElectrum(portOf(fixture, 'tcp'));
  onTestFinished(() => client.close());
  return client;
}

describe('a session', () => {
  test('gets 1.6 where it says its version first, also with more arguments than there are', async () => {
    const client = await open();
    expect(await client.call('server.version', 'x', ['1.4', '1.6'], 'more', { and: 1 })).toEqual([
      'Coinfront 0.0.0',
      '1.6',
    ]);
    await expect(client.call('server.version', 'x', '1.4')).rejects.toThrow('1 server.version already sent');
    await expect(client.call('blockchain.relayfee')).rejects.toThrow('-32601 unknown method');
    expect(await client.call('mempool.get_info')).toEqual({
      mempoolminfee: 0.00002,
      minrelaytxfee: 0.00001,
      incrementalrelayfee: 0.00001,
    });
    expect(await client.call('blockchain.block.headers', 0, 2)).toMatchObject({ count: 2, max: 2016 });
    expect((await client.call('blockchain.block.headers', 0, 2)).headers).toHaveLength(2);
  });

  test('that never says its version is served as 1.4', async () => {
    const client = await open();
    expect(await client.call('blockchain.relayfee')).toBe(0.00001);
    const { hex, count } = await client.call('blockchain.block.headers', 0, 2);
    expect([hex.length, count]).toEqual([320, 2]);
    await expect(client.call('mempool.get_info')).rejects.toThrow('-32601');
    expect(await client.call('server.version', 'late', ['1.4', '1.6'])).toEqual([
      expect.any(String),
      '1.4.2',
    ]);
  });

  test('with no version in common is told so, and closed', async () => {
    const client = await open();
    await expect(client.call('server.version', 'x', '1.7')).rejects.toThrow('unsupported protocol version');
    await client.closed;
  });

  test('may name its parameters', async () => {
    const client = await open();
    const params = { client_name: 'Sparrow', protocol_version: ['1.3', '1.4.2'] };
    expect((await client.ask('server.version', params)).result[1]).toBe('1.4.2');
    const balance = await client.ask('blockchain.scripthash.get_balance', { scripthash: payeeHash });
    expect(balance.result).toEqual(await client.call('blockchain.scripthash.get_balance', payeeHash));
    expect((await client.ask('blockchain.scripthash.get_balance', { hash: payeeHash })).error.code).toBe(
      -32602,
    );
    expect((await client.ask('blockchain.scripthash.get_balance', [])).error.code).toBe(-32602);
    expect((await client.ask('blockchain.scripthash.get_balance', [payeeHash, 1])).error.code).toBe(-32602);
  });

  test('gets the answers to an array in an array, each with its id, and none for notifications', async () => {
    const client = await open();
    const batch = [
      { id: 'a', method: 'server.version', params: ['x', '1.4'] },
      { method: 'server.ping' },
      { id: -1, method: 'server.ping', params: [] },
      { id: null, method: 'no.such', params: [] },
      { id: 7, method: 5 },
      'what',
    ];
    const answers = await client.exchange(JSON.stringify(batch));
    expect(answers).toMatchObject([
      { id: 'a', result: [expect.any(String), '1.4'] },
      { id: -1, result: null },
      { id: null, error: { code: -32601 } },
      { id: 7, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
    ]);
    expect(await client.exchange('[]')).toMatchObject({ id: null, error: { code: -32600 } });
    const many = Array.from({ length: electrumLimits.batchCalls + 1 }, (_, id) => ({
      id,
      method: 'server.ping',
    }));
    expect(await client.exchange(JSON.stringify(many))).toMatchObject({ error: { code: -32600 } });
  });

  test('may pad its messages with spaces, and send many at once', async () => {
    const client = await open();
    expect(await client.exchange(`  ${hello('é"', '1.4').replaceAll(',', ' ,  ')}   \t\r`)).toMatchObject({
      id: 'é"',
      result: [expect.any(String), '1.4'],
    });
    const answers = Array.from({ length: 500 }, () => client.call('server.ping'));
    expect(new Set(await Promise.all(answers))).toEqual(new Set([null]));
  });

  test('that ends its side is answered before it is closed', async () => {
    const socket = connect({ port: portOf(server, 'tcp'), host: '127.0.0.1', allowHalfOpen: true });
    socket.end(`${hello(1)}\n{"id":2,"method":"server.ping","params":[]}\n`);
    const lines = (await text(socket)).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([1, 2]);
  });

  test('is never told again what it sent wrongly', async () => {
    const client = await open();
    const secret = 'L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ';
    for (const method of ['blockchain.scripthash.get_balance', 'blockchain.transaction.get', secret]) {
      const { error } = await client.ask(method, [secret]);
      expect(JSON.stringify(error)).not.toContain(secret.slice(0, 8));
    }
    const { error } = await client.exchange(`{"${secret}`);
    expect(error).toEqual({ code: -32700, message: 'A message is one line of JSON.' });
  });

  test('that sends what is no call again and again is closed', async () => {
    const client = await open();
    client.send('nonsense\n'.repeat(electrumLimits.malformedMessages + 5));
    await client.closed;
    expect(client.told).toHaveLength(electrumLimits.malformedMessages + 1);
  });

  test('that nests or lists without end is refused before it is parsed, by what parses too long', async () => {
    const client = await open();
    for (const text of ['['.repeat(1_000_000), `[${'1,'.repeat(1_000_000)}1]`, `[${'{"a":'.repeat(300_000)}`])
      expect(await client.exchange(text)).toMatchObject({
        id: null,
        error: { code: -101, message: expect.stringContaining('32768 commas and brackets') },
      });
    const calls = Array.from({ length: 1_000 }, (_, id) => ({
      ...{ jsonrpc: '2.0', id, method: 'blockchain.scripthash.get_balance' },
      params: [payeeHash],
    }));
    expect(await client.exchange(JSON.stringify(calls))).toHaveLength(1_000);
  });

  test('that sends a message without end is told so, and closed', async () => {
    const client = await open();
    client.send(
      `{"id":1,"method":"blockchain.transaction.broadcast","params":["${'0'.repeat(electrumLimits.messageBytes)}`,
    );
    await client.closed;
    expect(client.told).toMatchObject([
      { id: null, error: { code: -101, message: expect.stringContaining('message too large') } },
    ]);
  });
});

describe('methods', () => {
  test('know what they are asked for, and say what is wrong', async () => {
    const client = await open();
    await client.call('server.version', 'x', '1.6');
    const unknown = 'ab'.repeat(32);
    for (const [method, params, message] of [
      ['blockchain.transaction.get', [unknown], '2 daemon error: No such mempool or blockchain transaction'],
      ['blockchain.transaction.get', [unknown, 'yes'], '1 verbose should be true or false'],
      ['blockchain.transaction.get_merkle', [unknown, 3], `1 tx ${unknown} not in block at height 3`],
      ['blockchain.transaction.id_from_pos', [3, 900], '1 no tx at position 900'],
      ['blockchain.block.header', [900], '1 height 900 out of range: the chain ends at 120'],
      ['blockchain.block.header', [-1], '1 height should be a non-negative integer'],
      ['blockchain.block.header', [5, 4], '1 header height 5 must be <= cp_height 4'],
      ['blockchain.block.header', [5, 900], 'which must be <= chain height 120'],
      ['blockchain.estimatefee', [2, 'FAST'], '1 mode should be one of'],
      ['blockchain.transaction.broadcast_package', [[]], '1 raw_txs should be a list of 1 to 25'],
    ] as const) {
      await expect(client.call(method, ...params)).rejects.toThrow(message);
    }
    expect(await client.call('blockchain.block.headers', 900, 10)).toEqual({
      count: 0,
      headers: [],
      max: 2016,
    });
    expect(await client.call('blockchain.estimatefee', 1)).toBe(0.0002);
    expect(await client.call('blockchain.estimatefee', 5)).toBe(0.0002);
    expect(await client.call('blockchain.estimatefee', 100)).toBe(0.0001);
    expect(await client.call('blockchain.estimatefee', 100, 'economical')).toBe(0.0003);
    expect(await client.call('blockchain.transaction.broadcast', 'beef')).toBe('00'.repeat(32));
    expect(server.sent).toEqual(['beef']);
    expect(await client.call('blockchain.transaction.broadcast_package', ['00'])).toEqual({ success: true });
    expect(await client.call('server.peers.subscribe')).toEqual([]);
    expect((await client.call('server.features')).hosts).toEqual({
      'coin.example': { tcp_port: portOf(server, 'tcp'), ws_port: portOf(server, 'ws') },
    });
  });

  test('tell a watcher of a script that the mempool and a block touch, once, and not after it has left', async () => {
    const client = await open();
    const other = await open();
    const hash = hashOf(scriptOf(miner));
    const first = await client.call('blockchain.scripthash.subscribe', hash);
    expect(await other.call('blockchain.scripthash.subscribe', hash)).toBe(first);
    expect(await other.call('blockchain.scripthash.unsubscribe', hash)).toBe(true);
    await client.call('blockchain.headers.subscribe');
    server.chain.addBlock(scriptOf(miner));
    server.chain.mempool = { ...server.chain.mempool, version: server.chain.mempool.version + 1 };
    await server.wake();
    const status = await client.call('blockchain.scripthash.subscribe', hash);
    expect(status).not.toBe(first);
    expect(client.told).toMatchObject([
      { method: 'blockchain.headers.subscribe', params: [{ height: 121 }] },
      { method: 'blockchain.scripthash.subscribe', params: [hash, status] },
    ]);
    await server.wake();
    await client.call('server.ping');
    expect(client.told).toHaveLength(2);
    expect(other.told).toEqual([]);
  });
});

test('a client that asks for more than its share is told when to come back', async () => {
  const limited = await startElectrumFixture({ units: 5 });
  onTestFinished(() => limited.finish(0));
  const client = await open(limited);
  await client.call('server.version', 'x', '1.4');
  const answers = await Promise.all(Array.from({ length: 300 }, () => client.ask('server.ping', [])));
  const refused = answers.filter(({ error }) => error);
  // Bytes of answers count as well, if little.
  expect(refused.length).toBeGreaterThanOrEqual(300 - (5 / 0.02 - 1));
  expect(refused.length).toBeLessThan(70);
  expect(refused[0].error).toEqual({
    code: -101,
    message: expect.stringMatching(
      /^excessive resource usage: each client has 5 request units a minute; try again in \d+ s$/,
    ),
  });
});

test('a client with too many sessions is told so', async () => {
  const limited = await startElectrumFixture({ units: 1_000 });
  onTestFinished(() => limited.finish(0));
  for (let i = 0; i < electrumLimits.sessions.ofClient; i++) await open(limited);
  const last = await open(limited);
  await last.closed;
  expect(last.told).toMatchObject([
    { id: null, error: { code: -101, message: expect.stringContaining('too many sessions') } },
  ]);
});

test('over TLS and WebSocket the same is said', async () => {
  const authority = createAuthority();
  const { cert, key } = authority.issue({ names: ['localhost', '127.0.0.1'] });
  const folder = mkdtempSync(join(tmpdir(), 'coinfront-electrum-'));
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  writeFileSync(files.certFile, cert);
  writeFileSync(files.keyFile, key);
  const secure = await startElectrumFixture({ files });
  onTestFinished(() => secure.finish(0));
  const plain = await open();
  const overTls = await connectElectrum(portOf(secure, 'tls'), { ca: authority.cert });
  onTestFinished(() => overTls.close());
  const history = await plain.call('blockchain.scripthash.get_history', payeeHash);
  expect(await overTls.call('blockchain.scripthash.get_history', payeeHash)).toEqual(history);

  const socket = new WebSocket(`wss://localhost:${portOf(secure, 'wss')}`, { ca: authority.cert });
  onTestFinished(() => socket.terminate());
  await new Promise((resolve) => socket.once('open', resolve));
  const message = new Promise<string>((resolve) => socket.once('message', (data) => resolve(String(data))));
  socket.send(`{"id":1,"method":"blockchain.scripthash.get_history","params":["${payeeHash}"]}`);
  expect(await message).not.toContain('\n');
  expect(JSON.parse(await message)).toEqual({ jsonrpc: '2.0', id: 1, result: history });
});

test.each<[string, (client: ElectrumClient) => Promise<unknown>]>([
  ['methods that there are not', (client) => client.ask('no.method', [])],
  ['arrays of what is no call', (client) => client.exchange(JSON.stringify(Array(500).fill(1)))],
  // Its session ends before the message is read, so no id is known.
  ['long messages', (client) => client.ask('server.ping', ['0'.repeat(200_000)]).catch(() => client.told)],
])('who sends %s has used up its share at last, and is told so', async (_, send) => {
  const fixture = await startElectrumFixture({ units: 10 });
  onTestFinished(() => fixture.finish(1_000));
  const client = await open(fixture);
  let told: unknown;
  for (let sent = 0; sent < 600 && !JSON.stringify(told ?? '').includes('excessive'); sent++)
    told = await send(client);
  const last = [told].flat().at(-1);
  expect(last).toMatchObject({ error: { code: -101, message: expect.stringContaining('excessive') } });
});
