import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { connectElectrum, type ElectrumClient } from '../harness/electrum-client.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { openPurse, type RawCoin, type RawTx, scriptOf, spend } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { scriptHashOf } from './expected-script.ts';

const VALUE = 10_000_000n;
const FEE = 10_000n;

let node: TestNode;
let nextCoin: () => RawCoin;
let lastOwner = 1_000;

beforeAll(async () => {
  node = await startNode();
  nextCoin = await openPurse(node, { count: 40, value: VALUE, owner: 1 });
});
afterAll(() => node.stop());

/** A transaction of one coin to an owner whom nobody else pays. */
const pay = (coin: RawCoin, fee = FEE): RawTx =>
  spend([coin], [{ value: coin.value - fee, owner: ++lastOwner }]);

forEachEngine('what a wallet broadcasts', (engine) => {
  let service: TestService;
  let port: number;

  beforeAll(async () => {
    port = await findFreePort();
    service = await startService({
      nodeUrl: node.url,
      database: await engine.openUrl(),
      settings: { COINFRONT_ELECTRUM_LISTEN: `127.0.0.1:${port}` },
    });
  });
  afterAll(() => service.stop());

  async function open(): Promise<ElectrumClient> {
    const client = await connectElectrum(port);
    onTestFinished(() => client.close());
    await client.call('server.version', 'test', ['1.4', '1.6']);
    return client;
  }

  /** Asks once, over another session and over HTTP. */
  async function expectShown({ txid, hex, coins }: RawTx, other: ElectrumClient): Promise<void> {
    const { owner, value } = coins[0]!;
    const hash = scriptHashOf(Buffer.from(scriptOf(owner)).toString('hex'));
    const [history, unspent, mempool, raw, overHttp] = await Promise.all([
      other.call('blockchain.scripthash.get_history', hash),
      other.call('blockchain.scripthash.listunspent', hash),
      other.call('blockchain.scripthash.get_mempool', hash),
      other.call('blockchain.transaction.get', txid),
      service.get(`/api/v1/tx/${txid}`),
    ]);
    expect(history).toMatchObject([{ tx_hash: txid }]);
    expect(unspent).toMatchObject([{ tx_hash: txid, tx_pos: 0, value: Number(value) }]);
    expect(mempool).toMatchObject([{ tx_hash: txid }]);
    expect([raw, overHttp.status]).toEqual([hex, 200]);
  }

  test('is shown by every read from its answer on, to every session and over HTTP', async () => {
    const [wallet, other] = [await open(), await open()];
    for (let round = 0; round < 3; round++) {
      const tx = pay(nextCoin());
      expect(await wallet.call('blockchain.transaction.broadcast', tx.hex)).toBe(tx.txid);
      await expectShown(tx, other);
    }
    const many = Array.from({ length: 8 }, () => pay(nextCoin()));
    await Promise.all(
      many.map(async (tx) => {
        expect(await wallet.call('blockchain.transaction.broadcast', tx.hex)).toBe(tx.txid);
        await expectShown(tx, other);
      }),
    );
  });

  test('in a package is shown in all of its parts, or the node says that it knows no packages', async () => {
    const [wallet, other] = [await open(), await open()];
    const parent = pay(nextCoin());
    const child = pay(parent.coins[0]!);
    const { result, error } = await wallet.ask('blockchain.transaction.broadcast_package', [
      [parent.hex, child.hex],
    ]);
    if (error) {
      expect((await node.rpc<string>('help', 'submitpackage')).split('\n')[0]).toMatch(/unknown command/);
      return;
    }
    expect(result).toEqual({ success: true });
    await expectShown(child, other);
    expect((await service.get(`/esplora/tx/${parent.txid}/outspend/0`)).json).toMatchObject({
      spent: true,
      txid: child.txid,
    });
  });

  test('reaches the node only where it is a transaction, alone or in a package', async () => {
    const wallet = await open();
    for (const [method, given] of [
      ['broadcast', 'ab'.repeat(60)],
      ['broadcast_package', [pay(nextCoin()).hex, 'ab'.repeat(60)]],
    ] as const)
      await expect(wallet.call(`blockchain.transaction.${method}`, given)).rejects.toThrow(
        'Not a serialised transaction',
      );
  });
});
