import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendResults, startFakeNode } from '../../../test/harness/fake-node.ts';
import { startNode, type TestNode } from '../../../test/harness/litecoind.ts';
import { checkNode, fetchNodeFacts } from './node-facts.ts';
import { createNodeClient } from './rpc-client.ts';

const LITECOIN_REGTEST_GENESIS = '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(3);
});
afterAll(() => node.stop());

test('a node of the expected chain describes itself', async () => {
  const check = await checkNode(node.client, { name: 'regtest', genesisHash: LITECOIN_REGTEST_GENESIS });
  expect(check.ok).toBe(true);
  expect(check.facts).toMatchObject({
    chain: 'regtest',
    blocks: 3,
    headers: 3,
    pruned: false,
    pruneHeight: undefined,
    connections: 0,
    relayFee: '0.00001000',
    incrementalFee: '0.00001000',
  });
  expect(check.facts.subversion).toMatch(/^\/LitecoinCore:/);
  expect(check.facts.version).toBeGreaterThan(210_000);
});

test('a node of another chain is told apart in one line that says what to do', async () => {
  const check = await checkNode(node.client, { name: 'coin', genesisHash: 'ab'.repeat(32) });
  expect(check.ok).toBe(false);
  const reason = check.ok ? '' : check.reason;
  expect(reason).toContain(LITECOIN_REGTEST_GENESIS);
  expect(reason).toContain('COINFRONT_COIN');
  expect(reason).not.toContain('\n');
  expect(reason).not.toMatch(/:[^/]*@/);
});

const CHAIN = {
  chain: 'main',
  blocks: 5,
  headers: 9,
  initialblockdownload: true,
  pruned: true,
  pruneheight: 2,
};
const NETWORK = {
  version: 1_140_900,
  subversion: '/Shibetoshi:1.14.9/',
  connections: 8,
  relayfee: 0.001,
  warnings: '',
};

async function describeFake(chain: object, network: object) {
  const fake = await startFakeNode((response, request) =>
    sendResults(response, request, (method) => {
      if (method === 'getblockchaininfo') return chain;
      return method === 'getnetworkinfo' ? network : 'ab'.repeat(32);
    }),
  );
  const client = createNodeClient({ url: fake.url });
  try {
    return await fetchNodeFacts(client);
  } finally {
    await client.close();
    await fake.stop();
  }
}

test('a pruned node that catches up, and warnings as text or as a list, are understood', async () => {
  const facts = await describeFake(CHAIN, { ...NETWORK, warnings: ['one', 'two'] });
  expect(facts).toMatchObject({
    pruned: true,
    pruneHeight: 2,
    initialBlockDownload: true,
    warnings: 'one two',
  });
  expect((await describeFake(CHAIN, { ...NETWORK, warnings: 'old' })).warnings).toBe('old');
});

test.each([
  ['no chain', { ...CHAIN, chain: undefined }, NETWORK],
  ['a height that is none', { ...CHAIN, blocks: -1 }, NETWORK],
  ['a fee that is none', CHAIN, { ...NETWORK, relayfee: 'free' }],
  ['another version', CHAIN, { ...NETWORK, version: 1.5 }],
])('a description with %s is an invalid answer', async (_, chain, network) => {
  await expect(describeFake(chain, network)).rejects.toMatchObject({ kind: 'invalid_answer' });
});
