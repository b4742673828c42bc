import { PoolView } from '@coinfront/api/mining.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { workOfBits } from '@coinfront/protocol/work.ts';
import type { FastifyInstance } from 'fastify';
import { difficultyOf, readHeaderFields } from '../../chain/chain-reads.ts';
import { measureHashrate, serialiseWindow } from '../../chain/network-hashrate.ts';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { getPool } from './get-pool.ts';
import type { MiningContext } from './mining-context.ts';
import { miningExamples } from './mining-examples.ts';
import { chancePerDay, chooseHashrate, expectSeconds } from './mining-rules.ts';
import { listPoolBlocks } from './pool-block-store.ts';
import { describeSource, formatMs, serialiseAccounting } from './serialise-pool.ts';

/** `/pool`. */
export function registerPoolRoute(app: FastifyInstance, context: MiningContext): void {
  registerRead(app, context, {
    path: '/pool',
    response: PoolView,
    dependsOn: 'volatile',
    operation: {
      document: 'chain',
      id: 'getPool',
      tag: 'Mining',
      summary: 'Telemetry of the main public pool',
      description:
        'The published policy, what the software of the pool says (`source`, read in the background at `observed_at`; ' +
        '`stale` when it says nothing new), and what follows from the chain. What is not known is null, never 0.',
      errors: ['pool_not_found'],
      example: miningExamples.pool,
    },
    async read({ view, tip }) {
      const pool = getPool(context);
      const nowMs = context.now();
      const [reading] = context.main.current().readings;
      const difficulty = difficultyOf(tip);
      const used = chooseHashrate(reading?.hashrates ?? []);
      const seconds = expectSeconds(
        workOfBits(readHeaderFields(tip.header).bits),
        used?.milliHashesPerSecond,
      );
      const [last] = await listPoolBlocks(view.reader, tip.height + 1, 1);
      return {
        as_of: describeAsOf(tip),
        ...describeSource(context.main, nowMs),
        tag: pool.tag,
        payout_policy: {
          kind: 'solo' as const,
          miner_percent: pool.minerPercent,
          operator_percent: pool.operatorPercent,
          operator_scripts: pool.payoutScripts.map(bytesToHex),
        },
        stratum: {
          host: pool.stratumHost,
          port: pool.stratumPort,
          url: `stratum+tcp://${pool.stratumHost}:${pool.stratumPort}`,
        },
        ...serialiseAccounting(reading, difficulty),
        expected_block: {
          seconds: seconds ?? null,
          chance_per_day: chancePerDay(seconds) ?? null,
          memoryless: true,
          window_seconds: used?.windowSeconds ?? null,
        },
        last_block: last
          ? { height: last.height, hash: last.hash, time: formatMs(last.time * 1000)!, grade: last.grade }
          : null,
        network: { difficulty, hashrate: (await measureHashrate(view, tip)).map(serialiseWindow) },
        // A merged pool mines another chain as well: the difficulty of this one says nothing of its effort.
        others: [...context.others].map(([name, watch]) => ({
          name,
          ...describeSource(watch, nowMs),
          ...serialiseAccounting(watch.current().readings[0], undefined),
        })),
      };
    },
  });
}
