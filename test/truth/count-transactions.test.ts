import { afterAll, beforeAll, expect, test } from 'vitest';
import { countTransactions } from '../../service/src/node/count-transactions.ts';
import { NodeError } from '../../service/src/node/node-error.ts';
import type { NodeClient } from '../../service/src/node/rpc-client.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';

const HEIGHT = 120;
let node: TestNode;
let all: number;

beforeAll(async () => {
  node = await startNode();
  await node.mine(HEIGHT - 10);
  for (let i = 0; i < 10; i++) {
    await node.rpc('sendtoaddress', await node.newAddress(), 0.1);
    await node.mine(1);
  }
  all = HEIGHT + 1 + 10;
});
afterAll(() => node.stop());

/** As Dogecoin's node is, which does not know the call. */
function withoutCount(client: NodeClient): NodeClient {
  return {
    ...client,
    async call(method, params, options) {
      if (method === 'getchaintxstats') throw new NodeError('rpc', 'Method not found', { rpcCode: -32601 });
      return client.call(method, params, options);
    },
  };
}

test('the transactions of a chain are as many as the node says, whatever is indexed', async () => {
  for (const indexed of [
    { height: -1, txs: 0 },
    { height: 100, txs: 101 },
  ]) {
    const counted = await countTransactions(node.client, HEIGHT, indexed);
    expect(counted).toEqual({ height: HEIGHT, txs: all, isEstimate: false });
  }
});

test('where the node does not know, they are estimated from blocks between the index and the tip', async () => {
  const client = withoutCount(node.client);
  const whole = await countTransactions(client, HEIGHT, { height: -1, txs: 0 });
  expect(whole.isEstimate).toBe(true);
  expect(whole.txs).toBeGreaterThan(all * 0.9);
  expect(whole.txs).toBeLessThan(all * 1.1);
  // Fewer blocks than are asked for are all counted.
  const last = { height: HEIGHT - 10, txs: HEIGHT - 9 };
  expect(await countTransactions(client, HEIGHT, last)).toEqual({
    height: HEIGHT,
    txs: all,
    isEstimate: true,
  });
  const none = { height: HEIGHT, txs: all };
  expect(await countTransactions(client, HEIGHT, none)).toMatchObject({ txs: all });
});

test('a node that does not answer is not taken for one that does not know', async () => {
  const gone: NodeClient = {
    ...node.client,
    call: () => Promise.reject(new NodeError('unreachable', 'connect ECONNREFUSED')),
  };
  await expect(countTransactions(gone, HEIGHT, { height: -1, txs: 0 })).rejects.toMatchObject({
    kind: 'unreachable',
  });
});
