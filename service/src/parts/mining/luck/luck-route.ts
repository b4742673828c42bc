import { luckBlocks, PoolLuck, PoolLuckQuery } from '@coinfront/api/mining-luck.ts';
import type { FastifyInstance } from 'fastify';
import { registerRead } from '../../../http/read-route.ts';
import { describeAsOf } from '../../../http/snapshot.ts';
import { getPool } from '../get-pool.ts';
import type { MiningHistoryTables } from '../history/mining-tables.ts';
import type { MiningContext } from '../mining-context.ts';
import { miningExamples } from '../mining-examples.ts';
import { listVerifiedBlocks } from '../pool-block-store.ts';
import { formatMs } from '../serialise-pool.ts';
import { findEfforts, type KnownEffort } from './effort-store.ts';
import { listReportedEfforts, luckWindows, meanLuck } from './luck-rules.ts';
import { serialiseEffort } from './serialise-effort.ts';

/** Blocks that a point's mean is of. */
const MEAN_OF = 10;

/** `/pool/luck`. */
export function registerLuckRoute(app: FastifyInstance, context: MiningContext): void {
  registerRead(app, context, {
    path: '/pool/luck',
    query: PoolLuckQuery,
    response: PoolLuck,
    dependsOn: 'volatile',
    cost: 3,
    operation: {
      document: 'chain',
      id: 'getPoolLuck',
      tag: 'Mining',
      summary: 'Luck of the pool',
      description:
        'Effort and luck of the latest blocks of the pool that keep the published split, and over windows of them. Efforts are known where the software of the pool ' +
        'reports them, or where its share count was observed until shortly before the block; others are null, and no mean counts them.',
      errors: ['pool_not_found'],
      example: miningExamples.luck,
    },
    async read({ view, tip, query }) {
      getPool(context);
      const asked = query.blocks ?? luckBlocks.default;
      const newest = await listVerifiedBlocks(view.reader, luckBlocks.max);
      const efforts = await readEfforts(
        context,
        newest.map(({ hash }) => hash),
      );
      const known = newest.map(({ hash }) => efforts.get(hash)?.effort);
      return {
        as_of: describeAsOf(tip),
        windows: luckWindows.map((most) => {
          const { known: count, effort, luck } = meanLuck(known.slice(0, most));
          return {
            blocks: Math.min(most, newest.length),
            known: count,
            effort: effort ?? null,
            luck: luck ?? null,
          };
        }),
        points: newest
          .slice(0, asked)
          .map(({ height, hash, time }, i) => ({
            height,
            hash,
            time: formatMs(time * 1_000)!,
            ...serialiseEffort(efforts.get(hash)),
            mean_luck: meanLuck(known.slice(i, i + MEAN_OF)).luck ?? null,
          }))
          .reverse(),
      };
    },
  });
}

/** Efforts of blocks: as the pool reports them now, or as they are kept. */
export async function readEfforts(
  { main, precious }: Pick<MiningContext, 'main' | 'precious'>,
  hashes: readonly string[],
): Promise<Map<string, KnownEffort>> {
  const efforts = await findEfforts(precious.query<MiningHistoryTables>(), hashes);
  const [reading] = main.current().readings;
  const reported = reading && listReportedEfforts(reading);
  for (const hash of hashes) {
    const effort = reported?.get(hash);
    if (effort !== undefined) efforts.set(hash, { effort, kind: 'reported' });
  }
  return efforts;
}
