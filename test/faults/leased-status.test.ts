/// <reference path="../harness/global-setup.ts" />
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createReadChain } from '../../service/src/chain/read-chain.ts';
import { openDatabase } from '../../service/src/db/open.ts';
import type { Statement } from '../../service/src/db/statement.ts';
import { GET_REVISION } from '../../service/src/indexer/revision.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { createDatabase, dropDatabase } from '../harness/postgres.ts';
import { startService, type TestService } from '../harness/service.ts';

/** Where the indexer is in the same process, PostgreSQL is not asked for each answer whether the index has changed. */

let node: TestNode;
let url: string;
const services: TestService[] = [];

beforeAll(async () => {
  node = await startNode();
  await node.mine(5);
  url = await createDatabase(inject('postgresUrl'));
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.kill()));
  await node?.stop();
  await dropDatabase(url);
});

async function start(roles: string, waitFor: 'tip' | 'nothing'): Promise<TestService> {
  const database = { kind: 'postgres', url } as const;
  const settings = { COINFRONT_ROLES: roles, COINFRONT_LOG_LEVEL: 'info' };
  const service = await startService({ nodeUrl: node.url, database, settings, waitFor });
  services.push(service);
  return service;
}

test('an answer whose snapshot is known by the indexer asks no question, and one whose is not asks the database', async () => {
  await start('all', 'tip');
  const database = await openDatabase({ kind: 'postgres', url });
  try {
    let questions = 0;
    const counting = {
      ...database,
      latest<Row>(statement: Statement<Row>) {
        questions++;
        return database.latest!(statement);
      },
    };
    let told: string | undefined;
    const readChain = createReadChain(counting, { findRevision: () => told });
    const tip = await readChain(async (view) => view.tip);
    expect((await readChain.peek!())?.tip).toEqual(tip);
    expect(questions).toBe(1);
    const present = (await database.latest!(GET_REVISION))!.value;
    told = present;
    const known = await readChain.peek!();
    expect(questions).toBe(1);
    expect(known).toEqual({ tip, mempool: expect.objectContaining({ version: Number(present) }) });
    // What was read before is not what there is: a snapshot has to be opened.
    told = String(Number(present) + 1);
    expect(await readChain.peek!()).toBeUndefined();
    expect(questions).toBe(1);
  } finally {
    await database.close();
  }
});

test('while the lock goes from one process to another, nobody is shown less than was committed before', async () => {
  const [both] = services;
  const indexer = await start('indexer', 'nothing');
  await waitUntil('the second stands by', () => indexer.printed().includes('stands by'));
  const database = await openDatabase({ kind: 'postgres', url });
  const readChain = createReadChain(database);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let isOver = false;
    let comparisons = 0;
    const readCommitted = (): Promise<number> => readChain(async ({ tip }) => tip!.height);
    const watching = (async () => {
      while (!isOver) {
        const committed = await readCommitted();
        const { headers } = await both!.get('/api/v1/status');
        expect(Number(headers.get('x-chain-height'))).toBeGreaterThanOrEqual(committed);
        comparisons++;
      }
    })();
    watching.catch(() => {});
    for (let round = 0; round < 4; round++) {
      // As an operator does, or a firewall that forgets a connection.
      const ended = await client.query(
        `select pg_terminate_backend(pid, 5000) from pg_locks join pg_stat_activity using (pid)
         where locktype = 'advisory' and granted and datname = current_database()
         and application_name = 'coinfront indexer'`,
      );
      expect(ended.rowCount).toBe(1);
      const height = Number(await node.rpc('getblockcount')) + 1;
      await node.mine(1);
      await waitUntil('the block is committed', async () => (await readCommitted()) === height);
    }
    const before = comparisons;
    await Promise.race([watching, waitUntil('the last state was compared', () => comparisons > before + 1)]);
    isOver = true;
    await watching;
    await both!.waitForTip();
  } finally {
    await client.end();
    await database.close();
  }
});
