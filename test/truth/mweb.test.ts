import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { defineBlockTruths, defineTransactionTruths } from './block-truth.ts';
import { type NodeChain, readNodeChain } from './node-chain.ts';
import { getJson } from './read-api.ts';
import { defineTotalsTruths } from './totals-truth.ts';

/** Litecoin's extension blocks begin at this height of a regtest chain, and need a peg-in there. */
const MWEB_HEIGHT = 432;

let node: TestNode;
let pegOut: string;

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

  test('has the coins that come out of an extension block', async () => {
    const { utxos } = await getJson(service, `/api/v1/address/${pegOut}`);
    expect(utxos.items).toMatchObject([{ value: '2.00000000', coinbase: false, confirmations: 2 }]);
  });
});
