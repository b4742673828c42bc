/** A copy of a treasury's books, served as they are: what an operator can do with them who has the key and the database. */

import { logOrigin } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { parseLoggedHead, writeLoggedHead } from '@coinfront/protocol/treasury/ledger-head.ts';
import { createClient } from '@coinfront/sdk/client/create-client.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { createClientNames } from '../../service/src/clients/client-names.ts';
import type { Precious } from '../../service/src/db/precious.ts';
import { createHttpMetrics } from '../../service/src/http/http-metrics.ts';
import { createServer } from '../../service/src/http/server.ts';
import { createTreasuryPart } from '../../service/src/parts/treasury/treasury-part.ts';
import { appendEntries } from '../../service/src/signed-log/append-entries.ts';
import { listEntries, listHeads } from '../../service/src/signed-log/log-store.ts';
import type { SignedLogTables } from '../../service/src/signed-log/log-tables.ts';
import { openServiceKey, type ServiceSigner } from '../../service/src/signing/service-key.ts';
import { makeFixtureChain } from '../../service/src/testing/fixture-server.ts';
import { readFixture } from '../../service/src/testing/fixture-view.ts';
import type { TestEngine } from '../harness/engines.ts';
import { openFresh } from '../signed-log/served-log.ts';
import { reseal, unlockHistory } from './forger.ts';
import { profile } from './treasury-desk.ts';

/** An epoch of the log, and how many entries the ledger had then. */
export type LoggedPlace = { epoch: number; sequence: number };

export type RewrittenLedger = {
  precious: Precious;
  client: ReturnType<typeof createClient>;
  /** Runs a statement that the database refuses to others. */
  force(...statements: string[]): Promise<void>;
  /** Seals all entries anew, as they are now. */
  reseal(): Promise<void>;
  /** Signs the log anew: a head at each of these places, or those that it had. */
  relog(places?: readonly LoggedPlace[]): Promise<void>;
  listPlaces(): Promise<LoggedPlace[]>;
  close(): Promise<void>;
};

const logTables = ['entry', 'hash', 'head', 'anchor'].map((name) => `signed_log_${name}`);
/** What refers to rows of another table comes behind it. */
const bookTables = [
  ...[
    'secret_key',
    'contributor',
    'nickname_skeleton',
    'banned_nickname',
    'intent',
    'held_amount',
    'sighting',
  ],
  ...['entry', 'coin', 'standing', 'cursor', 'seal', 'script', 'assignment', 'note'],
].map((name) => `treasury_${name}`);

/**
 * Serves a copy of the books of a service, which may go on meanwhile, from a database of their own.
 *
 * @param keyFile - of the operator's key; that of the service, or another
 */
export async function copyLedger(
  engine: TestEngine,
  books: Precious,
  keyFile: string,
): Promise<RewrittenLedger> {
  const precious = await openFresh(engine);
  for (const table of [...bookTables, ...logTables]) await copyRows(books, precious, table);
  const signer: ServiceSigner = openServiceKey(keyFile);
  const origin = logOrigin('treasury-ledger', signer.publicKey);
  const db = precious.query<SignedLogTables>();
  const http = createServer({
    logger: pino({ level: 'silent' }),
    metrics: createHttpMetrics(),
    findPrivateKey: () => undefined,
    corsOrigins: '*',
    rateLimitPerMinute: undefined,
    trustedProxies: [],
  });
  const never = () => {
    throw new Error('no route of the ledger asks for this');
  };
  createTreasuryPart(
    {
      ...{ precious, profile, readChain: readFixture(makeFixtureChain()), now: Date.now, epochBlocks: 10 },
      ...{ nameClient: createClientNames(precious), perClient: undefined, findNodeHeight: () => undefined },
      ...{ isNodeAvailable: () => true, estimateFeeRate: never, getRelayRate: never },
    },
    http.routes,
  ).register(http.app);
  const baseUrl = await http.app.listen({ host: '127.0.0.1', port: 0 });
  const force: RewrittenLedger['force'] = async (...statements) => {
    await unlockHistory(precious, 'treasury_entry');
    await unlockHistory(precious, 'treasury_seal');
    for (const table of logTables) {
      const triggers =
        engine.kind === 'sqlite'
          ? ['update', 'delete'].map((verb) => `drop trigger if exists ${table}_no_${verb}`)
          : [`drop trigger if exists ${table}_append_only on ${table}`];
      for (const statement of triggers) await sql.raw(statement).execute(db);
    }
    for (const statement of statements) await sql.raw(statement).execute(db);
  };
  const listPlaces = async (): Promise<LoggedPlace[]> => {
    const size = (await listHeads(db, origin, 0, 1_000)).at(-1)?.size ?? 0;
    return (await listEntries(db, origin, 0, size)).map((text) => {
      const head = parseLoggedHead(text);
      if (!head.ok) throw new Error(head.reason);
      return { epoch: head.value.epoch, sequence: head.value.sequence };
    });
  };
  return {
    precious,
    client: createClient({ baseUrl, retries: 0 }),
    force,
    reseal: () => reseal(precious, keyFile),
    async relog(places) {
      const kept = places ?? (await listPlaces());
      await force(...logTables.map((table) => `delete from ${table}`));
      for (const { epoch, sequence } of kept) {
        const { rows } = await sql<{ hash: string }>`
          select hash from treasury_seal where sequence = ${sequence}`.execute(db);
        const text = writeLoggedHead({
          ...{ type: 'treasury-head', version: 1, network: profile.genesisHash },
          ...{ service_key: signer.publicKey, epoch, sequence, hash: rows[0]!.hash },
          taken_at: new Date(0).toISOString(),
        });
        await appendEntries(db, { origin, ...signer, sign: (of) => signer.sign(of) }, [text], 0);
      }
    },
    listPlaces,
    async close() {
      await http.app.close();
      await precious.close();
    },
  };
}

/** Copies all rows of a table; entries of the ledger in their order, of which some refer to earlier ones. */
async function copyRows(from: Precious, to: Precious, table: string): Promise<void> {
  const order = table === 'treasury_entry' ? sql`order by sequence` : sql``;
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)} ${order}`.execute(
    from.query(),
  );
  for (const row of rows) {
    const columns = Object.keys(row).map((name) => sql.ref(name));
    await sql`insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(Object.values(row))})`.execute(
      to.query(),
    );
  }
}
