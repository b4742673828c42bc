import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { connectElectrum } from '../harness/electrum-client.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { addressOfOwner, makeMatureCoins, type RawTx, send, spend } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';

// What mempool.space has added to Esplora, on the oldest node that the service runs on.

const VALUE = 10_000_000n;
const FEE = 10_000n;
const OWNER = 1;
const PAYEE = 2;

type Entry = { fees: { base: number }; vsize: number; weight: number; time: number };
type Coinbase = { vin: [{ coinbase: string }]; vout: { value: number }[] };
type Listed = { txid: string };

let node: TestNode;
let hasPackages: boolean;
/** In the mempool, each spending the one before it. */
let family: RawTx[];
/** In the newest block, to the payee. */
let confirmed: RawTx[];

beforeAll(async () => {
  node = await startNode();
  hasPackages = !(await node.rpc<string>('help', 'submitpackage')).startsWith('help: unknown command');
  const coins = await makeMatureCoins(node, { count: 8, value: VALUE, owner: OWNER });
  confirmed = [];
  for (const coin of coins.slice(0, 5)) {
    confirmed.push(await send(node, spend([coin], [{ value: VALUE - FEE, owner: PAYEE }])));
    await node.mine(1);
  }
  const parent = await send(node, spend([coins[5]!], [{ value: VALUE - FEE, owner: PAYEE }]));
  const child = await send(node, spend([parent.coins[0]!], [{ value: VALUE - 3n * FEE, owner: PAYEE }]));
  const last = await send(node, spend([child.coins[0]!], [{ value: VALUE - 4n * FEE, owner: 3 }]));
  family = [parent, child, last];
});
afterAll(() => node.stop());

