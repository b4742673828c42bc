import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { createTraffic, type Traffic } from '../../scripts/traffic/traffic.ts';
import { connectElectrum, type ElectrumClient, type ElectrumMessage } from '../harness/electrum-client.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { testProfile } from '../harness/test-coin.ts';
import { headerOf, readNodeChain } from '../truth/node-chain.ts';
import { expectScript, indexScripts, listScripts, scriptHashOf } from './expected-script.ts';

let node: TestNode;
let traffic: Traffic;

beforeAll(async () => {
  node = await startNode();
  traffic = await createTraffic(node.client, { seed: 23 });
  await traffic.prepare();
  for (let block = 0; block < 6; block++) {
    await traffic.sendSome(25);
    await traffic.mineBlock();
  }
  await traffic.sendSome(20);
  await spendUnconfirmed();
}, 180_000);
afterAll(() => node?.stop());

/** A transaction whose parent waits as well: it counts as of height -1. */
async function spendUnconfirmed(): Promise<void> {
  const address = await node.newAddress();
  const txid = await node.rpc<string>('sendtoaddress', address, 1);
  const { details } = await node.rpc<{ details: { address: string; vout: number }[] }>(
    'gettransaction',
    txid,
  );
  const { vout } = details.find((each) => each.address === address)!;
  const raw = await node.rpc('createrawtransaction', [{ txid, vout }], { [await node.newAddress()]: 0.999 });
  const { hex } = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', raw);
  await node.rpc('sendrawtransaction', hex);
}

forEachEngine('Electrum answers', (engine) => {
  let service: TestService;
  let port: number;
  let client: ElectrumClient;

  beforeAll(async () => {
    port = await findFreePort();
    service = await startService({
      nodeUrl: node.url,
      database: await engine.openUrl(),
      settings: { COINFRONT_ELECTRUM_LISTEN: `127.0.0.1:${port}` },
    });
    await service.waitForMempool();
    client = await connectElectrum(port);
    expect(await client.call('server.version', 'test', ['1.4', '1.6'])).toEqual([expect.any(String), '1.6']);
  });
  afterAll(async () => {
    await client?.close();
    await service?.stop();
  });

  test('are what the node alone says of every script', async () => {
    const chain = await readNodeChain(node);
    const touching = indexScripts(chain);
    const scripts = listScripts(chain);
    expect(scripts.length).toBeGreaterThan(200);
    let withParents = 0;
    for (const script of scripts) {
      const hash = scriptHashOf(script);
      const [balance, history, mempool, unspent, status] = await Promise.all([
        client.call('blockchain.scripthash.get_balance', hash),
        client.call('blockchain.scripthash.get_history', hash),
        client.call('blockchain.scripthash.get_mempool', hash),
        client.call('blockchain.scripthash.listunspent', hash),
        client.call('blockchain.scripthash.subscribe', hash),
      ]);
      const expected = expectScript(chain, script, touching.get(script) ?? []);
      expect({ script, balance, history, status }).toEqual({
        script,
        balance: expected.balance,
        history: expected.history,
        status: expected.status,
      });
      expect(mempool).toEqual(expected.history.filter(({ height }) => height <= 0));
      withParents += mempool.filter(({ height }: { height: number }) => height === -1).length;
      expect(sortOutputs(unspent)).toEqual(sortOutputs(expected.unspent));
      expect(await client.call('blockchain.scripthash.unsubscribe', hash)).toBe(true);
      expect(await client.call('blockchain.scripthash.unsubscribe', hash)).toBe(false);
    }
    expect(withParents).toBeGreaterThan(0);
    const nobody = scriptHashOf('51'.repeat(30));
    expect(await client.call('blockchain.scripthash.subscribe', nobody)).toBeNull();
    expect(await client.call('blockchain.scripthash.get_history', nobody)).toEqual([]);
  });

  test('give transactions and headers as the node does', async () => {
    const chain = await readNodeChain(node);
    for (const { tx, height, position } of [...chain.txs.values()].slice(-120)) {
      expect(await client.call('blockchain.transaction.get', tx.txid)).toBe(tx.hex);
      const verbose = await client.call('blockchain.transaction.get', tx.txid, true);
      expect(withoutNames(verbose)).toEqual(withoutNames(await node.rpc('getrawtransaction', tx.txid, true)));
      if (height === undefined) continue;
      const { merkle, pos } = await client.call('blockchain.transaction.get_merkle', tx.txid, height);
      expect(pos).toBe(position);
      const byPosition = await client.call('blockchain.transaction.id_from_pos', height, position, true);
      expect(byPosition).toEqual({ tx_hash: tx.txid, merkle });
    }
    const texts = await Promise.all(chain.blocks.map(({ hash }) => headerOf(node, hash)));
    const all = await client.call('blockchain.block.headers', 0, 5_000);
    expect(all).toEqual({ count: texts.length, headers: texts, max: 2016 });
    expect(await client.call('blockchain.block.header', 7)).toBe(texts[7]);
    const { hex, height } = await client.call('blockchain.headers.subscribe');
    expect([hex, height]).toEqual([texts.at(-1), chain.height]);
    const features = await client.call('server.features');
    expect(features).toMatchObject({
      genesis_hash: testProfile.genesisHash,
      hash_function: 'sha256',
      protocol_min: '1.4',
      protocol_max: '1.6',
      pruning: null,
    });
  });
});

function sortOutputs(outputs: readonly { tx_hash: string; tx_pos: number }[]): unknown[] {
  return outputs.map((each) => JSON.stringify(each, ['height', 'tx_hash', 'tx_pos', 'value'])).sort();
}

/** Nodes name addresses by one word or another, and say what only some of them do. */
function withoutNames(tx: ElectrumMessage): unknown {
  const { in_active_chain: _, fee: __, ...rest } = tx;
  return {
    ...rest,
    vin: tx.vin.map(({ ismweb: _, ...input }: ElectrumMessage) => input),
    vout: tx.vout.map(
      ({ value, n, scriptPubKey: { asm, hex, type, address, addresses } }: ElectrumMessage) => ({
        value,
        n,
        asm,
        hex,
        // Younger nodes than Litecoin's have a word of its own for a script that anybody may spend.
        type: type === 'anchor' ? 'witness_unknown' : type,
        address: type === 'multisig' || type === 'pubkey' ? null : (address ?? addresses?.[0] ?? null),
      }),
    ),
  };
}
