import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import { expect, test } from 'vitest';

import { listPayouts } from './expected-block.ts';
import { listOwners, type Owner, pickOwners } from './expected-owner.ts';
import { baseUnits, coins, isoTime, type TruthNode } from './node-chain.ts';
import { eachAtOnce, getJson, listPages } from './read-api.ts';
import { MATURITY, type TruthContext } from './truth-context.ts';

const ADDRESSES = 200;

/** Defines the tests that hold balances, unspent outputs, histories and payouts against the node, which must be at rest. */
export function defineAddressTruths(get: () => TruthContext): void {
  test('balances and unspent outputs of 200 addresses are those of scantxoutset', async () => {
    const { service, node, chain } = get();
    const owners = pickOwners(chain, ADDRESSES);
    const scanned = await scanUnspent(
      node,
      [...owners.keys()].map((address) => `addr(${address})`),
    );
    await eachAtOnce(owners, async ([address, { script }]) => {
      const unspent = scanned.filter(({ scriptPubKey }) => scriptPubKey === script);
      const balance = coins(unspent.reduce((sum, { amount }) => sum + baseUnits(amount), 0n));
      const summary = await getJson(service, `/api/v1/address/${address}`);
      expect(summary).toMatchObject({ address, script, balance, confirmed: { balance } });
      const listed = await getJson(service, `/esplora/address/${address}/utxo`);
      const confirmed = (listed as EsploraUtxo[]).filter(({ status }) => status.confirmed);
      const spentInMempool = unspent.filter(({ txid, vout }) => chain.spends.has(`${txid}:${vout}`));
      expect(new Set([...confirmed.map(asText), ...spentInMempool.map(asText)])).toEqual(
        new Set(unspent.map(asText)),
      );
    });
  });

  test('scripts without an address have the balance of scantxoutset under their hash', async () => {
    const { service, node, chain } = get();
    const owners = [...pickOwners(chain, Number.POSITIVE_INFINITY).values()];
    const withAddress = new Set(owners.map(({ script }) => script));
    const others = [...listOwners(chain).values()].filter(({ script }) => !withAddress.has(script));
    expect(others.length).toBeGreaterThan(20);
    const scannable = others.filter(({ script }) => script !== '');
    const scanned = await scanUnspent(
      node,
      scannable.map(({ script }) => `raw(${script})`),
    );
    await eachAtOnce(scannable, async ({ script }) => {
      const unspent = scanned.filter(
        ({ scriptPubKey, txid, vout }) => scriptPubKey === script && !chain.spends.has(`${txid}:${vout}`),
      );
      const hash = Buffer.from(sha256(getHexBytes(script))).toString('hex');
      const listed = (await getJson(service, `/esplora/scripthash/${hash}/utxo`)) as EsploraUtxo[];
      const confirmed = listed.filter(({ status }) => status.confirmed);
      expect(new Set(confirmed.map(asText))).toEqual(new Set(unspent.map(asText)));
    });
  });

  test("summaries of addresses count what the node's transactions do to them", async () => {
    const { service, chain } = get();
    await eachAtOnce(pickOwners(chain, ADDRESSES), async ([address, owner]) => {
      const summary = await getJson(service, `/api/v1/address/${address}`);
      expect(summary.confirmed).toEqual(totalsOf(owner.chain));
      expect(summary.mempool).toEqual(totalsOf(owner.mempool));
    });
  });

  test('the pages of /utxos are what the next block can spend, each once', async () => {
    const { service, chain } = get();
    await eachAtOnce(pickOwners(chain, ADDRESSES), async ([address, owner]) => {
      const pages = await listPages(service, `/api/v1/utxos/${address}`, 3);
      const spendable = [...owner.utxos].filter(
        ([, { height, coinbase }]) => !coinbase || chain.height + 1 - height! >= MATURITY,
      );
      expect(
        pages
          .flat()
          .map(({ txid, vout }) => `${txid}:${vout}`)
          .sort(),
      ).toEqual(spendable.map(([outpoint]) => outpoint).sort());
      for (const utxo of pages.flat()) {
        const { value, height, coinbase } = owner.utxos.get(`${utxo.txid}:${utxo.vout}`)!;
        expect(utxo).toEqual({
          txid: utxo.txid,
          vout: utxo.vout,
          value: coins(value),
          height: height ?? null,
          confirmations: height === undefined ? 0 : chain.height - height + 1,
          coinbase,
          spendable: true,
          spent_in_mempool: false,
          spendable_from_height: coinbase ? height! + MATURITY : null,
        });
      }
    });
  });

  test('the pages of a history are every transaction of the address, newest first, each once', async () => {
    const { service, chain } = get();
    await eachAtOnce(pickOwners(chain, ADDRESSES), async ([address, owner]) => {
      const pages = await listPages(service, `/api/v1/address/${address}/txs`, 4);
      expect(pages.slice(0, -1).every((page) => page.length === 4)).toBe(true);
      const expected = owner.history.toReversed().map(({ txid, delta, height, position }) => {
        const block = height === undefined ? undefined : chain.blocks[height]!;
        return {
          txid,
          delta: coins(delta),
          confirmed: height !== undefined,
          confirmations: height === undefined ? 0 : chain.height - height + 1,
          block: block ? { hash: block.hash, height, position, time: isoTime(block.time) } : null,
          first_seen: block ? null : expect.any(String),
        };
      });
      const confirmed = (entries: typeof expected) => entries.filter((entry) => entry.confirmed);
      const items = pages.flat() as typeof expected;
      // The mempool has no order of its own.
      expect(items.map(({ txid }) => txid).sort()).toEqual(expected.map(({ txid }) => txid).sort());
      expect(items.findLastIndex((entry) => !entry.confirmed)).toBe(
        items.length - confirmed(items).length - 1,
      );
      expect(confirmed(items)).toEqual(confirmed(expected));
    });
  });

  test('payouts of /mining/address are the coinbases of the node, for every address that one ever paid', async () => {
    const { service, chain } = get();
    const payouts = listPayouts(chain);
    const owners = pickOwners(chain, Number.POSITIVE_INFINITY);
    const miners = [...owners].filter(([, { script }]) => payouts.some((payout) => payout.script === script));
    expect(miners.length).toBeGreaterThan(3);
    await eachAtOnce(miners, async ([address, { script }]) => {
      const own = payouts.filter((payout) => payout.script === script);
      const heights = own.map(({ height }) => height);
      const path = `/api/v1/mining/address/${address}`;
      expect((await getJson(service, path)).totals).toEqual({
        blocks: new Set(heights).size,
        value: coins(own.reduce((sum, { value }) => sum + value, 0n)),
        first_height: Math.min(...heights),
        last_height: Math.max(...heights),
      });
      const items = (await listPages(service, path, 3)).flat();
      const expected = own.map(({ height, txid, vout, value }) => ({
        height,
        block_hash: chain.blocks[height]!.hash,
        time: isoTime(chain.blocks[height]!.time),
        txid,
        vout,
        value: coins(value),
        confirmations: chain.height - height + 1,
        mature: chain.height + 1 - height >= MATURITY,
      }));
      expect(items.toSorted(byHeightAndVout)).toEqual(expected.toSorted(byHeightAndVout));
      expect(items.map(({ height }) => height)).toEqual(heights);

      const latest = await getJson(service, `${path}?scan=20&limit=100`);
      expect(latest.scanned).toEqual({ from_height: chain.height - 19, to_height: chain.height });
      expect(latest.items).toEqual(items.filter(({ height }) => height > chain.height - 20));
    });
  });
}

