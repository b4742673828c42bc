import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMempoolLook } from '../../service/src/indexer/mempool/refresh-mempool.ts';
import type { NodeClient } from '../../service/src/node/rpc-client.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { catchUp, openTestIndexer } from '../harness/test-indexer.ts';
import { defineBlockOrderTruths } from './block-order-truth.ts';
import { defineBlockTruths, defineTransactionTruths } from './block-truth.ts';
import { type NodeChain, readNodeChain } from './node-chain.ts';
import { getJson } from './read-api.ts';
import { defineTotalsTruths } from './totals-truth.ts';

/** Litecoin's extension blocks begin at this height of a regtest chain, and need a peg-in there. */
const MWEB_HEIGHT = 432;

let node: TestNode;
let pegOut: string;
/** A transaction of the payee's that spends a coin. */
let signSpend: (coin: { txid: string; vout: number }) => Promise<string>;

beforeAll(async () => {
  node = await startNode({ extraArgs: ['-vbparams=mweb:0:9223372036854775807'] });
  await node.mine(MWEB_HEIGHT - 1);
  const payee = await node.newAddress();
  await node.rpc('createwallet', 'private');
  await node.rpc('unloadwallet', 'private');
  await node.rpc('unloadwallet', 'main');
  await node.rpc('loadwallet', 'private');
  const hidden = await node.rpc<string>('getnewaddress', '', 'mweb');
  const miner = await node.newAddress();
  await node.rpc('unloadwallet', 'private');
  await node.rpc('loadwallet', 'main');
  await node.rpc('sendtoaddress', hidden, '10');
  await node.mine(1, miner);
  // From here on the wallet has nothing but coins of the extension block.
  await node.rpc('unloadwallet', 'main');
  await node.rpc('loadwallet', 'private');
  await node.rpc('sendtoaddress', await node.rpc('getnewaddress', '', 'mweb'), '1');
  await node.mine(1, miner);
  await node.rpc('sendtoaddress', payee, '2');
  await node.mine(2, miner);
  pegOut = payee;
  // One that stays in the mempool, and has no input outside of the extension block.
  await node.rpc('sendtoaddress', await node.rpc('getnewaddress', '', 'mweb'), '1');
  const change = await node.newAddress();
  await node.rpc('unloadwallet', 'private');
  await node.rpc('loadwallet', 'main');
  signSpend = async ({ txid, vout }) => {
    const raw = await node.rpc('createrawtransaction', [{ txid, vout }], [{ [change]: '1.999' }]);
    return (await node.rpc<{ hex: string }>('signrawtransactionwithwallet', raw)).hex;
  };
});
afterAll(() => node.stop());

forEachEngine("a chain with Litecoin's extension blocks", (engine) => {
  let service: TestService;
  let chain: NodeChain;

  beforeAll(async () => {
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
    chain = await readNodeChain(node, { mempool: false });
  });
  afterAll(() => service.stop());

  const get = () => ({ service, node, chain, fromHeight: MWEB_HEIGHT - 5 });
  defineTotalsTruths(get);
  defineTransactionTruths(get);
  defineBlockTruths(get);
  defineBlockOrderTruths(get);

  test('fetches a transaction that only an extension block will have once, and has all others', async () => {
    const indexer = await openTestIndexer(await engine.openUrl());
    const fetched: unknown[] = [];
    const client: NodeClient = {
      ...node.client,
      batch: (calls) => {
        fetched.push(...calls.filter(({ method }) => method === 'getrawtransaction'));
        return node.client.batch(calls);
      },
    };
    await catchUp(node.client, indexer);
    const look = openMempoolLook(client, indexer.mempool);
    const tip = await node.rpc<string>('getbestblockhash');
    const [hidden] = await node.rpc<string[]>('getrawmempool');
    for (let looks = 0; looks < 3; looks++) expect(await look(tip, () => false)).toBe('whole');
    expect(fetched).toEqual([{ method: 'getrawtransaction', params: [hidden] }]);
    expect([...indexer.mempool.txids()]).toEqual([]);
    await indexer.close();
  });

  test('has the coins that come out of an extension block, as not to be spent before the node allows it', async () => {
    const { utxos } = await getJson(service, `/api/v1/address/${pegOut}`);
    const [coin] = utxos.items;
    expect(utxos.items).toMatchObject([{ value: '2.00000000', coinbase: false, confirmations: 2 }]);
    expect(coin).toMatchObject({ spendable: false, spendable_from_height: coin.height + 6 });
    expect(await getJson(service, `/api/v1/utxos/${pegOut}`)).toMatchObject({ items: [] });
    const refused = await service.post('/api/v1/broadcast', { raw_tx: await signSpend(coin) });
    expect(refused.json).toMatchObject({ status: 422, code: 'coinbase_immature' });
  });
});
