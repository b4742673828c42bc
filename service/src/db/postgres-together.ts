import pg from 'pg';
import type { Reader } from './database.ts';
import { LargeReadError, mayBeLarge, mostOfSmall } from './large-read.ts';
import { hasLeftOut, nameOf, type QueryOptions, queryRows } from './postgres-query.ts';
import { lookUpRows } from './postgres-reader.ts';
import { type SqlValue, type Statement, sql } from './statement.ts';
import { dealOut, describeLookups, describeTogether } from './together-statements.ts';
import { type Ask, type Lookup, splitLookups, takeFirst, type Waiting } from './waiting-questions.ts';

/** How a reader asks. */
export type SharedReaderOptions = QueryOptions & {
  /** What was asked for first: where it fails, so does all that is read. */
  readonly begun?: Promise<unknown>;
};

const GET_TYPES = sql<{ types: string[] }>(
  'select parameter_types::text[] as types from pg_prepared_statements where name = $1',
);

/** Types of a statement's parameters, as the server found them; the same on every connection. */
const typesOf = new WeakMap<Statement<unknown>, readonly string[]>();
/**
 * Reads through one connection for several requests at a time. What they ask by the same statement in one turn of the event
 * loop, or while another query is under way, is one query: the statement is run once for each row of arrays of their
 * parameters. So a round trip, which costs the processes on both ends far more than finding a row, is shared by all who
 * go through the same steps.
 *
 * The types of the arrays are asked of the server when a statement is shared for the first time.
 *
 * @param options with `onlySmall` whoever asks for something large is told so by a {@link LargeReadError}, and nobody waits for it
 */
export function createSharedReader(
  client: pg.ClientBase,
  { begun, ...options }: SharedReaderOptions = {},
): Reader {
  const asks = new Map<Statement<unknown>, Ask[]>();
  const lookups = new Map<Statement<unknown>, Lookup[]>();
  let isRunning = false;

  /** One query after the other; what is asked while one is under way goes together as well. */
  const answerWaiting = async (): Promise<void> => {
    for (;;) {
      const ask = takeFirst(asks);
      const lookup = ask ? undefined : takeFirst(lookups);
      if (ask) await answerAll(ask, (some) => askTogether(ask.statement, some));
      else if (lookup) await answerLookups(lookup);
      else break;
    }
    isRunning = false;
  };

  /** Begins when everything has gone on that can without an answer. */
  const begin = (): void => {
    if (isRunning) return;
    isRunning = true;
    process.nextTick(answerWaiting);
  };

  /** As many as go together; the others wait behind what else is asked. */
  const answerLookups = async ({ statement, all }: Waiting<Lookup>): Promise<void> => {
    const { now, later } = splitLookups(statement, all);
    if (later.length > 0) lookups.set(statement, later);
    await answerAll({ statement, all: now }, (some) => lookUpTogether(statement, some));
  };

  const askTogether = async (statement: Statement<unknown>, all: readonly Ask[]): Promise<unknown[][]> => {
    if (all.length === 1) return [await query(statement, all[0]!.params)];
    if (all.every(({ params }) => params.length === 0)) {
      const rows = await query(statement, []);
      return all.map(() => rows);
    }
    const types = typesOf.get(statement);
    if (types === undefined) {
      const answers: unknown[][] = [];
      for (const { params } of all) answers.push(await query(statement, params));
      const [found] = await queryRows(client, GET_TYPES, [nameOf(statement, options)]);
      typesOf.set(statement, found!.types);
      return answers;
    }
    const columns = types.map((_, i) => all.map(({ params }) => params[i] ?? null));
    return dealOut(await query(describeTogether(statement, types), columns), all.length);
  };

  const lookUpTogether = async (
    statement: Statement<unknown>,
    all: readonly Lookup[],
  ): Promise<unknown[][]> => {
    if (all.length === 1) {
      const rows = await lookUpRows(client, statement, all[0]!.keys, options);
      await begun;
      return [rows];
    }
    const keys: number[] = [];
    const askers: number[] = [];
    for (const [i, lookup] of all.entries()) {
      for (let k = 0; k < lookup.keys.length; k++) {
        keys.push(lookup.keys[k]!);
        askers.push(i + 1);
      }
    }
    return dealOut(await query(describeLookups(statement), [keys, askers]), all.length);
  };

  const query = async <Row>(statement: Statement<Row>, params: readonly unknown[]): Promise<Row[]> => {
    const rows = await queryRows(client, statement, params, options);
    await begun;
    return rows;
  };

  const ask = (statement: Statement<unknown>, params: readonly SqlValue[]): Promise<unknown[]> =>
    new Promise((resolve, reject) => {
      const waiting = asks.get(statement);
      if (waiting) waiting.push({ params, resolve, reject });
      else asks.set(statement, [{ params, resolve, reject }]);
      begin();
    });

  return {
    folder: undefined,
    all: <Row>(statement: Statement<Row>, params: readonly SqlValue[] = []) =>
      ask(statement, params) as Promise<Row[]>,
    async get<Row>(statement: Statement<Row>, params: readonly SqlValue[] = []) {
      return (await ask(statement, params))[0] as Row | undefined;
    },
    lookup<Row>(statement: Statement<Row>, keys: ArrayLike<number>) {
      if (keys.length === 0) return Promise.resolve([]);
      if (options.onlySmall && keys.length > mostOfSmall.keys && mayBeLarge(statement))
        return Promise.reject(new LargeReadError());
      return new Promise<unknown[]>((resolve, reject) => {
        const waiting = lookups.get(statement);
        if (waiting) waiting.push({ keys, resolve, reject });
        else lookups.set(statement, [{ keys, resolve, reject }]);
        begin();
      }) as Promise<Row[]>;
    },
  };
}

/**
 * Gives each its rows, or the error. A value that the server refuses is one caller's: each is asked for alone then, so that nobody
 * makes the others fail. In a transaction that does not help them; there the server answers nothing more.
 */
async function answerAll<T extends Pick<Ask, 'resolve' | 'reject'>>(
  { statement, all }: Waiting<T>,
  find: (some: readonly T[]) => Promise<unknown[][]>,
): Promise<void> {
  try {
    for (const [i, rows] of (await find(all)).entries()) {
      if (hasLeftOut(statement, rows)) all[i]!.reject(new LargeReadError());
      else all[i]!.resolve(rows);
    }
  } catch (error) {
    if (all.length > 1 && isDataFault(error))
      for (const one of all) await answerAll({ statement, all: [one] }, find);
    else for (const { reject } of all) reject(error);
  }
}

/** SQLSTATE class 22: the query is right, and a value in it is not. */
function isDataFault(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('22') === true;
}
