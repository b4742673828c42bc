import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { scriptHashOf } from '../electrum/expected-script.ts';
import { connectElectrum } from '../harness/electrum-client.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { startService } from '../harness/service.ts';

const PROCESSES = 2;
const CLIENTS = 6;

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(101);
});
afterAll(() => node.stop());

forEachEngine('wallets of several processes', (engine) => {
  test('are told the same, each by the process that has its session, also of what another one has sent', async () => {
    const port = await findFreePort();
    const service = await startService({
      nodeUrl: node.url,
      database: await engine.openUrl(),
      settings: {
        COINFRONT_API_PROCESSES: String(PROCESSES),
        COINFRONT_ELECTRUM_LISTEN: `127.0.0.1:${port}`,
      },
    });
    onTestFinished(async () => void (await service.stop()));
    const address = await node.newAddress();
    const { scriptPubKey } = await node.rpc<{ scriptPubKey: string }>('getaddressinfo', address);
    const hash = scriptHashOf(scriptPubKey);
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => connectElectrum(port)));
    onTestFinished(async () => void (await Promise.all(clients.map((client) => client.close()))));
    for (const client of clients) {
      expect(await client.call('blockchain.scripthash.subscribe', hash)).toBeNull();
      await client.call('blockchain.headers.subscribe');
    }
    const raw = await node.rpc('createrawtransaction', [], { [address]: 1 });
    const { hex: funded } = await node.rpc<{ hex: string }>('fundrawtransaction', raw);
    const { hex } = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', funded);
    const txid = await clients[0]!.call('blockchain.transaction.broadcast', hex);
    await waitUntil('all are told of the payment', async () =>
      clients.every(({ told }) => told.length === 1),
    );
    const [block] = await node.mine(1);
    await waitUntil('all are told of the block', async () => clients.every(({ told }) => told.length === 3));
    const { height } = await node.rpc<{ height: number }>('getblock', block);
    for (const { told } of clients) {
      expect(told).toEqual(clients[0]!.told);
      expect(told[1]).toMatchObject({ method: 'blockchain.headers.subscribe', params: [{ height }] });
    }
    expect(await clients[1]!.call('blockchain.scripthash.get_history', hash)).toEqual([
      { tx_hash: txid, height },
    ]);
  });
});
