import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { afterAll, beforeAll, describe } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { mineByHand } from '../harness/mine-by-hand.ts';
import {
  addressOfOwner,
  mineCoins,
  mineExactly,
  type RawCoin,
  scriptOf,
  send,
  spend,
} from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { makeTraffic } from '../harness/traffic.ts';
import { defineAddressTruths, defineSearchTruths } from './address-truth.ts';
import { defineBlockOrderTruths } from './block-order-truth.ts';
import { defineBlockTruths, defineTransactionTruths } from './block-truth.ts';
import { defineEsploraTruths } from './esplora-truth.ts';
import { defineFeeTruths } from './fee-truth.ts';
import { type NodeChain, readNodeChain } from './node-chain.ts';
import { defineSeriesTruths } from './series-truth.ts';
import { defineTotalsTruths } from './totals-truth.ts';
import type { TruthContext } from './truth-context.ts';

const MILLION = 1_000_000n;

let node: TestNode;
/** Mature coins that the suites may spend. */
let coins: RawCoin[];

beforeAll(async () => {
  node = await startNode();
  const [coin] = await mineCoins(node, 1, 1);
  await makeTraffic(node, { seed: 7, blocks: 6, txPerBlock: 20 });
  const split = spend([coin!], new Array(8).fill({ value: 600n * MILLION, owner: 1 }));
  await mineExactly(node, [split]);
  coins = split.coins;
  await makeWideTransactions();
  // Past the first halving.
  await node.mine(32, addressOfOwner(6));
  await makeOddBlocks();
});
afterAll(() => node.stop());

/** More inputs and outputs than one answer shows, paid to few scripts and to many. */
async function makeWideTransactions(): Promise<void> {
  const coin = coins.shift()!;
  const value = coin.value / 530n;
  const fanOut = spend(
    [coin],
    Array.from({ length: 520 }, (_, index) => ({ value, owner: index % 50 === 0 ? 2 : 1_000 + index })),
  );
  await mineExactly(node, [fanOut]);
  await mineExactly(node, [spend(fanOut.coins, [{ value: value * 500n, owner: 2 }])]);
}

/** A coinbase that pays one script several times and claims less than the fees; and one that claims nothing. */
async function makeOddBlocks(): Promise<void> {
  const coin = coins.shift()!;
  const costly = spend([coin], [{ value: coin.value - 30n * MILLION, owner: 3 }], { version: 0xffff_ffff });
  await mineByHand(
    node,
    [
      { value: MILLION, script: scriptOf(4) },
      { value: 2n * MILLION, script: scriptOf(4) },
      { value: 0n, script: scriptOf(4) },
      { value: 5n, script: getHexBytes('6a') },
      { value: MILLION, script: scriptOf(5) },
    ],
    [costly],
  );
  await mineByHand(node, []);
}

function defineTruths(get: () => TruthContext): void {
  defineTotalsTruths(get);
  defineSeriesTruths(get);
  defineTransactionTruths(get);
  defineBlockTruths(get);
  defineBlockOrderTruths(get);
  defineAddressTruths(get);
  defineSearchTruths(get);
  defineEsploraTruths(get);
}

forEachEngine('the chain API', (engine) => {
  let service: TestService;
  let chain: NodeChain;
  const get = () => ({ service, node, chain });

  beforeAll(async () => {
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
    await service.waitForMempool();
    chain = await readNodeChain(node);
  });
  afterAll(() => service.stop());

  describe('after a sync of mixed traffic agrees with the node:', () => {
    defineTruths(get);
    defineFeeTruths(get);
  });

  describe('after reorgs and with a mempool agrees with the node:', () => {
    beforeAll(async () => {
      await reorder();
      await spendElsewhere();
      await reorgDeep();
      await fillMempool();
      chain = await readNodeChain(node);
    });

    defineTruths(get);
  });

  /** Replaces the tip by a block that has the same transactions at other places. */
  async function reorder(): Promise<void> {
    const coin = coins.shift()!;
    const fan = spend(
      [coin],
      [1, 2, 3].map((owner) => ({ value: coin.value / 4n, owner: owner + 10 })),
    );
    await mineExactly(node, [fan]);
    const txs = fan.coins.map((each) => spend([each], [{ value: each.value - 1_000n, owner: 20 }]));
    const hash = await mineExactly(node, txs);
    await service.waitForTip(hash);
    await node.rpc('invalidateblock', hash);
    await mineExactly(node, txs.toReversed());
    await service.waitForTip();
    await mineExactly(node, [
      spend(
        txs.flatMap((tx) => tx.coins),
        [{ value: coin.value / 2n, owner: 21 }],
      ),
    ]);
    await service.waitForTip();
  }

  /** Replaces two blocks, one of which spends a coin, by blocks in which it goes elsewhere. */
  async function spendElsewhere(): Promise<void> {
    const coin = coins.shift()!;
    const first = spend([coin], [{ value: coin.value - 1_000n, owner: 30 }]);
    const child = spend(first.coins, [{ value: coin.value - 2_000n, owner: 31 }]);
    const hash = await mineExactly(node, [first, child]);
    await node.mine(1);
    await service.waitForTip();
    await node.rpc('invalidateblock', hash);
    await service.waitForTip();
    const other = spend([coin], [{ value: coin.value - 3_000n, owner: 30 }]);
    await mineExactly(node, [other]);
    await node.mine(2);
    await service.waitForTip();
  }

  /** Replaces twelve blocks of traffic: their transactions come back in others, or not at all. */
  async function reorgDeep(): Promise<void> {
    const height = await node.rpc<number>('getblockcount');
    await node.rpc('invalidateblock', await node.rpc('getblockhash', height - 11));
    await makeTraffic(node, { seed: height, blocks: 2, txPerBlock: 10 });
    await node.mine(10);
    await service.waitForTip();
  }

  /** A chain of unconfirmed transactions, and two that have nothing to do with each other. */
  async function fillMempool(): Promise<void> {
    const coin = coins.shift()!;
    const first = await send(
      node,
      spend(
        [coin],
        [40, 40, 41].map((owner) => ({ value: coin.value / 4n, owner })),
      ),
    );
    const second = await send(node, spend([first.coins[0]!], [{ value: coin.value / 5n, owner: 41 }]));
    await send(node, spend([second.coins[0]!, first.coins[2]!], [{ value: coin.value / 6n, owner: 42 }]));
    await node.rpc('sendtoaddress', await node.newAddress('legacy'), '0.5');
    await service.waitForMempool();
  }
});
