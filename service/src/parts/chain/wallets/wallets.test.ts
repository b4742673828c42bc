import { encodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { txidOf } from '@coinfront/protocol/transaction.ts';
import { HDKey } from '@scure/bip32';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeTx } from '../../../testing/fixture-chain.ts';
import {
  addressOf,
  createFixtureServer,
  fixtureProfile,
  makeFixtureChain,
  miner,
  payee,
  scriptOf,
} from '../../../testing/fixture-server.ts';
import { readWalletScripts } from '../../../wallets/wallet-scripts.ts';

const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(9), {
  public: fixtureProfile.extendedPublicVersion,
  private: fixtureProfile.extendedPrivateVersion,
});
const key = root.derive("m/84'/1'/0'").publicExtendedKey;
const read = readWalletScripts(key, undefined, fixtureProfile);
if (!read.ok) throw new Error(read.reason);
const [receive, change] = read.value.branches;
const addressAt = (branch: 0 | 1, index: number): string =>
  encodeAddress(read.value.branches[branch]!.scriptAt(index), fixtureProfile)!;

/** The wallet receives twice on 0/0 and once on 0/3, spends one to a stranger with change, and waits for 0/19. */
const chain = makeFixtureChain();
const coin = (n: number) => ({ txid: chain.txs[n]!.txid, vout: 0 });
const received = makeTx(
  [coin(20)],
  [
    { value: 10_00000000n, script: receive!.scriptAt(0) },
    { value: 5_00000000n, script: receive!.scriptAt(0) },
    { value: 1_00000000n, script: receive!.scriptAt(3) },
  ],
);
chain.addBlock(scriptOf(miner), [received]);
const paid = makeTx(
  [
    { txid: txidOf(received), vout: 0 },
    { txid: txidOf(received), vout: 2 },
  ],
  [
    { value: 4_00000000n, script: scriptOf(payee) },
    { value: 6_99990000n, script: change!.scriptAt(0) },
  ],
);
chain.addBlock(scriptOf(miner), [paid]);
const pending = makeTx([coin(21)], [{ value: 2_00000000n, script: receive!.scriptAt(19) }]);
chain.addToMempool([pending]);

const { app, log } = createFixtureServer({ chain });
beforeAll(() => app.ready());
async function get(path: string) {
  const response = await app.inject({ url: `/api/v1${path}` });
  return { status: response.statusCode, headers: response.headers, json: response.json() };
}

