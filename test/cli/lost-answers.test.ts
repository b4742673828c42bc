import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CoinDesk, type Machine, openCoinDesk, quickenWallet } from './coin-desk.ts';

const broadcastPath = '/api/v1/broadcast';
let desk: CoinDesk;
let machine: Machine;
/** Between `coin` and the real service: passes requests on, and loses what it is told to. */
let line: Server;
let url = '';
/** Whether the answer to a request is lost, the service having got it or not. */
let loses: (path: string) => 'nothing' | 'answer' | 'request' = () => 'nothing';
let broadcasts = 0;

beforeAll(async () => {
  desk = await openCoinDesk();
  line = createServer(async (request, response) => {
    const path = new URL(request.url!, 'http://a').pathname;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (path === broadcastPath) broadcasts += 1;
    const lost = loses(path);
    if (lost === 'request') return void request.socket.destroy();
    const answer = await fetch(desk.service.origin + request.url, {
      method: request.method!,
      headers: { 'content-type': 'application/json' },
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (lost === 'answer') return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(body);
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  url = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
  machine = await desk.newMachine();
  const { first_address } = await machine.coin('init', '--service', url);
  await quickenWallet(machine);
  await desk.node.rpc('sendtoaddress', first_address, 3);
  await desk.node.rpc('sendtoaddress', first_address, 3);
  await desk.mine();
});
afterEach(() => {
  loses = () => 'nothing';
  broadcasts = 0;
});
afterAll(async () => {
  line?.closeAllConnections();
  line?.close();
  await desk?.stop();
});

const script = () => ['--yes', '--json', '--passphrase-file', join(machine.home, 'passphrase')];
const mempool = () => desk.node.rpc<string[]>('getrawmempool');

describe('coin, when the answer to what it sent is lost', () => {
  test('finds out that the service has it, and pays once', async () => {
    loses = (path) => (path === broadcastPath && broadcasts === 1 ? 'answer' : 'nothing');
    const to = await desk.node.newAddress();
    const sent = await machine.coin('send', to, '0.5');
    expect(await mempool()).toEqual([sent.txid]);
    await desk.mine();
    expect(await desk.node.rpc<number>('getreceivedbyaddress', to)).toBe(0.5);
  });

  test('says that nobody knows, and keeps the very same transaction to be sent again', async () => {
    const to = await desk.node.newAddress();
    // It arrived, but all that the service says from then on is lost.
    loses = (path) => (path === broadcastPath || broadcasts > 0 ? 'answer' : 'nothing');
    const ran = await machine.run('send', to, '0.25', ...script());
    const [txid] = await mempool();
    expect(ran).toMatchObject({ code: 8, json: { error: { code: 'send_unknown', txid } } });
    expect(ran.json.error.message).toContain(`coin send psbt ${ran.json.error.psbt_file}`);
    expect(dirname(ran.json.error.psbt_file)).toBe(join(machine.home, '.coin'));
    expect((await stat(ran.json.error.psbt_file)).mode & 0o777).toBe(0o600);
    loses = () => 'nothing';
    expect(await machine.coin('send', 'psbt', ran.json.error.psbt_file)).toMatchObject({ txid });
    expect(await mempool()).toEqual([txid]);
    await desk.mine();
    expect(await machine.coin('send', 'psbt', ran.json.error.psbt_file)).toMatchObject({ txid });
    expect(await desk.node.rpc<number>('getreceivedbyaddress', to)).toBe(0.25);
  });

  test('the same when it never arrived: what was signed is there to be sent later', async () => {
    const to = await desk.node.newAddress();
    loses = (path) => (path === broadcastPath || broadcasts > 0 ? 'request' : 'nothing');
    const ran = await machine.run('send', to, '0.125', ...script());
    expect(ran).toMatchObject({ code: 8, json: { error: { code: 'send_unknown' } } });
    expect(await mempool()).toEqual([]);
    loses = () => 'nothing';
    await machine.coin('send', 'psbt', ran.json.error.psbt_file);
    expect(await mempool()).toEqual([ran.json.error.txid]);
    await desk.mine();
    expect(await desk.node.rpc<number>('getreceivedbyaddress', to)).toBe(0.125);
  });

  test('Ctrl-C while it is being sent is told as such, with what was signed kept', async () => {
    const to = await desk.node.newAddress();
    const interruption = new AbortController();
    loses = (path) => {
      if (path !== broadcastPath) return 'nothing';
      interruption.abort(new Error('interrupted'));
      return 'answer';
    };
    const ran = await machine.runUntil(interruption.signal, 'send', to, '0.0625', ...script());
    expect(ran).toMatchObject({ code: 8, json: { error: { code: 'send_unknown' } } });
    // It was given up before it had gone through.
    await expect.poll(mempool, { timeout: 20_000 }).toEqual([ran.json.error.txid]);
    await desk.mine();
  });

  test('a refusal of the service is none of that: nothing is kept', async () => {
    const before = await readdir(join(machine.home, '.coin'));
    const to = await desk.node.newAddress();
    const { psbt_file } = await machine.coin('send', to, '0.5', '--psbt', join(machine.home, 'a.psbt'));
    await machine.coin('sign', 'psbt', psbt_file, '--out', join(machine.home, 'a.signed'));
    const other = await desk.node.newAddress();
    // The coins of the first go elsewhere, in a block.
    await machine.coin('send', other, 'all');
    await desk.mine();
    const ran = await machine.run('send', 'psbt', join(machine.home, 'a.signed'), ...script());
    expect(ran).toMatchObject({ code: 1, json: { error: { code: 'missing_inputs' } } });
    expect(await readdir(join(machine.home, '.coin'))).toEqual(before);
  });
});
