import type { UtxoJson } from '@coinfront/api/chain-addresses.ts';
import { expect, test } from 'vitest';
import { createClient } from '../client/create-client.ts';
import { clientReads } from './client-reads.ts';
import { scanAccounts } from './scan-accounts.ts';
import { createFakeWallet, MNEMONIC } from './testing/fake-wallet.ts';
import { getBalance } from './wallet-balance.ts';
import type { AddressReport, ChainState } from './wallet-reads.ts';
import { deriveAddress } from './watch-wallet.ts';

const wallet = createFakeWallet({});
const addressOf = (index: number, chain: 0 | 1 = 0) =>
  deriveAddress(wallet.watch, { kind: 'p2wpkh', chain, index }).address;
const txid = (nonce: number) => nonce.toString(16).padStart(64, '0');
const coin = (nonce: number, value: string): UtxoJson => ({
  txid: txid(nonce),
  vout: 0,
  value,
  height: 90,
  confirmations: 1,
  coinbase: false,
  spendable: true,
  spent_in_mempool: false,
  spendable_from_height: null,
});

type Shown = Record<string, UtxoJson[]>;
const sum = (coins: readonly UtxoJson[]) =>
  coins.reduce((all, { value }) => all + Number(value), 0).toFixed(8);
function report(coins: readonly UtxoJson[], page = 25): AddressReport {
  const totals = (count: number, balance: string) => ({
    tx_count: count,
    received_count: count,
    received: balance,
    spent_count: 0,
    spent: '0',
    balance,
  });
  return {
    confirmed: totals(coins.length, sum(coins)),
    mempool: totals(0, '0.00000000'),
    utxos: { items: coins.slice(0, page), next_cursor: coins.length > page ? '25' : null },
  };
}

/** A service that has `/batch` or not, and counts its requests; `shown` is asked for at each of them. */
function startService(
  shown: (request: number) => Shown,
  options: { hasBatch?: boolean; mempool?: (request: number) => number } = {},
) {
  const { hasBatch = true, mempool = () => 1 } = options;
  const requests: string[] = [];
  const answer = (path: string, at: number): unknown => {
    const [, route, subject] = path.split('?')[0]!.split('/');
    if (route === 'status') {
      return {
        index: { height: 100, tip: txid(100) },
        mempool: { version: mempool(at), tx_count: 0, vsize: 0, fees: '0' },
      };
    }
    if (route === 'block') return { hash: txid(Number(subject)) };
    const coins = shown(at)[subject!] ?? [];
    if (route === 'utxos') return { items: coins.slice(25), next_cursor: null };
    return report(coins);
  };
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const path = url.slice('https://coin.example/api/v1'.length);
    const at = requests.push(path);
    if (path !== '/batch') return Response.json(answer(path, at));
    if (!hasBatch) {
      const problem = { code: 'route_not_found', detail: 'No such route.', status: 404 };
      return new Response(JSON.stringify(problem), {
        status: 404,
        headers: { 'content-type': 'application/problem+json' },
      });
    }
    const { reads } = JSON.parse(String(init.body)) as { reads: string[] };
    expect(reads.length).toBeLessThanOrEqual(100);
    const answers = reads.map((read) => ({ status: 200, body: answer(read, at) }));
    return Response.json({ as_of: { height: 100, hash: txid(100) }, answers });
  };
  return {
    requests,
    reads: clientReads(createClient({ baseUrl: 'https://coin.example', fetch, retries: 0 })),
  };
}

test('an empty wallet of 120 addresses takes two requests, and one that is used as far as it is known two again', async () => {
  const empty = startService(() => ({}));
  expect((await scanAccounts(wallet.watch, empty.reads)).used).toEqual([]);
  expect(empty.requests).toEqual(['/batch', '/batch']);

  const { requests, reads } = startService(() => ({
    [addressOf(19)]: [coin(1, '1')],
    [addressOf(30)]: [coin(2, '2')],
  }));
  const first = await scanAccounts(wallet.watch, reads);
  expect(requests).toHaveLength(4);
  requests.length = 0;
  const again = await scanAccounts(wallet.watch, reads, { known: first.memory });
  expect(requests).toEqual(['/batch', '/batch']);
  expect(getBalance(again)).toEqual(getBalance(first));
  expect(getBalance(again).total).toBe(300_000_000n);
  expect(again.positions[0]).toEqual({ kind: 'p2wpkh', chain: 0, next: 31 });
});