describe('a wallet by its public key', () => {
  test('has the sums of its addresses, what was used, and what comes next', async () => {
    const { status, json, headers } = await get(`/xpub/${key}`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      as_of: { height: 122 },
      script_type: 'p2wpkh',
      gap_limit: 20,
      balance: '11.99990000',
      confirmed: { received_count: 4, received: '22.99990000', spent_count: 2, spent: '11.00000000' },
      mempool: { received_count: 1, received: '2.00000000', balance: '2.00000000' },
    });
    const [receiving, ofChange] = json.chains;
    expect(receiving).toMatchObject({
      path: '0/*',
      used_count: 3,
      next_unused: { address: addressAt(0, 20), path: '0/20' },
      addresses: [
        { address: addressAt(0, 0), path: '0/0', balance: '5.00000000', pending: '0.00000000', tx_count: 2 },
        { address: addressAt(0, 3), path: '0/3', balance: '0.00000000', tx_count: 2 },
        {
          address: addressAt(0, 19),
          path: '0/19',
          balance: '0.00000000',
          pending: '2.00000000',
          tx_count: 1,
        },
      ],
    });
    expect(ofChange).toMatchObject({ path: '1/*', used_count: 1, next_unused: { path: '1/1' } });
    expect(headers['x-chain-height']).toBe('122');
    // It is the wallet's owner's, and nobody else's.
    expect(headers['cache-control']).toBe('no-store');
    expect(log.join('')).not.toContain(key);
  });

  test('has each transaction once, with what it does to all of it', async () => {
    const { json } = await get(`/xpub/${key}/txs`);
    expect(json.items.map((item: { txid: string; delta: string }) => [item.txid, item.delta])).toEqual([
      [toDisplayHash(txidOf(pending)), '2.00000000'],
      [toDisplayHash(txidOf(paid)), '-4.00010000'],
      [toDisplayHash(txidOf(received)), '16.00000000'],
    ]);
    expect(json.next_cursor).toBeNull();
  });

  test('is paged without gap or repetition, and its cursors are of this wallet', async () => {
    const seen: string[] = [];
    let cursor = '';
    let first = '';
    do {
      const { status, json } = await get(`/xpub/${key}/txs?limit=1${cursor}`);
      expect(status).toBe(200);
      seen.push(...json.items.map(({ txid }: { txid: string }) => txid));
      first ||= json.next_cursor;
      cursor = json.next_cursor === null ? '' : `&cursor=${json.next_cursor}`;
    } while (cursor !== '');
    expect(seen).toEqual([pending, paid, received].map((tx) => toDisplayHash(txidOf(tx))));
    const elsewhere = await get(`/xpub/${key}/txs?script_type=p2pkh&cursor=${first}`);
    expect([elsewhere.status, elsewhere.json.code]).toEqual([400, 'invalid_cursor']);
  });

  test('ends behind so many unused addresses as its owner says', async () => {
    const short = (await get(`/xpub/${key}?gap_limit=2`)).json;
    expect(short.chains[0]).toMatchObject({ used_count: 1, next_unused: { path: '0/1' } });
    const long = (await get(`/xpub/${key}?gap_limit=15`)).json;
    expect(long.chains[0]).toMatchObject({ used_count: 2, next_unused: { path: '0/4' } });
  });

  test('is the same by the descriptor that says the same', async () => {
    const descriptor = encodeURIComponent(`wpkh([01020304/84h/1h/0h]${key}/<0;1>/*)`);
    expect((await get(`/xpub/${descriptor}`)).json).toEqual((await get(`/xpub/${key}`)).json);
    const receiving = (await get(`/xpub/${encodeURIComponent(`wpkh(${key}/0/*)`)}`)).json;
    expect(receiving.chains).toHaveLength(1);
    expect(receiving.balance).toBe('5.00000000');
  });

  test('is the same with its key in the body, page by page', async () => {
    const post = async (path: string, payload: object) => {
      const response = await app.inject({ method: 'POST', url: `/api/v1${path}`, payload });
      return { status: response.statusCode, headers: response.headers, json: response.json() };
    };
    const summary = await post('/xpub', { key, gap_limit: 15 });
    expect(summary.status).toBe(200);
    expect(summary.json).toEqual((await get(`/xpub/${key}?gap_limit=15`)).json);
    expect(summary.headers).toMatchObject({ 'cache-control': 'no-store', 'x-chain-height': '122' });
    const first = await post('/xpub/txs', { key, limit: 2 });
    expect(first.json).toEqual((await get(`/xpub/${key}/txs?limit=2`)).json);
    const rest = await post('/xpub/txs', { key, limit: 2, cursor: first.json.next_cursor });
    expect(rest.json.items.map(({ txid }: { txid: string }) => txid)).toEqual([
      toDisplayHash(txidOf(received)),
    ]);
    expect(log.join('')).not.toContain(key);
  });

  test('is refused in a body when it is a private key, or nothing of the kind', async () => {
    for (const [given, code] of [
      [root.privateExtendedKey, 'private_key_refused'],
      [`wpkh(${root.privateExtendedKey}/0/*)`, 'private_key_refused'],
      ['nothing', 'wallet_key_invalid'],
    ] as const) {
      for (const url of ['/api/v1/xpub', '/api/v1/xpub/txs']) {
        const response = await app.inject({ method: 'POST', url, payload: { key: given } });
        expect([given, url, response.statusCode, response.json().code]).toEqual([given, url, 400, code]);
      }
    }
    expect(log.join('')).not.toContain(root.privateExtendedKey);
  });

  test('of other kinds of addresses is another one', async () => {
    const { json } = await get(`/xpub/${key}?script_type=p2tr`);
    expect(json).toMatchObject({ script_type: 'p2tr', balance: '0.00000000' });
    expect(json.chains[0].next_unused.path).toBe('0/0');
  });

  test('of several keys is read whole, up to three in one path', async () => {
    const keys = [0, 1, 2].map((i) => root.derive(`m/48'/1'/${i}'/2'`).publicExtendedKey);
    const descriptor = `wsh(sortedmulti(2,${keys.map((each) => `[01020304/48h/1h/0h/2h]${each}/<0;1>/*`).join(',')}))`;
    const { status, json } = await get(`/xpub/${encodeURIComponent(descriptor)}`);
    expect([status, json.script_type, json.balance]).toEqual([200, 'p2wsh-multisig', '0.00000000']);
  });
});

test.each([
  ['an address', addressOf(payee)],
  ['a key with a wrong letter', `${key.slice(0, -1)}1`],
  ['one address of a wallet', encodeURIComponent(`wpkh(${key}/0/5)`)],
  ['a descriptor with a wrong checksum', encodeURIComponent(`wpkh(${key}/0/*)#qqqqqqqq`)],
])('%s is no wallet', async (_, text) => {
  const { status, json } = await get(`/xpub/${text}`);
  expect([status, json.code]).toEqual([400, 'wallet_key_invalid']);
  expect(json.detail).not.toContain(key.slice(10, 30));
});

test.each([
  ['alone', root.privateExtendedKey],
  ['in a descriptor', encodeURIComponent(`wpkh(${root.privateExtendedKey}/0/*)`)],
])('a private key %s is refused', async (_, text) => {
  const { status, json } = await get(`/xpub/${text}`);
  expect([status, json.code]).toEqual([400, 'private_key_refused']);
});

test('a wallet that is used further than is looked at says so, and is not cut short', async () => {
  const busy = makeFixtureChain();
  let n = 20;
  for (let index = 0; index < 1_000; ) {
    const outputs = Array.from({ length: 100 }, () => ({ value: 1000n, script: receive!.scriptAt(index++) }));
    busy.addBlock(scriptOf(miner), [makeTx([{ txid: busy.txs[n++]!.txid, vout: 0 }], outputs)]);
  }
  const { app: server } = createFixtureServer({ chain: busy });
  const response = await server.inject({ url: `/api/v1/xpub/${key}` });
  expect([response.statusCode, response.json().code]).toEqual([422, 'wallet_too_large']);
  expect(response.json().detail).toContain(formatAmount(1000n, 0));
});

test('addresses that are looked at cost', async () => {
  const { app: limited } = createFixtureServer({ chain, server: { rateLimitPerMinute: 100 } });
  const response = await limited.inject({ url: `/api/v1/xpub/${key}?gap_limit=5` });
  // 0/0 to 0/8 and 1/0 to 1/5: fifteen, so one unit and one more.
  expect(response.headers['ratelimit-remaining']).toBe('98');
});

test('addresses that are looked at cost, also where the wallet turns out to have too many', async () => {
  const long = root.derive("m/84'/1'/7'").publicExtendedKey;
  const wallet = readWalletScripts(long, undefined, fixtureProfile);
  if (!wallet.ok) throw new Error(wallet.reason);
  const used = Array.from({ length: 10 }, (_, i) => wallet.value.branches[0]!.scriptAt(i * 100 + 99));
  const wide = makeFixtureChain();
  const spent = { txid: wide.txs[20]!.txid, vout: 0 };
  wide.addBlock(scriptOf(miner), [
    makeTx(
      [spent],
      used.map((script) => ({ value: 1_00000000n, script })),
    ),
  ]);
  for (const path of ['', '/txs']) {
    const { app: limited } = createFixtureServer({ chain: wide, server: { rateLimitPerMinute: 120 } });
    const response = await limited.inject({ url: `/api/v1/xpub/${long}${path}?gap_limit=100` });
    expect([response.statusCode, response.json().code]).toEqual([422, 'wallet_too_large']);
    // A hundred and one, of which some are there again by then: two a second.
    const { headers } = await limited.inject({ url: '/api/v1/health' });
    expect(Number(headers['ratelimit-remaining'])).toBeLessThan(100);
  }
});
