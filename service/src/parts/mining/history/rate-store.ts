import type { Kysely, Transaction } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import { sql } from '../../../db/statement.ts';
import type { MiningHistoryTables } from './mining-tables.ts';
import { maxKeptMiners, meanRate, placeInRow, type RateStep, readRow, writeRow } from './rate-rules.ts';

type Trx = Transaction<MiningHistoryTables>;

/** Rows of one statement: PostgreSQL and SQLite take some ten thousand parameters. */
const ROWS_AT_ONCE = 500;

const LIST = sql<{ start: number; rates: string }>(
  `select start, rates from pool_rate
   where pool = $1 and miner = $2 and step = $3 and start >= $4 and start < $5 order by start`,
);

/** Rows of a pool ('' for the main one) or of its miner ('' for the pool itself), oldest first, of steps from one moment to another. */
export async function listRateRows(
  precious: Pick<Precious, 'read'>,
  whose: { pool: string; miner: string },
  { seconds, perRow }: RateStep,
  fromS: number,
  toS: number,
): Promise<{ start: number; text: string }[]> {
  const first = fromS - (fromS % (seconds * perRow));
  const rows = await precious.read(LIST, [whose.pool, whose.miner, seconds, first, toS]);
  return rows.map(({ start, rates }) => ({ start: Number(start), text: rates }));
}

/**
 * Keeps hashrates of one moment, where they are the first of their shortest step, and renews the means of the longer steps that it is in. Rows of
 * steps beyond those that are kept go, and so do those of a time that is yet to come: a clock that was ahead left them.
 *
 * @param rates milli hashes per second by miner; '' is the pool itself
 */
export async function keepRates(
  precious: Precious,
  pool: string,
  steps: readonly RateStep[],
  atS: number,
  rates: ReadonlyMap<string, bigint>,
): Promise<void> {
  if (rates.size === 0) return;
  await precious.transaction<MiningHistoryTables, void>(async (trx) => {
    let values: ReadonlyMap<string, readonly (bigint | undefined)[]> = new Map(
      [...rates].map(([miner, rate]) => [miner, [rate]]),
    );
    for (const [position, step] of steps.entries()) {
      const { rows, isNew } = await writeStep(trx, { pool, step, atS, values, isFirst: position === 0 });
      const { start } = placeInRow(step, atS);
      if (isNew) await forgetRows(trx, pool, rates.has('') ? '=' : '<>', step, start);
      const next = steps[position + 1];
      if (next === undefined) break;
      // The steps of this row that the next longer step is the mean of.
      const from = (atS - (atS % next.seconds) - start) / step.seconds;
      values = new Map(
        [...rows].map(([miner, row]) => [miner, row.slice(from, from + next.seconds / step.seconds)]),
      );
    }
  });
}

/** Writes the mean of each one's values into its row of a step; gives the rows, and whether one was begun. */
async function writeStep(
  trx: Trx,
  {
    pool,
    step,
    atS,
    values,
    isFirst,
  }: {
    pool: string;
    step: RateStep;
    atS: number;
    values: ReadonlyMap<string, readonly (bigint | undefined)[]>;
    isFirst: boolean;
  },
): Promise<{ rows: Map<string, (bigint | undefined)[]>; isNew: boolean }> {
  const { start, index } = placeInRow(step, atS);
  const miners = [...values.keys()];
  const rows = new Map<string, (bigint | undefined)[]>();
  let isNew = false;
  for (let at = 0; at < miners.length; at += ROWS_AT_ONCE) {
    const some = miners.slice(at, at + ROWS_AT_ONCE);
    const kept = await trx
      .selectFrom('pool_rate')
      .select(['miner', 'rates'])
      .where('pool', '=', pool)
      .where('step', '=', step.seconds)
      .where('start', '=', start)
      .where('miner', 'in', some)
      .execute();
    isNew ||= kept.length < some.length;
    for (const { miner, rates } of kept) rows.set(miner, readRow(rates));
    for (const miner of some) {
      const row = rows.get(miner) ?? [];
      // The first of a step stays: several processes may keep the same moment.
      if (!isFirst || row[index] === undefined) row[index] = meanRate(values.get(miner)!);
      rows.set(miner, Array.from(row));
    }
    await trx
      .insertInto('pool_rate')
      .values(
        some.map((miner) => ({ pool, miner, step: step.seconds, start, rates: writeRow(rows.get(miner)!) })),
      )
      .onConflict((conflict) =>
        conflict.columns(['pool', 'miner', 'step', 'start']).doUpdateSet((each) => ({
          rates: each.ref('excluded.rates'),
        })),
      )
      .execute();
  }
  return { rows, isNew };
}

/** By number, not by time: a clock that is ahead for once must not take three years away. */
async function forgetRows(
  trx: Trx,
  pool: string,
  whose: '=' | '<>',
  { seconds, rows }: RateStep,
  start: number,
): Promise<void> {
  const tooOld = await trx
    .selectFrom('pool_rate')
    .select('start')
    .distinct()
    .where('pool', '=', pool)
    .where('step', '=', seconds)
    .where('miner', whose, '')
    .where('start', '<=', start)
    .orderBy('start', 'desc')
    .offset(rows)
    .limit(1)
    .executeTakeFirst();
  const newest = tooOld === undefined ? -1 : Number(tooOld.start);
  await trx
    .deleteFrom('pool_rate')
    .where('pool', '=', pool)
    .where('step', '=', seconds)
    .where('miner', whose, '')
    .where((each) => each.or([each('start', '>', start), each('start', '<=', newest)]))
    .execute();
}

/** Forgets the miners of a pool that were seen longest ago, beyond those that are kept. */
export async function forgetMiners(db: Kysely<MiningHistoryTables>, pool: string): Promise<void> {
  const tooMany = await db
    .selectFrom('pool_rate')
    .select(['miner'])
    .where('pool', '=', pool)
    .where('miner', '<>', '')
    .groupBy('miner')
    .orderBy((each) => each.fn.max('start'), 'desc')
    .orderBy('miner')
    .offset(maxKeptMiners)
    .limit(ROWS_AT_ONCE)
    .execute();
  if (tooMany.length === 0) return;
  await db
    .deleteFrom('pool_rate')
    .where('pool', '=', pool)
    .where(
      'miner',
      'in',
      tooMany.map(({ miner }) => miner),
    )
    .execute();
}