forEachEngine('what clients of mempool.space read', (engine) => {
  let service: TestService;
  let electrum: number;

  beforeAll(async () => {
    electrum = await findFreePort();
    service = await startService({
      nodeUrl: node.url,
      database: await engine.openUrl(),
      settings: { COINFRONT_ELECTRUM_LISTEN: `127.0.0.1:${electrum}` },
    });
    await service.waitForMempool();
  });
  afterAll(() => service.stop());

  async function get(path: string) {
    const { status, json } = await service.get(`/esplora${path}`);
    expect([path, status]).toEqual([path, 200]);
    return json;
  }

  test('blocks with extras are what the node says of them', async () => {
    const blocks = await get('/v1/blocks');
    const height = await node.rpc<number>('getblockcount');
    expect(blocks.map((block: { height: number }) => block.height)).toEqual(
      Array.from({ length: 15 }, (_, i) => height - i),
    );
    expect(await get(`/v1/blocks/${height - 3}`)).toEqual([
      ...blocks.slice(3),
      ...(await get(`/v1/blocks/${height - 15}`)).slice(0, 3),
    ]);
    for (const { id, extras, ...block } of blocks) {
      expect(await get(`/v1/block/${id}`)).toEqual({ id, ...block, extras });
      expect(await get(`/block/${id}`)).toEqual({ id, ...block });
      const stats = await node.rpc<Record<string, number>>('getblockstats', id);
      expect([extras.totalFees, extras.avgFee]).toEqual([stats.totalfee, stats.avgfee]);
      expect(extras.header).toBe(await node.rpc('getblockheader', id, false));
      const { tx } = await node.rpc<{ tx: [Coinbase] }>('getblock', id, 2);
      const [{ vin, vout }] = tx;
      expect(extras.coinbaseRaw).toBe(vin[0].coinbase);
      expect(extras.reward).toBe(vout.reduce((sum, { value }) => sum + Math.round(value * 1e8), 0));
    }
    const { txouts } = await node.rpc<{ txouts: number }>('gettxoutsetinfo');
    expect(blocks[0].extras.utxoSetSize).toBe(txouts);
  });

  test('what hangs together in the mempool is as the node has it, with the time of the first sight', async () => {
    const entries = await node.rpc<Record<string, Entry>>('getrawmempool', true);
    const shown = ({ txid }: RawTx) => {
      const { fees, weight, vsize } = entries[txid]!;
      return {
        txid,
        fee: Math.round(fees.base * 1e8),
        weight: weight === undefined ? expect.any(Number) : weight,
        vsize,
      };
    };
    const byTxid = (a: Listed, b: Listed) => (a.txid < b.txid ? -1 : 1);
    for (const [index, tx] of family.entries()) {
      const { ancestors, descendants, fee } = await get(`/v1/cpfp/${tx.txid}`);
      const without = (list: readonly RawTx[]) => list.map(shown).map(({ vsize: _, ...rest }) => rest);
      expect(ancestors.toSorted(byTxid)).toEqual(without(family.slice(0, index)).sort(byTxid));
      expect(descendants.toSorted(byTxid)).toEqual(without(family.slice(index + 1)).sort(byTxid));
      expect(fee).toBe(shown(tx).fee);
    }
    expect(await get(`/v1/cpfp/${confirmed[0]!.txid}`)).toEqual({ ancestors: [] });
    const ids = [...family, confirmed[0]!].map(({ txid }) => `txId[]=${txid}`).join('&');
    const times = await get(`/v1/transaction-times?${ids}`);
    expect(times).toEqual([...family.map(() => expect.any(Number)), 0]);
    for (const [index, { txid }] of family.entries())
      expect(times[index]).toBeGreaterThanOrEqual(entries[txid]!.time);
  });

  test('the mempool in blocks has what the node’s mempool has', async () => {
    const { size, bytes } = await node.rpc<{ size: number; bytes: number }>('getmempoolinfo');
    const [block, ...more] = await get('/v1/fees/mempool-blocks');
    expect(more).toEqual([]);
    expect(block).toMatchObject({ nTx: size, blockVSize: bytes, totalFees: Number(4n * FEE) });
  });

  test('recommended fees are none below the least that the node relays', async () => {
    const fees = await get('/v1/fees/recommended');
    const { relayfee } = await node.rpc<{ relayfee: number }>('getnetworkinfo');
    const least = Math.ceil(Math.round(relayfee * 1e8) / 1_000);
    expect(fees.minimumFee).toBe(least);
    const rates = [fees.fastestFee, fees.halfHourFee, fees.hourFee, fees.economyFee];
    expect(rates).toEqual(rates.toSorted((a, b) => b - a));
    expect(Math.min(...rates)).toBeGreaterThanOrEqual(least);
  });

  test('an address is valid where it is so for the node, and has the script that the node knows', async () => {
    const addresses = await Promise.all(
      (['legacy', 'p2sh-segwit', 'bech32'] as const).map((kind) => node.newAddress(kind)),
    );
    for (const address of [...addresses, addressOfOwner(PAYEE)]) {
      const { isvalid, scriptPubKey, isscript, iswitness, witness_version, witness_program } = await node.rpc<
        Record<string, unknown>
      >('validateaddress', address);
      const expected = { isvalid, address, scriptPubKey, isscript, iswitness };
      expect(await get(`/v1/validate-address/${address}`)).toEqual(
        iswitness ? { ...expected, witness_version, witness_program } : expected,
      );
      const wrong = `${address.slice(0, -1)}${address.endsWith('q') ? 'p' : 'q'}`;
      expect(await node.rpc('validateaddress', wrong)).toMatchObject({ isvalid: false });
      expect(await get(`/v1/validate-address/${wrong}`)).toEqual({ isvalid: false });
    }
  });

  test('the period of the difficulty is told by the node’s blocks', async () => {
    const height = await node.rpc<number>('getblockcount');
    const genesis = await node.rpc<{ time: number }>('getblockheader', await node.rpc('getblockhash', 0));
    expect(await get('/v1/difficulty-adjustment')).toMatchObject({
      remainingBlocks: 2_016 - height,
      nextRetargetHeight: 2_016,
      previousTime: genesis.time,
    });
  });

  test('outspends of many, summaries, and histories behind a transaction are the node’s', async () => {
    const txs = [...confirmed, ...family];
    const outspends = await get(`/txs/outspends?txids=${txs.map(({ txid }) => txid).join(',')}`);
    const spenders = new Map([
      [family[0]!.txid, family[1]!.txid],
      [family[1]!.txid, family[2]!.txid],
    ]);
    for (const [index, { txid }] of txs.entries()) {
      const spender = spenders.get(txid);
      expect(outspends[index]).toMatchObject([spender ? { spent: true, txid: spender } : { spent: false }]);
      // The node has no output that is spent, in its mempool either.
      expect(await node.rpc('gettxout', txid, 0)).toEqual(spender ? null : expect.any(Object));
    }

    const path = `/address/${addressOfOwner(PAYEE)}/txs`;
    const newestFirst = confirmed.toReversed();
    const summary = await get(`${path}/summary`);
    expect(summary.map(({ txid, value }: Listed & { value: number }) => [txid, value])).toEqual(
      newestFirst.map(({ txid }) => [txid, Number(VALUE - FEE)]),
    );
    const all: Listed[] = await get(path);
    expect(all.slice(3).map(({ txid }) => txid)).toEqual(newestFirst.map(({ txid }) => txid));
    for (const [index, { txid }] of all.entries())
      expect(await get(`${path}?after_txid=${txid}`)).toEqual(all.slice(index + 1));
  });

  test('a node without packages is told of in words that say what to do', async (context) => {
    if (hasPackages) context.skip('this node has packages');
    const hexes = [confirmed[0]!.hex, confirmed[1]!.hex];
    const { status, headers, text } = await service.post('/esplora/txs/package', JSON.stringify(hexes));
    expect([status, headers.get('content-type')]).toEqual([503, 'text/plain; charset=utf-8']);
    const words = /takes no packages.*'submitpackage'.*one by one, parents first/;
    expect(text).toMatch(words);
    const wallet = await connectElectrum(electrum);
    onTestFinished(() => wallet.close());
    await wallet.call('server.version', 'test', '1.6');
    const { error } = await wallet.ask('blockchain.transaction.broadcast_package', [hexes]);
    expect(error.code).toBe(2);
    expect(error.message).toMatch(words);
    expect(error.message).not.toContain('rejected');
  });
});
