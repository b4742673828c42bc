/** A chain with something of every kind on it, and the pages that show it: for screenshots and measurements. */

import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import sharp from 'sharp';
import { type ExplorerFixture, startExplorerFixture } from '../test/browser/explorer-fixture.ts';
import { createTestMerchant, type TestMerchant } from '../test/harness/merchant.ts';
import { mineByHand } from '../test/harness/mine-by-hand.ts';
import { scriptOf } from '../test/harness/raw-coins.ts';
import { registerDemoNode } from './demo/nodes.ts';
import { findFreePort } from './free-ports.ts';
import { createTraffic } from './traffic/traffic.ts';

/** The pages by the names of their pictures. */
export type Show = {
  readonly origin: string;
  readonly pages: ReadonlyMap<string, string>;
  stop(): Promise<void>;
};

const BLOCKS = 24;
const TRANSACTIONS_PER_BLOCK = 8;
const TREASURY_CONFIRMATIONS = 3;
const NODE_PATIENCE_MS = 120_000;
/** Heights that a coinbase made by hand can have begin here. */
const FIRST_BY_HAND = 150;

/** Starts a node and a service of its own, and fills them; takes about half a minute. */
export async function startShow(): Promise<Show> {
  const endpoint = `127.0.0.1:${await findFreePort()}`;
  const fixture = await startExplorerFixture({
    nodeArgs: ['-listen=1', `-bind=${endpoint}`, '-listenonion=0'],
    settings: {
      COINFRONT_PUBLIC_URL: 'https://coin.example',
      COINFRONT_RICH_LIST: '1',
      COINFRONT_REGISTRY_ALLOW: 'loopback',
      COINFRONT_REGISTRY_PORTS: 'any',
      COINFRONT_REGISTRY_SLOT: '20',
      COINFRONT_REGISTRY_EPOCH_BLOCKS: '50',
      COINFRONT_REGISTRY_REWARD: '25',
    },
  });
  const { node, service, database, known } = fixture;
  const traffic = await createTraffic(node.client, { seed: 7 });
  await traffic.prepare();
  for (let block = 0; block < BLOCKS; block += 1) {
    await traffic.sendSome(TRANSACTIONS_PER_BLOCK);
    await traffic.mineBlock();
  }
  await mineForPool(fixture);
  await contribute(fixture);
  const nodeKey = await registerDemoNode({
    dir: database.dataDir,
    name: 'demo-node',
    url: service.origin,
    walletUrl: node.url,
    endpoint,
    signal: AbortSignal.timeout(NODE_PATIENCE_MS),
  });
  await traffic.sendSome(TRANSACTIONS_PER_BLOCK);
  const merchant = await createTestMerchant(service, database);
  await setUpShop(fixture, merchant);
  const { json: payment } = await merchant.post('/api/v1/payments', {
    recipient: await node.newAddress(),
    amount: '0.12500000',
    description: 'Order 10023: two bags of coffee',
    return_url: 'https://shop.example/orders/10023',
  });
  await service.waitForTip();
  await service.waitForMempool();
  const { json: blocks } = await service.get('/api/v1/blocks?limit=2');
  return {
    origin: service.origin,
    pages: new Map([
      ['home', '/'],
      ['blocks', '/blocks'],
      ['block', `/block/${blocks.items[1].height}`],
      ['transaction', `/tx/${known.txid}`],
      ['address', `/address/${known.address}`],
      ['mempool', '/mempool'],
      ['projected-block', '/mempool/1'],
      ['charts', '/charts'],
      ['rich', '/rich'],
      ['wallet', '/xpub'],
      ['proofs', '/proofs'],
      ['proof', `/proof/${known.digest}`],
      ['names', '/names'],
      ['name', `/name/${known.name}`],
      ['tokens', '/tokens'],
      ['token', `/token/${known.tokenId}`],
      ['pool', '/pool'],
      ['nodes', '/nodes'],
      ['node', `/node/${nodeKey}`],
      ['treasury', '/treasury'],
      ['checkout', `/pay/${payment.id}`],
      ['developers', '/developers'],
      ['reference', '/developers/proofs'],
      ['releases', '/releases'],
      ['wallet-standard', '/wallet-standard'],
      ['search', '/search?q=nothing-like-this'],
      ['not-found', '/no/such/page'],
    ]),
    stop: fixture.stop,
  };
}

/** A shop that payers can tell from others. */
async function setUpShop({ service }: ExplorerFixture, { apiKey }: TestMerchant): Promise<void> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96">
<rect width="96" height="96" rx="18" fill="#7a4b2a"/><circle cx="48" cy="48" r="26" fill="#f3e3c8"/></svg>`;
  const mark = (await sharp(Buffer.from(drawing)).png().toBuffer()).toString('base64');
  const key = { 'x-coin-pay-api-key': apiKey };
  await service.send('PUT', '/api/v1/merchant/checkout', { name: 'Example Coffee', mark }, key);
}

/** Somebody gives to the treasury. */
async function contribute({ node, service }: ExplorerFixture): Promise<void> {
  await service.waitForTip();
  const { json: contributor } = await service.post('/api/treasury/contributors', {
    nickname: 'Ada',
    public_display: true,
  });
  const { json: intent } = await service.post('/api/treasury/intents', {
    contributor_secret: contributor.contributor_secret,
    amount: '2',
  });
  if (typeof intent.exact_amount !== 'string')
    throw new Error(`No contribution could be asked for: ${JSON.stringify(intent)}`);
  await node.rpc('sendtoaddress', intent.address, intent.exact_amount);
  await node.mine(TREASURY_CONFIRMATIONS);
}

/** Blocks with the tag of the pool: two that keep its policy, one that does not, one of a stranger. */
async function mineForPool({ node, service }: ExplorerFixture): Promise<void> {
  const { pool } = getShippedProfile('regtest');
  const operator = pool?.payoutScripts[0];
  if (pool === undefined || operator === undefined) throw new Error('The regtest profile has a pool.');
  const missing = FIRST_BY_HAND - (await node.rpc<number>('getblockcount'));
  if (missing > 0) await node.mine(missing);
  const miner = scriptOf(7);
  for (const [toMiner, toOperator] of [
    [9_90000000n, 10000000n],
    [9_00000000n, 1_00000000n],
    [10_00000000n, 0n],
    [9_90000000n, 10000000n],
  ] as const) {
    const payouts = [
      { value: toMiner, script: miner },
      ...(toOperator === 0n ? [] : [{ value: toOperator, script: operator }]),
    ];
    await mineByHand(node, payouts, [], pool.tag);
    await node.mine(1);
  }
  await service.waitForTip();
}
