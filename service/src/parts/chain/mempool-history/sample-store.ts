/** What the mempool was at moments: nothing else remembers it, so it is precious data, of a bounded size. */

import { type Kysely, sql as raw } from 'kysely';
import type { Migrations, Precious } from '../../../db/precious.ts';
import { sql } from '../../../db/statement.ts';
import { sampleSteps } from './history-rules.ts';

/** One row a step of time: `at` is where it begins (Unix seconds), `rates` JSON of `[milli base units per virtual byte, virtual bytes][]`. */
export type MempoolSampleTable = { step: number; at: number; tx_count: number; rates: string };
export type HistoryTables = { mempool_sample: MempoolSampleTable };

/** The mempool at a moment: by lower bounds of fee rates, milli base units per virtual byte, how many virtual bytes paid them. */
export type MempoolSample = {
  at: number;
  txs: number;
  rates: readonly (readonly [milliPerVb: number, vsize: number])[];
};

/** The schema. */
export const historyMigrations: Migrations = {
  '0026_mempool_history': async (db: Kysely<unknown>) => {
    await raw
      .raw(
        `create table mempool_sample (
          step bigint not null, at bigint not null, tx_count bigint not null, rates text not null, primary key (step, at))`,
      )
      .execute(db);
  },
};

const LIST = sql<Pick<MempoolSampleTable, 'at' | 'tx_count' | 'rates'>>(
  'select at, tx_count, rates from mempool_sample where step = $1 and at >= $2 and at <= $3 order by at',
);

/**
 * Keeps what was seen at a moment for each length of step, where it is the first of its step, and forgets all but the newest of each. What a clock
 * that was ahead left is of a time that is yet to come, and goes.
 */
export async function keepSample(
  precious: Precious,
  sample: MempoolSample,
  steps: readonly { seconds: number; kept: number }[] = sampleSteps,
): Promise<void> {
  await precious.transaction<HistoryTables, void>(async (trx) => {
    for (const { seconds: step, kept } of steps) {
      const at = sample.at - (sample.at % step);
      await trx
        .insertInto('mempool_sample')
        .values({ step, at, tx_count: sample.txs, rates: JSON.stringify(sample.rates) })
        .onConflict((conflict) => conflict.columns(['step', 'at']).doNothing())
        .execute();
      await trx.deleteFrom('mempool_sample').where('step', '=', step).where('at', '>', at).execute();
      // By number, not by time: a clock that is ahead for once must not take a year away.
      const tooOld = await trx
        .selectFrom('mempool_sample')
        .select('at')
        .where('step', '=', step)
        .orderBy('at', 'desc')
        .offset(kept)
        .limit(1)
        .executeTakeFirst();
      if (tooOld === undefined) continue;
      await trx.deleteFrom('mempool_sample').where('step', '=', step).where('at', '<=', tooOld.at).execute();
    }
  });
}

/** Samples of a length of step, oldest first, of steps that begin from one moment to another. */
export async function listSamples(
  precious: Pick<Precious, 'read'>,
  step: number,
  fromS: number,
  toS: number,
): Promise<MempoolSample[]> {
  return (await precious.read(LIST, [step, fromS, toS])).map(({ at, tx_count: txs, rates }) => ({
    at: Number(at),
    txs: Number(txs),
    rates: JSON.parse(rates),
  }));
}
