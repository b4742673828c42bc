import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { readCoinbaseTag } from '@coinfront/protocol/coinbase-tag.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { subsidyAt } from '@coinfront/protocol/subsidy.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { mineByHand } from '../harness/mine-by-hand.ts';
import { scriptOf } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { getJson } from './read-api.ts';

/** Heights that a coinbase made by hand can have begin here. */
const FIRST_BLOCKS = 150;
const TAGS = ['/Example Pool/', '<b>&"bold"</b>'];

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(FIRST_BLOCKS);
  for (const [i, tag] of TAGS.entries()) {
    const value = subsidyAt(FIRST_BLOCKS + 1 + i, getShippedProfile('regtest'))!;
    await mineByHand(node, [{ value, script: scriptOf(1) }], [], tag);
  }
});
afterAll(() => node.stop());

forEachEngine('coinbase tags', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
  });
  afterAll(() => service.stop());

  test("are what the node's coinbases say, in lists and of single blocks, from genesis to the tip", async () => {
    const first = await getJson(service, '/api/v1/blocks?limit=100');
    const rest = await getJson(service, `/api/v1/blocks?limit=100&cursor=${first.next_cursor}`);
    const blocks = [...first.items, ...rest.items];
    expect(blocks).toHaveLength(FIRST_BLOCKS + TAGS.length + 1);
    expect([blocks[1].coinbase_tag, blocks[0].coinbase_tag]).toEqual(TAGS);
    for (const { hash, height, coinbase_tag: tag } of blocks) {
      const { tx } = await node.rpc<{ tx: { vin: { coinbase: string }[] }[] }>('getblock', hash, 2);
      expect([height, tag]).toEqual([height, readCoinbaseTag(getHexBytes(tx[0]!.vin[0]!.coinbase)) ?? null]);
    }
    for (const height of [0, 1, FIRST_BLOCKS + 1])
      expect((await getJson(service, `/api/v1/block/${height}`)).coinbase_tag).toBe(
        blocks.find((block) => block.height === height).coinbase_tag,
      );
  });
});
