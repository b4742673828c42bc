import type pg from 'pg';
import { type Database, DatabaseUnavailableError } from './database.ts';
import { openPostgres } from './postgres.ts';
import { runQuery } from './postgres-query.ts';
import { checkSessions } from './postgres-sessions.ts';
import { watchPrimary } from './primary-watch.ts';
import { type ReplicaState, watchReplica } from './replica-watch.ts';
import { splitUrls } from './split-urls.ts';
import type { Statement } from './statement.ts';

/** SQLSTATE of a table that is not there: nothing is indexed yet. */
const UNDEFINED_TABLE = '42P01';
/** One cluster and one database of it: a replica says the same as its primary. */
const IDENTITY = {
  text: "select system_identifier || ' ' || current_database() as is_of from pg_control_system()",
};

export type ReplicaOptions = {
  /** Says how far a database is, as a number that only grows. */
  readonly position: Statement<{ value: string }>;
  /** The replica that this process reads from by preference; processes should differ. */
  readonly first: number;
  /** A replica has been of no use for some seconds, and why; or it is of use again. */
  readonly onChange: (name: string, problem: string | undefined) => void;
};

/** A database with replicas. */
export type ReplicatedDatabase = {
  readonly database: Database;
  /** By host and port. */
  listStates(): ReadonlyMap<string, ReplicaState>;
};

/**
 * Reads from replicas, and never goes back: what anybody was shown, by whatever process, is in each snapshot that begins after that. The
 * primary says how far that is, in a question that all share who come at one time. A replica that is behind is waited for some
 * milliseconds, and left out until it has caught up. With none left the primary is read.
 *
 * While the primary does not answer, replicas are read that have all that this process has shown.
 *
 * @param urls of the primary, and with it of what may become it
 * @param readUrls of replicas, each of one server
 */
export async function openReplicated(
  urls: string,
  readUrls: string,
  { position, first, onChange }: ReplicaOptions,
): Promise<ReplicatedDatabase> {
  await checkSessions(readUrls);
  let identity: string | undefined;
  const primary = await openPostgres(urls, {
    check: async (client) => {
      identity ??= await readIdentity(client);
    },
  });
  const isReplica = async (client: pg.ClientBase): Promise<void> => {
    if (identity === undefined) await askPosition(primary);
    if (identity === undefined) throw new Error('nobody knows yet what the primary is');
    if ((await readIdentity(client)) !== identity)
      throw new Error('the server is no replica of the primary, or the address names another database');
  };
  /** Those who share an answer share what is made of it. */
  const positions = new WeakMap<Promise<unknown>, Promise<number>>();
  const askPosition = ({ latest }: Database): Promise<number> => {
    const answer = latest!(position);
    let known = positions.get(answer);
    if (!known) {
      known = answer.then(
        (row) => Number(row?.value ?? 0),
        (error) => {
          if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return 0;
          throw error;
        },
      );
      positions.set(answer, known);
    }
    return known;
  };
  const watch = watchPrimary(() => askPosition(primary));
  const replicas = await Promise.all(
    splitUrls(readUrls).map(async (url) => {
      const database = await openPostgres(url, { check: isReplica });
      const ask = () => askPosition(database);
      return watchReplica({ name: new URL(url).host, database, ask, shown: watch.shown, onChange });
    }),
  );
  const inOrder = replicas.map((_, i) => replicas[(first + i) % replicas.length]!);
  const findReady = (least: number) =>
    inOrder.find((replica) => replica.state() === 'in' && replica.position() >= least);

  const findReplica = async (least: number) => {
    const ready = findReady(least);
    if (ready) return ready;
    const present = inOrder.filter((replica) => replica.state() === 'in');
    // The first one that has caught up will do; the others go on.
    const caughtUp = present.map((replica) =>
      replica.catchUp().then(() => (replica.position() >= least ? undefined : Promise.reject(replica))),
    );
    await Promise.any(caughtUp).catch(() => {});
    return findReady(least);
  };

  const { latest, notify } = primary;
  return {
    listStates: () => new Map(replicas.map((replica) => [replica.name, replica.state()])),
    database: {
      ...primary,
      listPools: () =>
        new Map([
          ...primary.listPools!(),
          ...replicas.flatMap(({ name, database }) =>
            [...database.listPools!()].map(([pool, load]) => [`${pool} ${name}`, load] as const),
          ),
        ]),
      noteShown: watch.note,
      async latest(statement) {
        if (!watch.isThere()) throw new DatabaseUnavailableError('The primary does not answer.');
        return await watch.within(latest!(statement));
      },
      notify: notify!,
      async snapshot(read, options) {
        if (options?.fromPrimary) return await primary.snapshot(read, options);
        const replica = await findReplica(await watch.findLeast());
        if (!replica) return await primary.snapshot(read, options);
        try {
          return await replica.database.snapshot(read, options);
        } catch (error) {
          if (!(error instanceof DatabaseUnavailableError)) throw error;
          replica.fail(error);
        }
        return await primary.snapshot(read, options);
      },
      async close() {
        watch.stop();
        for (const replica of replicas) replica.stop();
        await Promise.all([primary.close(), ...replicas.map(({ database }) => database.close())]);
      },
    },
  };
}

async function readIdentity(client: pg.ClientBase): Promise<string> {
  const { rows } = await runQuery(client, IDENTITY);
  return String(rows[0]?.is_of);
}
