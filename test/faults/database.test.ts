import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { waitForHealth } from '../harness/health.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { runSql, startPostgres, type TestPostgres } from '../harness/postgres.ts';
import { type ServiceAnswer, startService, type TestService } from '../harness/service.ts';
import { startProxy, type TcpProxy } from '../harness/tcp-proxy.ts';

/** Answers that may come while the database is away; anything else, or no answer, is a fault. */
const GONE = [503, 'index_unavailable'];

let node: TestNode;
let postgres: TestPostgres;
let proxy: TcpProxy;
let database: string;
let service: TestService;

beforeAll(async () => {
  [node, postgres] = await Promise.all([startNode(), startPostgres()]);
  await node.mine(105);
  proxy = await startProxy(postgres.url);
  database = await postgres.createDatabase();
  const url = proxy.through(database);
  service = await startService({ nodeUrl: node.url, database: { kind: 'postgres', url } });
});
beforeEach(() => proxy.set({}));
afterAll(async () => {
  await service.kill();
  await proxy.stop();
  await Promise.all([node.stop(), postgres.stop()]);
});

/** Asks over and over, many at once, until stopped; gives each distinct answer that was no 200. */
function readAllTheTime(): { stop(): Promise<unknown[]> } {
  const paths = ['/api/v1/blocks', '/api/v1/stats', '/api/v1/block/7', '/esplora/blocks'];
  const refusals = new Set<string>();
  let stopped = false;
  const read = async (path: string): Promise<void> => {
    while (!stopped) {
      const answer = await service.get(path).catch((error: Error) => error);
      if (answer instanceof Error) refusals.add(JSON.stringify(answer.message));
      else if (answer.status !== 200) refusals.add(JSON.stringify(describeRefusal(path, answer)));
    }
  };
  const reading = Promise.all([...paths, ...paths].map(read));
  return {
    async stop() {
      stopped = true;
      await reading;
      return [...refusals].map((refusal) => JSON.parse(refusal));
    },
  };
}

/** Esplora's errors are texts, as its clients expect. */
function describeRefusal(path: string, { status, json }: ServiceAnswer): unknown[] {
  return path.startsWith('/esplora') && status === GONE[0] ? GONE : [status, json?.code];
}

async function expectRecovery(): Promise<void> {
  await node.mine(1);
  await service.waitForTip();
  await waitForHealth(service, 'ready');
  const judged = `coinfront_payments_judged_height ${await node.rpc('getblockcount')}\n`;
  await waitUntil('payments are judged again', async () =>
    (await (await fetch(`${service.metricsOrigin}/metrics`)).text()).includes(judged),
  );
}

describe('the service on a PostgreSQL that fails', () => {
  test('stopped under load and started again: no answer is worse than 503, and all comes back by itself', async () => {
    const pid = service.pid();
    const reads = readAllTheTime();
    await postgres.halt();
    const health = await waitForHealth(service, 'index_unavailable');
    expect(health).toMatchObject({ ready: false, index: { height: null }, node: { available: true } });
    expect((await service.get('/api/v1/config')).status).toBe(200);
    const blocks = await service.get('/api/v1/blocks');
    expect([blocks.status, blocks.json.code, blocks.headers.get('retry-after')]).toEqual([...GONE, '5']);
    const raw_tx = await signPayment(node);
    expect(await service.post('/api/v1/broadcast', { raw_tx })).toMatchObject({ status: 200 });
    await postgres.resume();
    await expectRecovery();
    for (const refusal of await reads.stop()) expect(refusal).toEqual(GONE);
    expect(service.pid()).toBe(pid);
  });

  test('that ends the session of the indexer: it is started anew, and the API goes on', async () => {
    const reads = readAllTheTime();
    await runSql(
      postgres.url,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'coinfront indexer'",
    );
    await waitUntil('the crash is noticed', () => service.printed().includes('ended by an error'));
    await expectRecovery();
    expect(await reads.stop()).toEqual([]);
  });

  test('that ends the session of a reader in the middle of a query: 503, and the next has a new one', async () => {
    const other = new pg.Client({ connectionString: database });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query('begin');
    await other.query('lock table block');
    // A page that nobody asked for before is not in the memory of the service.
    const answer = service.get('/api/v1/blocks?limit=7');
    const waits = "application_name = 'coinfront' and wait_event_type = 'Lock'";
    const sessions = async (where: string): Promise<number[]> =>
      (await other.query(`select pid from pg_stat_activity where ${where}`)).rows
        .map(({ pid }) => pid)
        .sort();
    await waitUntil('the reader waits', async () => (await sessions(waits)).length > 0);
    await other.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${waits}`);
    const { status, json } = await answer;
    expect([status, json.code]).toEqual(GONE);
    await other.query('rollback');
    expect((await service.get('/api/v1/blocks?limit=7')).status).toBe(200);

    // What a read does not find is no reason to give a session up. Jobs of the service may open another at any time.
    // One that nobody used for ten seconds goes by itself.
    const before = await sessions("application_name = 'coinfront' and state_change > now() - interval '5 s'");
    expect(before).not.toEqual([]);
    for (let height = 900; height < 910; height++) {
      expect((await service.get(`/api/v1/block/${height}`)).status).toBe(404);
    }
    expect(await sessions("application_name = 'coinfront'")).toEqual(expect.arrayContaining(before));
  });

  test('that ends all sessions of readers, over and over: no answer is worse than 503', async () => {
    const reads = readAllTheTime();
    for (let i = 0; i < 5; i++) {
      await runSql(
        postgres.url,
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'coinfront'",
      );
    }
    for (const refusal of await reads.stop()) expect(refusal).toEqual(GONE);
    await expectRecovery();
    expect((await service.get('/api/v1/blocks')).status).toBe(200);
  });

  test('that falls silent: health still answers, and says so', async () => {
    proxy.set({ state: 'held' });
    await waitForHealth(service, 'index_unavailable');
    expect((await service.get('/api/v1/config')).status).toBe(200);
    proxy.set({});
    await expectRecovery();
  });

  test('away when the service starts: it answers, says so, and begins when the database does', async () => {
    expect(await service.stop()).toBe(0);
    await postgres.halt();
    await service.start();
    await waitForHealth(service, 'index_unavailable');
    await postgres.resume();
    await expectRecovery();
    expect(await service.stop()).toBe(0);
  });
});

/** A payment of the node's wallet, signed and not sent. */
async function signPayment(from: TestNode): Promise<string> {
  const outputs = [{ [await from.newAddress()]: 0.01 }];
  const raw = await from.rpc<string>('createrawtransaction', [], outputs);
  const { hex } = await from.rpc<{ hex: string }>('fundrawtransaction', raw);
  return (await from.rpc<{ hex: string }>('signrawtransactionwithwallet', hex)).hex;
}