/** Defines the tests of what a search finds. */
export function defineSearchTruths(get: () => TruthContext): void {
  test('/search finds blocks, transactions and addresses, and says which', async () => {
    const { service, chain } = get();
    const search = async (text: string) =>
      (await getJson(service, `/api/v1/search?q=${encodeURIComponent(text)}`)).items;
    const block = chain.blocks[chain.height - 2]!;
    const [address] = [...pickOwners(chain, 1).keys()];
    expect(await search(block.height)).toEqual([
      { kind: 'block', id: block.hash, path: `/api/v1/block/${block.height}` },
    ]);
    expect(await search(` ${block.hash.toUpperCase()} `)).toEqual([
      { kind: 'block', id: block.hash, path: `/api/v1/block/${block.hash}` },
    ]);
    const { txid } = block.tx.at(-1)!;
    expect(await search(txid)).toEqual([{ kind: 'transaction', id: txid, path: `/api/v1/tx/${txid}` }]);
    expect(await search(address!)).toEqual([
      { kind: 'address', id: address, path: `/api/v1/address/${address}` },
    ]);
    for (const text of [String(chain.height + 1), 'f'.repeat(64), 'nothing']) {
      expect(await search(text)).toEqual([]);
    }
  });
}

type EsploraUtxo = { txid: string; vout: number; value: number; status: { confirmed: boolean } };
type ScannedUtxo = { txid: string; vout: string; amount: string; scriptPubKey: string };

function asText(utxo: EsploraUtxo | ScannedUtxo): string {
  const value = 'amount' in utxo ? baseUnits(utxo.amount) : utxo.value;
  return `${utxo.txid}:${utxo.vout} ${value}`;
}

async function scanUnspent(node: TruthNode, descriptors: readonly string[]): Promise<ScannedUtxo[]> {
  const answer = await node.client.callText<{ success: boolean; unspents: ScannedUtxo[] }>('scantxoutset', [
    'start',
    descriptors,
  ]);
  expect(answer.success).toBe(true);
  return answer.unspents;
}

function totalsOf(stats: Owner['chain']): Record<string, unknown> {
  return {
    tx_count: stats.txCount,
    received_count: stats.receivedCount,
    received: coins(stats.received),
    spent_count: stats.spentCount,
    spent: coins(stats.spent),
    balance: coins(stats.received - stats.spent),
  };
}

function byHeightAndVout(a: { height: number; vout: number }, b: { height: number; vout: number }): number {
  return b.height - a.height || a.vout - b.vout;
}