test('a service without /batch is asked address by address, and is not asked for it again', async () => {
  const { requests, reads } = startService(() => ({ [addressOf(0)]: [coin(1, '1')] }), { hasBatch: false });
  for (const known of [undefined, undefined]) {
    const scan = await scanAccounts(wallet.watch, reads, { known });
    expect(getBalance(scan).total).toBe(100_000_000n);
  }
  expect(requests.filter((path) => path === '/batch')).toHaveLength(1);
  expect(requests.filter((path) => path.startsWith('/address/')).length).toBe(2 * 121);
});

// A coin of the first address is paid to another one, which is looked at in a later request.
const before = () => ({ [addressOf(0)]: [coin(1, '5')] });
const after = () => ({
  [addressOf(0)]: [],
  [deriveAddress(wallet.watch, { kind: 'p2pkh', chain: 1, index: 3 }).address]: [coin(2, '5')],
});

test.each([true, false])(
  'a coin that moves during a scan is never counted twice (batch: %s)',
  async (hasBatch) => {
    for (let movesAt = 1; movesAt < 10; movesAt += 1) {
      const at = hasBatch ? movesAt : movesAt * 20;
      const { reads } = startService((request) => (request < at ? before() : after()), {
        hasBatch,
        mempool: (request) => (request < at ? 1 : 2),
      });
      expect(getBalance(await scanAccounts(wallet.watch, reads)).total).toBe(500_000_000n);
    }
  },
);

test('a mempool that never rests is no obstacle, as long as the wallet itself stays as it is', async () => {
  const { requests, reads } = startService(before, { mempool: (request) => request });
  expect(getBalance(await scanAccounts(wallet.watch, reads)).total).toBe(500_000_000n);
  expect(requests).toHaveLength(5);
});

test('a wallet that changes under each look has no balance, and not a wrong one', async () => {
  const { reads } = startService((request) => (request % 3 === 0 ? before() : after()), {
    mempool: (request) => request,
  });
  const changing = startService((request) => ({ [addressOf(0)]: [coin(request, '5')] }), {
    mempool: (request) => request,
  });
  await expect(scanAccounts(wallet.watch, changing.reads)).rejects.toMatchObject({ code: 'scan_unsettled' });
  await scanAccounts(wallet.watch, reads).then(
    (scan) => expect(getBalance(scan).total).toBe(500_000_000n),
    (error) => expect(error).toMatchObject({ code: 'scan_unsettled' }),
  );
});

test('further pages of outputs are read again only where the address, or the chain below it, has changed', async () => {
  const many = Array.from({ length: 60 }, (_, index) => coin(index + 1, '0.1'));
  let coins = many;
  const { requests, reads } = startService(() => ({ [addressOf(0)]: coins }));
  const pages = () => requests.filter((path) => path.startsWith('/utxos/')).length;
  const first = await scanAccounts(wallet.watch, reads);
  expect([getBalance(first).total, first.coins.length, pages()]).toEqual([600_000_000n, 60, 1]);
  const second = await scanAccounts(wallet.watch, reads, { known: first.memory });
  expect([getBalance(second).total, second.coins.length, pages()]).toEqual([600_000_000n, 60, 1]);
  const left: ChainState = { ...first.memory.state!, tip: txid(7) };
  await scanAccounts(wallet.watch, reads, { known: { ...first.memory, state: left } });
  expect(pages()).toBe(2);
  coins = [...many, coin(99, '1')];
  const third = await scanAccounts(wallet.watch, reads, { known: second.memory });
  expect([getBalance(third).total, pages()]).toEqual([700_000_000n, 3]);
});

test('a search ends at its gap, whatever an earlier one with a wider gap had found', async () => {
  const { reads } = startService(() => ({ [addressOf(0)]: [coin(1, '1')], [addressOf(60)]: [coin(2, '2')] }));
  const wide = await scanAccounts(wallet.watch, reads, { gapLimit: 100 });
  expect(getBalance(wide).total).toBe(300_000_000n);
  const narrow = await scanAccounts(wallet.watch, reads, { known: wide.memory });
  expect(getBalance(narrow).total).toBe(100_000_000n);
});

test('what is remembered holds no key and no word', async () => {
  const { reads } = startService(before);
  const { memory } = await scanAccounts(wallet.watch, reads);
  const text = JSON.stringify(memory);
  for (const { xpub } of wallet.watch.accounts) expect(text).not.toContain(xpub);
  for (const word of MNEMONIC.split(' ')) expect(text).not.toContain(`"${word}"`);
});
