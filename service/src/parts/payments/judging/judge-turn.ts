/** Of all processes that could judge payments one does; one that has lost its turn can write nothing any more. */

import { type Kysely, sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';

const JOB = 'judge';
/** Any fixed number: the name of the one-judge lock among the advisory locks of the database. */
const JUDGE_LOCK = 0x7061796a;

/** Another process judges now. */
export class TurnLostError extends Error {
  override readonly name = 'TurnLostError';
}

/** The right to judge, from when it was taken until another takes it. */
export type JudgeTurn = {
  /**
   * Within a transaction that is to write: keeps others from taking the turn until it ends.
   * @throws TurnLostError
   */
  check(trx: PaymentQuery): Promise<void>;
  /** Whether the connection that holds the turn is there still. */
  isHeld(): Promise<boolean>;
};

/**
 * Takes the turn and runs `work` while it is held. On PostgreSQL a session lock keeps one process in front of the
 * others, and is free as soon as that ends. On SQLite, whose file belongs to one worker, the latest to come has it.
 *
 * @returns false when another process has the turn
 */
export async function runInTurn(
  precious: Precious,
  work: (turn: JudgeTurn) => Promise<void>,
): Promise<boolean> {
  const db = precious.query<PaymentTables>();
  if (precious.engine === 'sqlite') {
    await work(await takeTurn(db, precious, async () => true));
    return true;
  }
  return await db.connection().execute(async (connection) => {
    const { rows } = await sql<{
      locked: boolean;
    }>`select pg_try_advisory_lock(${sql.lit(JUDGE_LOCK)}) as locked`.execute(connection);
    if (rows[0]?.locked !== true) return false;
    const isHeld = () =>
      sql`select 1`.execute(connection).then(
        () => true,
        () => false,
      );
    try {
      await work(await takeTurn(db, precious, isHeld));
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(JUDGE_LOCK)})`.execute(connection).catch(() => undefined);
    }
    return true;
  });
}

async function takeTurn(
  db: Kysely<PaymentTables>,
  { engine }: Precious,
  isHeld: () => Promise<boolean>,
): Promise<JudgeTurn> {
  const { turn } = await db
    .insertInto('job_turn')
    .values({ job: JOB, turn: 1 })
    .onConflict((conflict) =>
      conflict.column('job').doUpdateSet((row) => ({ turn: row('job_turn.turn', '+', 1) })),
    )
    .returning('turn')
    .executeTakeFirstOrThrow();
  return {
    isHeld,
    async check(trx) {
      const present = trx.selectFrom('job_turn').select('turn').where('job', '=', JOB);
      const row = await (engine === 'postgres' ? present.forUpdate() : present).executeTakeFirst();
      if (row?.turn !== turn) throw new TurnLostError('Another process judges payments.');
    },
  };
}
