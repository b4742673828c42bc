import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../scripts/traffic/random.ts';
import { forEachEngine } from '../harness/engines.ts';
import { howMany } from '../harness/how-many.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { startService } from '../harness/service.ts';
import { MARKER, verifyOffline } from './leaf-proof.ts';

const CLIENTS = 3;
const KILLS = howMany(5, 12);
/** Longest time that it is let be after it answers: trees are made each second. */
const LONGEST_LIFE_MS = 1_500;
/** More than one part of a tree at once, and a few. */
const SIZES = [1, 3, 40, 1_500];

const seed = Math.floor(Math.random() * 2 ** 32);
const random = createRandom(seed);

let node: TestNode;
beforeAll(async () => {
  // A killed process leaves its long poll behind, which holds one of the node's threads to its end.
  node = await startNode({ extraArgs: ['-rpcthreads=100'] });
  await node.mine(150);
});
afterAll(() => node?.stop());

type Block = { tx: { vout: { scriptPubKey: { hex: string } }[] }[] };

/** How often the chain carries each digest, from a height on. */
async function countAnchors(fromHeight: number): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const tip = await node.rpc<number>('getblockcount');
  for (let height = fromHeight; height <= tip; height++) {
    const block = await node.rpc<Block>('getblock', await node.rpc('getblockhash', height), 2);
    for (const { vout } of block.tx) {
      for (const { scriptPubKey } of vout) {
        const digest = scriptPubKey.hex.startsWith(`6a24${MARKER}`) ? scriptPubKey.hex.slice(12) : undefined;
        if (digest !== undefined) found.set(digest, (found.get(digest) ?? 0) + 1);
      }
    }
  }
  return found;
}

forEachEngine(`the calendar under kill -9 (seed ${seed})`, (engine) => {
  test('each digest that was taken is mined in one tree, and each root in one transaction', {
    timeout: 400_000,
  }, async () => {
    const fromHeight = await node.rpc<number>('getblockcount');
    const service = await startService({
      nodeUrl: node.url,
      database: await engine.openUrl(),
      settings: { COINFRONT_ANCHOR_WALLET: 'main', COINFRONT_CALENDAR_INTERVAL: '1' },
    });
    const promised: string[] = [];
    let interrupted = 0;
    let isOver = false;

    const ask = async (digests: string[]): Promise<void> => {
      for (;;) {
        const answer = await service.post('/api/v1/proof/batch', { sha256: digests }).catch(() => undefined);
        if (answer?.status === 200) break;
        interrupted += 1;
        await waitUntil('it runs again', () => service.isRunning(), 60_000);
        await delay(10);
      }
      promised.push(...digests);
    };
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        await ask(Array.from({ length: random.pick(SIZES) }, () => randomBytes(32).toString('hex')));
        await delay(random.integer(0, 100));
      }
    });
    const allAsked = Promise.all(clients);
    // Told below, unless something else fails before.
    allAsked.catch(() => {});
    for (let kills = 0; kills < KILLS; kills++) {
      await delay(random.integer(0, LONGEST_LIFE_MS));
      await service.kill();
      if (random.integer(1, 3) === 1) await node.mine(1);
      await service.start();
    }
    isOver = true;
    await allAsked;
    expect(interrupted).toBeGreaterThan(0);
    expect(promised.length).toBeGreaterThan(0);

    const batchOf = new Map<string, number>();
    await waitUntil(
      'a tree has each of them',
      async () => {
        for (let i = 0; i < promised.length; i += 4_000) {
          const sha256 = promised.slice(i, i + 4_000);
          const { json } = await service.post('/api/v1/proof/batch', { sha256 });
          for (const item of json.items) if (item.batch !== null) batchOf.set(item.sha256, item.batch);
        }
        return batchOf.size === promised.length;
      },
      60_000,
    );
    const members = Map.groupBy(promised, (digest) => batchOf.get(digest)!);
    const roots = new Set<string>();
    for (const digests of members.values()) {
      for (const digest of [digests[0]!, random.pick(digests), digests.at(-1)!]) {
        await waitUntil(
          'its leaf is in a block',
          async () => {
            const { json } = await service.get(`/api/v1/proof/leaf/${digest}`);
            if (json?.primary != null) return true;
            await service.waitForTip((await node.mine(1)).at(-1)!);
            return false;
          },
          60_000,
        );
        const { json } = await service.get(`/api/v1/proof/leaf/${digest}`);
        expect(verifyOffline(digest, json), `${digest}, seed ${seed}`).toBe(json.primary.block_hash);
        // No digest is in two trees, or a tree would have more leaves than are asked for.
        expect(json.leaf.size, `${digest}, seed ${seed}`).toBe(digests.length);
        roots.add(json.leaf.root);
      }
    }
    expect(roots.size).toBe(members.size);
    const anchors = await countAnchors(fromHeight);
    for (const root of roots) expect(anchors.get(root), `${root}, seed ${seed}`).toBe(1);
    await service.stop();
  });
});
