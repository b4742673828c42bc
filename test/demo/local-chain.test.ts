import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalChain, startLocalChain } from '../../scripts/demo/local-chain.ts';
import { walletUrl } from '../../service/src/node/anchor-wallet.ts';
import { isNodeError } from '../../service/src/node/node-error.ts';
import { createNodeClient, type NodeClient } from '../../service/src/node/rpc-client.ts';
import { waitUntil } from '../harness/litecoind.ts';

const BLOCK_INTERVAL_MS = 50;
const PAYERS = 2;
const BLOCKS_UNDER_PAYMENTS = 4;

let dir: string;
let chain: LocalChain;
let node: NodeClient;
/** Of the wallet that people pay from, and of the traffic's. */
let main: NodeClient;
let traffic: NodeClient;
const said: string[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'coinfront-local-'));
  chain = await startLocalChain(dir, {
    blockIntervalMs: BLOCK_INTERVAL_MS,
    calmIntervalMs: BLOCK_INTERVAL_MS,
    say: (line) => said.push(line),
  });
  await chain.live();
  node = createNodeClient({ url: chain.nodeUrl });
  main = createNodeClient({ url: chain.walletUrl });
  traffic = createNodeClient({ url: walletUrl(chain.nodeUrl, 'traffic') });
});
afterAll(async () => {
  await chain?.stop();
  await Promise.all([node, main, traffic].map((client) => client?.close()));
  await rm(dir, { recursive: true, force: true });
});

const height = () => main.call<number>('getblockcount');
const countSent = async () => (await traffic.call<{ txcount: number }>('getwalletinfo')).txcount;

async function waitForBlocks(count: number): Promise<void> {
  const target = (await height()) + count;
  await waitUntil(`block ${target} is there`, async () => (await height()) >= target);
}

test('goes on with blocks and traffic while the wallet of the demo pays as fast as it can', async () => {
  const target = (await height()) + BLOCKS_UNDER_PAYMENTS;
  const before = await countSent();
  let isOver = false;
  let paid = 0;
  async function pay(): Promise<void> {
    const to = await chain.newAddress();
    while (!isOver) {
      try {
        await main.call('sendtoaddress', [to, 0.01]);
        paid += 1;
      } catch (error) {
        // Its coins hang on too many unconfirmed ones until the next block.
        if (!isNodeError(error, 'rpc')) throw error;
      }
    }
  }
  const paying = Array.from({ length: PAYERS }, pay);
  await waitUntil('the blocks are there', async () => (await height()) >= target, 40_000).finally(() => {
    isOver = true;
  });
  await Promise.all(paying);
  expect(paid).toBeGreaterThan(BLOCKS_UNDER_PAYMENTS);
  expect(await countSent()).toBeGreaterThan(before);
  expect(said).toEqual([]);
});

test('spends no coin of the wallet that people pay from, and leaves its reservations', async () => {
  const [coin] = await main.call<{ txid: string; vout: number }[]>('listunspent');
  const reserved = [{ txid: coin!.txid, vout: coin!.vout }];
  await main.call('lockunspent', [false, reserved]);
  await waitForBlocks(3);
  expect(await main.call('listlockunspent')).toEqual(reserved);
  await main.call('lockunspent', [true, reserved]);
  const listSends = async () => {
    const all = await main.call<{ category: string; txid: string }[]>('listtransactions', ['*', 10_000]);
    return all.filter(({ category }) => category === 'send').map(({ txid }) => txid);
  };
  const before = await listSends();
  const sentByTraffic = await countSent();
  await waitForBlocks(3);
  expect(await listSends()).toEqual(before);
  expect(await countSent()).toBeGreaterThan(sentByTraffic);
});

test('says once what fails, tries again, and goes on when it can', async () => {
  await node.call('unloadwallet', ['traffic']);
  await waitUntil('it is said', () => said.length > 0);
  // Blocks are paid to both wallets: those to the other go on, and none of the failures is said again.
  expect(said).toEqual([expect.stringMatching(/failed and is tried again: .*wallet/i)]);
  await node.call('loadwallet', ['traffic']);
  await waitForBlocks(5);
  expect(said).toHaveLength(1);
});

test('starts a node again that has ended, with its wallets', async () => {
  const before = await height();
  await node.call('stop');
  await waitUntil('blocks go on', async () => (await height().catch(() => 0)) > before + 3);
  await waitUntil('the traffic goes on', async () => (await countSent()) > 0);
});
