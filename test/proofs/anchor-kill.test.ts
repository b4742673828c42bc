import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../scripts/traffic/random.ts';
import { forEachEngine } from '../harness/engines.ts';
import { howMany } from '../harness/how-many.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { startService } from '../harness/service.ts';

const MARKER = '56504631';
const DIGESTS = howMany(30, 50);
/** Who asks at once. */
const CLIENTS = 6;
const KILLS = howMany(5, 10);
/** Longest time that it is let be after it answers; one transaction takes some ten milliseconds. */
const LONGEST_LIFE_MS = 400;

const seed = Math.floor(Math.random() * 2 ** 32);
const random = createRandom(seed);

let node: TestNode;
beforeAll(async () => {
  // A killed process leaves its long poll behind, which holds one of the node's threads to its end.
  node = await startNode({ extraArgs: ['-rpcthreads=100'] });
  await node.mine(150);
});
afterAll(() => node?.stop());

type Block = { tx: { txid: string; vout: { scriptPubKey: { hex: string } }[] }[] };

/** The transactions that carry each of these digests: of all blocks, and of the mempool. */
async function findCarriers(
  digests: ReadonlySet<string>,
  fromHeight: number,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const look = (txs: Block['tx']) => {
    for (const { txid, vout } of txs) {
      for (const { scriptPubKey } of vout) {
        const digest = scriptPubKey.hex.startsWith(`6a24${MARKER}`) ? scriptPubKey.hex.slice(12) : '';
        if (digests.has(digest)) found.set(digest, [...(found.get(digest) ?? []), txid]);
      }
    }
  };
  const tip = await node.rpc<number>('getblockcount');
  for (let height = fromHeight; height <= tip; height++) {
    const block = await node.rpc<Block>('getblock', await node.rpc('getblockhash', height), 2);
    look(block.tx);
  }
  for (const txid of await node.rpc<string[]>('getrawmempool'))
    look([await node.rpc<Block['tx'][0]>('getrawtransaction', txid, true)]);
  return found;
}

forEachEngine(`anchoring under kill -9 (seed ${seed})`, (engine) => {
  test('every digest that was answered with a transaction is mined in it, and none has two', {
    timeout: 400_000,
  }, async () => {
    const fromHeight = await node.rpc<number>('getblockcount');
    const service = await startService({
      nodeUrl: node.url,
      database: await engine.openUrl(),
      settings: {
        COINFRONT_ANCHOR_WALLET: 'main',
        COINFRONT_ANCHOR_DAILY: '1000',
        COINFRONT_ANCHOR_DAILY_PER_CLIENT: '1000',
      },
    });
    const digests = Array.from({ length: DIGESTS }, () => randomBytes(32).toString('hex'));
    /** What each digest was answered with, over all its tries. */
    const promised = new Map<string, Set<string>>(digests.map((digest) => [digest, new Set()]));
    const answers = { 202: 0, interrupted: 0, other: new Set<string>() };
    const waiting = [...digests];

    const ask = async (digest: string): Promise<void> => {
      for (;;) {
        const answer = await service.post('/api/v1/proof/anchor', { sha256: digest }).catch(() => undefined);
        if (answer === undefined) {
          answers.interrupted += 1;
          await waitUntil('it runs again', () => service.isRunning(), 60_000);
          await delay(10);
          continue;
        }
        if (answer.json?.txid) {
          promised.get(digest)!.add(answer.json.txid);
          if (answer.status === 202) answers[202] += 1;
          return;
        }
        answers.other.add(`${answer.status} ${answer.json?.code ?? answer.json?.reason}`);
        await delay(20);
      }
    };
    const clients = Array.from({ length: CLIENTS }, async () => {
      for (let digest = waiting.pop(); digest !== undefined; digest = waiting.pop()) {
        await ask(digest);
        // Asked again by somebody, it is the same one.
        if (random.integer(1, 3) === 1)
          await ask(random.pick(digests.filter((each) => promised.get(each)!.size > 0)));
      }
    });
    const allAsked = Promise.all(clients);
    // Told below, unless something else fails before.
    allAsked.catch(() => {});
    for (let kills = 0; kills < KILLS; kills++) {
      await delay(random.integer(0, LONGEST_LIFE_MS));
      await service.kill();
      if (random.integer(1, 4) === 1) await node.mine(1);
      await service.start();
    }
    await allAsked;
    expect(answers[202]).toBeGreaterThan(0);
    expect(answers.interrupted).toBeGreaterThan(0);

    // What was fixed and not sent before a kill is sent by the keeper of the service's last life.
    await waitUntil(
      'all are in blocks',
      async () => {
        await node.mine(1);
        const found = await findCarriers(new Set(digests), fromHeight);
        return digests.every((digest) => found.has(digest));
      },
      60_000,
    );
    const found = await findCarriers(new Set(digests), fromHeight);
    for (const digest of digests) {
      const about = `${digest}, seed ${seed}, ${[...answers.other]}`;
      expect(found.get(digest), about).toHaveLength(1);
      expect([...promised.get(digest)!], about).toEqual(found.get(digest));
    }
    expect(await node.rpc('listlockunspent'), 'no coin is set aside for nothing').toEqual([]);
    await service.stop();
  });
});
