/**
 * Of all processes that could follow the chain for payments one does; one that has lost its turn can write nothing any more. What it
 * shares, others judge with it.
 */

import { type Kysely, sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import type { WholeState } from './judge-payments.ts';

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
   * Within a transaction that is to write: keeps others from taking the turn, and from judging, until it ends. What was
   * shared is no more: what is judged by may change.
   * @throws TurnLostError
   */
  check(trx: PaymentQuery): Promise<void>;
  /**
   * The same within a transaction that judges, which others may do at the same time.
   * @throws TurnLostError
   */
  checkJudging(trx: PaymentQuery): Promise<void>;
  /** Lets others judge by this state, until something is written. Only where there may be others. */
  share?(state: WholeState): Promise<void>;
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
    .values({ job: JOB, turn: 1, shared: null })
    .onConflict((conflict) =>
      conflict.column('job').doUpdateSet((row) => ({ turn: row('job_turn.turn', '+', 1), shared: null })),
    )
    .returning('turn')
    .executeTakeFirstOrThrow();
  const isPostgres = engine === 'postgres';
  const find = (trx: PaymentQuery) =>
    trx.selectFrom('job_turn').select(['turn', 'shared']).where('job', '=', JOB);
  const compare = (row: { turn: number } | undefined): void => {
    if (row?.turn !== turn) throw new TurnLostError('Another process judges payments.');
  };
  const setShared = (db: PaymentQuery, shared: string | null) =>
    db
      .updateTable('job_turn')
      .set({ shared })
      .where('job', '=', JOB)
      .where('turn', '=', turn)
      .returning('turn')
      .executeTakeFirst();
  return {
    isHeld,
    async check(trx) {
      // Waits until nobody judges by what is shared. The row says what is, whatever became of writes before this one.
      const row = await (isPostgres ? find(trx).forUpdate() : find(trx)).executeTakeFirst();
      compare(row);
      if (row!.shared !== null) await setShared(trx, null);
    },
    checkJudging: async (trx) =>
      compare(await (isPostgres ? find(trx).forShare() : find(trx)).executeTakeFirst()),
    ...(isPostgres && {
      async share(state: WholeState) {
        compare(await setShared(db, JSON.stringify(state)));
      },
    }),
  };
}

/** What the process that has the turn shares at the moment: the state to judge by, and the right to. */
export async function findShared(
  precious: Precious,
): Promise<{ state: WholeState; turn: Pick<JudgeTurn, 'checkJudging'> } | undefined> {
  const find = (query: PaymentQuery) =>
    query.selectFrom('job_turn').select(['turn', 'shared']).where('job', '=', JOB);
  const found = await find(precious.query<PaymentTables>()).executeTakeFirst();
  if (!found || found.shared === null) return undefined;
  return {
    state: JSON.parse(found.shared) as WholeState,
    turn: {
      async checkJudging(trx) {
        const row = await find(trx).forShare().executeTakeFirst();
        if (row?.turn !== found.turn || row.shared !== found.shared)
          throw new TurnLostError('What was shared is judged.');
      },
    },
  };
}
