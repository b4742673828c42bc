import { afterAll, beforeAll, expect, test } from 'vitest';
import { startNode, type TestNode } from '../../test/harness/litecoind.ts';
import { createRandom } from './random.ts';
import { createTrafficWallet } from './wallet.ts';

type Outpoint = { txid: string; vout: number };

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(110);
});
afterAll(() => node?.stop());

const listLocked = async () => await node.rpc<Outpoint[]>('listlockunspent');

test('what others spend while coins are listed ends nothing: none are reserved until the next block', async () => {
  let spendAll: (() => Promise<void>) | undefined = async () => {
    const [to, balance] = [await node.newAddress(), await node.client.callText<string>('getbalance')];
    await node.rpc('sendtoaddress', to, balance, '', '', true);
  };
  const wallet = createTrafficWallet(
    {
      ...node.client,
      async callText<T>(method: string, ...rest: unknown[]): Promise<T> {
        const answer = await node.client.callText<T>(method, ...(rest as []));
        if (method === 'listunspent') {
          await spendAll?.();
          spendAll = undefined;
        }
        return answer;
      },
    },
    createRandom(1),
  );
  await wallet.refresh();
  expect([wallet.takeCoins(1), await listLocked()]).toEqual([[], []]);
  await node.mine(10);
  await wallet.refresh();
  expect(wallet.takeCoins(1)).toHaveLength(1);
});

test('gives back its own reservations and no others', async () => {
  const [coin] = await node.rpc<Outpoint[]>('listunspent');
  const foreign = { txid: coin!.txid, vout: coin!.vout };
  await node.rpc('lockunspent', false, [foreign]);
  const wallet = createTrafficWallet(node.client, createRandom(2));
  for (let block = 0; block < 3; block += 1) {
    await wallet.refresh();
    expect(await listLocked()).toContainEqual(foreign);
    await node.mine(1);
  }
  const held = wallet.takeCoins(100);
  expect((await listLocked()).length).toBeGreaterThan(held.length);
});
