import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stateExamples } from '../../service/src/parts/chain/examples-state.ts';
import { runCoin } from './run-coin.ts';

type Answers = Record<string, unknown>;

const { config } = stateExamples;
let folder = '';
let server: Server;
let url = '';
/** What the service answers, by path; all else is not there. */
let answers: Answers = {};
let asked: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coin-lies-'));
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://a');
    asked.push(pathname);
    const body = answers[pathname];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { code: 'route_not_found', detail: 'Nothing is here.' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answers = { '/api/v1/config': config };
  await writeFile(join(folder, 'passphrase'), 'correct horse');
  expect((await coin('init')).code).toBe(0);
});
beforeEach(() => {
  asked = [];
  answers = { '/api/v1/config': config };
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

function coin(...argv: string[]) {
  const common = ['--service', url, '--yes', '--json', '--passphrase-file', join(folder, 'passphrase')];
  return runCoin({ home: folder }, ...argv, ...common);
}

describe('coin before a service that lies', () => {
  test.each([
    ['network_mismatch', { genesis_hash: '00'.repeat(32) }],
    ['network_changed', { message_magic: 'Another Signed Message:\n' }],
    ['network_changed', { address: { ...config.address, p2pkh_versions: [5] } }],
    ['network_invalid', { dust_limit: '1000.00000000' }],
  ])('about its chain (%s %j) asks it nothing more', async (code, change) => {
    answers = { '/api/v1/config': { ...config, ...change } };
    const to = (await coin('address', '--index', '7')).json.address;
    for (const argv of [['balance'], ['send', to, '1'], ['status'], ['name', 'list']]) {
      const ran = await coin(...argv);
      expect(ran.json.error.code).toBe(code);
      expect(ran.code).toBe(code === 'network_invalid' ? 1 : 7);
    }
    expect(new Set(asked)).toEqual(new Set(['/api/v1/config']));
  });

  test('that writes to the terminal moves no cursor', async () => {
    answers = { '/api/v1/config': { ...config, name: 'Coin\u001b[2J\u202e' } };
    const status = {
      index: { height: 1, tip: '00\nSent: 11', lag_blocks: 0 },
      mempool: { tx_count: 0 },
      node: {},
    };
    const rate = { per_kvb: '0.00001\u009b2J' };
    answers['/api/v1/status'] = status;
    answers['/api/v1/fee'] = { minimum: rate, estimates: [] };
    const shown = await runCoin({ home: folder }, 'status', '--service', url);
    expect(shown.code).toBe(0);
    expect(shown.out).toContain('Coin\\u{1b}[2J\\u{202e}');
    expect(shown.out.split('\n')).toHaveLength(7);
    const program = await coin('status');
    expect(program.json.coin).toBe('Coin\u001b[2J\u202e');
    for (const char of ['\u001b', '\u009b', '\u202e']) {
      expect(shown.out).not.toContain(char);
      expect(program.out).not.toContain(char);
    }
  });

  test.each([
    ['http://127.0.0.1.invalid', true],
    ['http://127.invalid', true],
    ['http://127.0.0.1:9', false],
    ['http://localhost:9', false],
  ])('that is reached in the clear: %s is warned of: %s', async (service, isWarned) => {
    const ran = await runCoin({ home: folder }, 'status', '--service', service);
    expect(ran.code).toBe(4);
    expect(ran.notes.includes('is not HTTPS')).toBe(isWarned);
  });

  test('about a name pays nobody', async () => {
    const thief = (await coin('address', '--index', '9')).json;
    const as_of = { height: 5, hash: '00'.repeat(32) };
    const script = '0014'.padEnd(44, '7');
    const owner = { address: thief.address, script };
    const moment = { height: 9, time: '2026-01-01T00:00:00.000Z', estimated: false };
    answers = {
      '/api/v1/config': config,
      '/api/v1/status': {
        index: { height: 5, tip: '00'.repeat(32) },
        mempool: { version: 1, tx_count: 0, vsize: 0, fees: '0.00000000' },
      },
      '/api/vns/v1/resolve/alice.coin': { name: 'alice.coin', as_of, ...owner, expiry: moment },
      '/api/vns/v1/name/alice.coin': {
        name: 'alice.coin',
        as_of,
        owner,
        history: { items: [], next_cursor: null },
      },
    };
    // Nothing was ever received: all addresses are empty.
    server.prependListener('request', function answerAddress(request) {
      const { pathname } = new URL(request.url!, 'http://a');
      const empty = { tx_count: 0, balance: '0.00000000' };
      if (pathname.startsWith('/api/v1/address/')) {
        answers[pathname] = { confirmed: empty, mempool: empty, utxos: { items: [], next_cursor: null } };
      }
    });
    const ran = await coin('send', 'alice.coin', '1');
    expect(ran).toMatchObject({ code: 1, json: { error: { code: 'name_unproven' } } });
    expect(asked).not.toContain('/api/v1/broadcast');
  });
});
