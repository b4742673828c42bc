import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { type FakeNode, sendJson, startFakeNode } from '../harness/fake-node.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { makeMatureCoins, type RawCoin, spend } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';

const VALUE = 10_000_000n;

let node: TestNode;
/** The node, but for one call: what it says of its network. Without it the service knows nothing of the node's state. */
let silent: FakeNode;
let coins: RawCoin[];

beforeAll(async () => {
  node = await startNode();
  coins = await makeMatureCoins(node, { count: 8, value: VALUE, owner: 1 });
  const { origin, username, password } = new URL(node.url);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  silent = await startFakeNode(async (response, { path, rpc }) => {
    const body = rpc === undefined ? undefined : JSON.stringify(rpc);
    if (body?.includes('"getnetworkinfo"')) return sendJson(response, 503, { error: 'busy' });
    const asked = { headers: { authorization }, ...(body !== undefined && { method: 'POST', body }) };
    const found = await fetch(`${origin}${path}`, asked)
      .then(async (answer) => ({ status: answer.status, bytes: await answer.arrayBuffer() }))
      .catch(() => undefined);
    // At the end the node may be gone while it is still asked.
    if (found === undefined) return void response.destroy();
    response.writeHead(found.status).end(Buffer.from(found.bytes));
  });
});
afterAll(async () => {
  await silent?.stop();
  await node.stop();
});

forEachEngine('beside a node that never says how it is', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ nodeUrl: silent.url, database: await engine.openUrl() });
  });
  afterAll(() => service.stop());

  test('the state of the node is told as unknown, and what is broadcast is shown from its answer on', async () => {
    expect((await service.get('/api/v1/status')).json.node).toMatchObject({ available: false });
    for (const coin of coins.splice(0, 3)) {
      const { txid, hex } = spend([coin], [{ value: VALUE - 10_000n, owner: 2 }]);
      const answer = await service.post('/esplora/tx', hex);
      expect([answer.status, answer.text, answer.headers.get('x-chain-visibility')]).toEqual([
        200,
        txid,
        'visible',
      ]);
      expect((await service.get(`/api/v1/tx/${txid}`)).status).toBe(200);
    }
  });
});
