import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeNode, sendResults, startFakeNode } from '../../../test/harness/fake-node.ts';
import { isCatchingUp } from './pending-blocks.ts';
import { createNodeClient, type NodeClient } from './rpc-client.ts';

let answers: Record<string, unknown>;
let fake: FakeNode;
let node: NodeClient;

beforeEach(async () => {
  fake = await startFakeNode((response, request) =>
    sendResults(response, request, (method) => answers[method]),
  );
  node = createNodeClient({ url: fake.url });
});
afterEach(async () => {
  await node.close();
  await fake.stop();
});

const active = { height: 100, status: 'active' };

test.each([
  ['has every block it knows of', { headers: 100 }, [active], false],
  ['downloads the chain', { headers: 100, initialblockdownload: true }, [active], true],
  [
    'knows of headers without their blocks',
    { headers: 103 },
    [active, { height: 103, status: 'headers-only' }],
    true,
  ],
  [
    'has blocks it has yet to check',
    { headers: 101 },
    [active, { height: 101, status: 'valid-headers' }],
    true,
  ],
  ['refused the longer branch', { headers: 105 }, [active, { height: 105, status: 'invalid' }], false],
  ['has a shorter branch besides', { headers: 101 }, [active, { height: 99, status: 'headers-only' }], false],
])('a node that %s', async (_, info, tips, isBehind) => {
  answers = { getblockchaininfo: { blocks: 100, initialblockdownload: false, ...info }, getchaintips: tips };
  expect(await isCatchingUp(node)).toBe(isBehind);
});
