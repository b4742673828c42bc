import pg from 'pg';
import type { Reader } from './database.ts';
import { nameOf, queryRows } from './postgres-query.ts';
import { createPostgresReader } from './postgres-reader.ts';
import { type SqlValue, type Statement, sql } from './statement.ts';

/** One caller's question, and whom to tell. */
type Ask = {
  params: readonly SqlValue[];
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
};

/** Several keys that one caller looks up. */
type Lookup = {
  keys: ArrayLike<number>;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
};

/** Which of those who asked together a row answers, counted from 1: the only column of a row that is not the statement's. */
type AskedBy = { asked_by: number | bigint };

/** Keys of all callers above which each of their lookups is a query by itself. */
const MOST_KEYS = 5_000;
/** Keys of one caller above which that is so where a row answers for many: together, each key would have it again. */
const MOST_KEYS_OF_ROWS = 100;

const GET_TYPES = sql<{ types: string[] }>(
  'select parameter_types::text[] as types from pg_prepared_statements where name = $1',
);

/** Types of a statement's parameters, as the server found them; the same on every connection. */
const typesOf = new WeakMap<Statement<unknown>, readonly string[]>();
const manyAsks = new WeakMap<Statement<unknown>, Statement<unknown>>();
const manyLookups = new WeakMap<Statement<unknown>, Statement<unknown>>();

/**
 * Reads through one connection for several requests at a time. What they ask by the same statement in one turn of the event
 * loop, or while another query is under way, is one query: the statement is run once for each row of arrays of their
 * parameters. So a round trip, which costs the processes on both ends far more than finding a row, is shared by all who
 * go through the same steps.
 *
 * The types of the arrays are asked of the server when a statement is shared for the first time.
 */
export function createSharedReader(client: pg.ClientBase): Reader {
  const alone = createPostgresReader(client);
  const asks = new Map<Statement<unknown>, Ask[]>();
  const lookups = new Map<Statement<unknown>, Lookup[]>();
  let isRunning = false;

  /** One query after the other; what is asked while one is under way goes together as well. */
  const answerWaiting = async (): Promise<void> => {
    for (;;) {
      const ask = takeFirst(asks);
      const lookup = ask ? undefined : takeFirst(lookups);
      if (ask) await answerAll(ask.all, (some) => askTogether(ask.statement, some));
      else if (lookup) await answerAll(lookup.all, (some) => lookUpTogether(lookup.statement, some));
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

  const askTogether = async (statement: Statement<unknown>, all: readonly Ask[]): Promise<unknown[][]> => {
    if (all.length === 1) return [await alone.all(statement, all[0]!.params)];
    if (all.every(({ params }) => params.length === 0)) {
      const rows = await alone.all(statement);
      return all.map(() => rows);
    }
    const types = typesOf.get(statement);
    if (types === undefined) {
      const answers: unknown[][] = [];
      for (const { params } of all) answers.push(await alone.all(statement, params));
      typesOf.set(statement, (await alone.get(GET_TYPES, [nameOf(statement)]))!.types);
      return answers;
    }
    const columns = types.map((_, i) => all.map(({ params }) => params[i] ?? null));
    return dealOut(await query(describeTogether(statement, types), columns), all.length);
  };

  const lookUpTogether = async (
    statement: Statement<unknown>,
    all: readonly Lookup[],
  ): Promise<unknown[][]> => {
    const total = all.reduce((sum, lookup) => sum + lookup.keys.length, 0);
    const repeatsRows = statement.endOf && all.some(({ keys }) => keys.length > MOST_KEYS_OF_ROWS);
    if (all.length === 1 || total > MOST_KEYS || repeatsRows) {
      const answers: unknown[][] = [];
      for (const lookup of all) answers.push(await alone.lookup(statement, lookup.keys));
      return answers;
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

  const query = (statement: Statement<unknown>, columns: readonly unknown[]): Promise<AskedBy[]> =>
    queryRows(client, statement as Statement<AskedBy>, columns);

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
      return new Promise<unknown[]>((resolve, reject) => {
        const waiting = lookups.get(statement);
        if (waiting) waiting.push({ keys, resolve, reject });
        else lookups.set(statement, [{ keys, resolve, reject }]);
        begin();
      }) as Promise<Row[]>;
    },
  };
}

function takeFirst<T>(
  waiting: Map<Statement<unknown>, T[]>,
): { statement: Statement<unknown>; all: T[] } | undefined {
  for (const [statement, all] of waiting) {
    waiting.delete(statement);
    return { statement, all };
  }
  return undefined;
}

/**
 * Gives each its rows, or the error. A value that the server refuses is one caller's: each is asked for alone then, so that nobody
 * makes the others fail. In a transaction that does not help them; there the server answers nothing more.
 */
async function answerAll<T extends Pick<Ask, 'resolve' | 'reject'>>(
  all: readonly T[],
  find: (some: readonly T[]) => Promise<unknown[][]>,
): Promise<void> {
  try {
    for (const [i, rows] of (await find(all)).entries()) all[i]!.resolve(rows);
  } catch (error) {
    if (all.length > 1 && isDataFault(error)) for (const one of all) await answerAll([one], find);
    else for (const { reject } of all) reject(error);
  }
}

/** SQLSTATE class 22: the query is right, and a value in it is not. */
function isDataFault(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('22') === true;
}

function dealOut(rows: readonly AskedBy[], count: number): unknown[][] {
  const dealt: unknown[][] = Array.from({ length: count }, () => []);
  for (const row of rows) dealt[Number(row.asked_by) - 1]!.push(row);
  return dealt;
}

/** A statement for many rows of parameters at once. Rows of one come in the order that the statement gives them. */
function describeTogether(statement: Statement<unknown>, types: readonly string[]): Statement<unknown> {
  return remember(manyAsks, statement, () => {
    const arrays = types.map((type, i) => `$${i + 1}::${type}[]`).join(', ');
    const names = types.map((_, i) => `p${i + 1}`).join(', ');
    const text = statement.text.replace(/\$(\d+)/g, 'a.p$1');
    return `select r.*, a.asked_by from unnest(${arrays}) with ordinality as a(${names}, asked_by)
      cross join lateral (${text}) r`;
  });
}

/** The lookups of many callers, each key with the number of who asks for it. */
function describeLookups(statement: Statement<unknown>): Statement<unknown> {
  return remember(manyLookups, statement, () => {
    const text = statement.single.replaceAll('$1', 'a.key');
    return `select r.*, a.asked_by from unnest($1::int8[], $2::int8[]) as a(key, asked_by) cross join lateral (${text}) r`;
  });
}

function remember(
  known: WeakMap<Statement<unknown>, Statement<unknown>>,
  statement: Statement<unknown>,
  write: () => string,
): Statement<unknown> {
  let together = known.get(statement);
  if (!together) {
    together = sql(write(), { bigints: statement.bigints });
    known.set(statement, together);
  }
  return together;
}
