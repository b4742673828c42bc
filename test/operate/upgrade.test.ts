import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../service/src/db/open.ts';
import { sql } from '../../service/src/db/statement.ts';
import { LAYOUT_VERSION } from '../../service/src/indexer/layout.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { createTestMerchant, runAdmin } from '../harness/merchant.ts';
import { createDatabase, dropDatabase } from '../harness/postgres.ts';
import { openBeside } from '../harness/precious-rows.ts';
import { startService, type TestService } from '../harness/service.ts';
import { testCoin } from '../harness/test-coin.ts';

/** Which versions may meet: what is newer is refused, what is other is not read, and an index can be built beside another. */

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(30);
});
afterAll(() => node.stop());

forEachEngine('versions that meet', (engine) => {
  let database: DatabaseLocation;
  let service: TestService;
  beforeAll(async () => {
    database = await engine.openUrl();
    service = await startService({ nodeUrl: node.url, database });
    await createTestMerchant(service, database);
  });
  afterAll(() => service.stop());

  /** The index, once a program with another layout has worked on it. */
  const writeLayout = async (change: number): Promise<void> => {
    const opened = await openDatabase(
      database.kind === 'sqlite' ? { kind: 'sqlite', file: join(database.dataDir, 'chain.db') } : database,
    );
    const writer = await opened.openWriter();
    const { value } = (await writer.get(
      sql<{ value: string }>("select value from meta where key = 'identity'"),
    ))!;
    const [genesis, layout, ...parts] = value.split(' ');
    await writer.begin();
    await writer.run(sql("update meta set value = $1 where key = 'identity'"), [
      [genesis, Number(layout) + change, ...parts].join(' '),
    ]);
    await writer.run(sql("update meta set value = $1 where key = 'revision'"), [String(Date.now())]);
    await writer.commit();
    await writer.close();
    await opened.close();
  };
  const expectRefusal = async (line: RegExp, roles = 'all'): Promise<void> => {
    const older = await startService({
      nodeUrl: node.url,
      database,
      waitFor: 'nothing',
      settings: { COINFRONT_ROLES: roles },
    });
    onTestFinished(() => older.kill());
    await waitUntil('it has ended', () => !older.isRunning());
    expect(await older.stop()).toBe(1);
    expect(older.printed().trim().split('\n')).toEqual([expect.stringMatching(line)]);
  };

  /** What the doctor says of the index. */
  const examineIndex = async (): Promise<Record<string, unknown>> => {
    const settings = { COINFRONT_NODE_URL: node.url, COINFRONT_COIN: testCoin };
    const { stdout } = await runAdmin(database, ['doctor', '--json'], settings);
    return JSON.parse(stdout).findings.find((each: { check: string }) => each.check === 'database.index');
  };

  test('an older program refuses precious data of a newer one in one line, and goes back to a backup', {
    timeout: 400_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coinfront-before-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const coin = { COINFRONT_COIN: testCoin };
    const made = await runAdmin(database, ['backup', '--to', folder, '--json'], coin);
    await service.stop();
    const precious = await openBeside(database);
    const steps = precious.query<{ kysely_migration: { name: string; timestamp: string } }>();
    const step = { name: '9999_later', timestamp: new Date().toISOString() };
    await steps.insertInto('kysely_migration').values(step).execute();
    const line =
      /was made by a newer version of Coinfront: it has the step 9999_later, .*"Upgrade and rollback"/i;
    for (const roles of ['all', 'api', 'worker']) await expectRefusal(line, roles);
    const command = await runAdmin(database, ['merchant', 'list']);
    expect([command.code, command.stderr.trim().split('\n')]).toEqual([1, [expect.stringMatching(line)]]);
    await precious.close();
    const back = await runAdmin(
      database,
      ['restore', JSON.parse(made.stdout).folder, '--replace', '--nothing-leased-since'],
      coin,
    );
    expect([back.code, back.stderr]).toEqual([0, '']);
    await service.start();
    await service.waitForTip();
    expect(JSON.parse((await runAdmin(database, ['merchant', 'list', '--json'])).stdout).items).toHaveLength(
      1,
    );
  });

  test('an older program refuses an index of a newer one in one line, whatever its role, and leaves it as it is', {
    timeout: 400_000,
  }, async () => {
    await service.stop();
    await writeLayout(1);
    const line =
      /^The index was made by a newer version of Coinfront: its layout has version \d+, .*"Upgrade and rollback"/;
    for (const roles of ['all', 'api', 'indexer', 'worker']) await expectRefusal(line, roles);
    expect(await examineIndex()).toMatchObject({ level: 'fault', remedy: 'Run the version that made it.' });
    await writeLayout(-1);
    expect(await examineIndex()).toMatchObject({ level: 'ok' });
    await service.start();
    // Nothing was built anew: the tip is there at once.
    expect(await service.findTip()).toBe(await node.rpc('getbestblockhash'));
  });

  test('a process reads no index of another version while it runs, and goes on when there is one of its own', async () => {
    const api = await startService({ nodeUrl: node.url, database, settings: { COINFRONT_ROLES: 'api' } });
    onTestFinished(async () => void (await api.stop()));
    await service.stop();
    await writeLayout(-1);
    expect(await examineIndex()).toMatchObject({
      level: 'warning',
      text: expect.stringContaining('the next start builds it anew'),
      remedy: expect.stringContaining('build the new one beside it'),
    });
    await waitUntil('it reads no more', async () => (await api.get('/api/v1/blocks')).status === 503);
    expect((await api.get('/api/v1/blocks')).json.code).toBe('index_unavailable');
    expect((await api.get('/api/v1/health')).json.ready).toBe(false);
    // The next version builds it anew at its start.
    await service.start();
    await service.waitForTip();
    await api.waitForTip();
  });

  test('an index is built beside another while the service answers, and taken over with all that is precious', async () => {
    const green = await openGreen();
    onTestFinished(green.close);
    const settings = { COINFRONT_INDEX: green.index, COINFRONT_NODE_URL: node.url, COINFRONT_COIN: testCoin };
    expect(
      (await runAdmin(database, ['build-index'], { ...settings, COINFRONT_INDEX: '' })).stderr,
    ).toContain('COINFRONT_INDEX is not set');
    const building = runAdmin(database, ['build-index', '--json'], settings);
    let answered = 0;
    let isBuilt = false;
    void building.then(() => {
      isBuilt = true;
    });
    while (!isBuilt) {
      expect((await service.get('/api/v1/status')).status).toBe(200);
      answered++;
    }
    const built = await building;
    expect([built.code, built.stderr]).toEqual([0, '']);
    expect(JSON.parse(built.stdout).height).toBe(await node.rpc('getblockcount'));
    expect(answered).toBeGreaterThan(0);

    await service.stop();
    await node.mine(2);
    const next = await startService({
      nodeUrl: node.url,
      database,
      settings: { COINFRONT_INDEX: green.index },
    });
    onTestFinished(() => next.kill());
    await waitUntil('it is ready', async () => (await next.get('/api/v1/health')).json.ready === true);
    const busy = await runAdmin(database, ['build-index'], settings);
    expect([busy.code, busy.stderr]).toEqual([1, expect.stringContaining('works on this index')]);
    expect(JSON.parse((await runAdmin(database, ['merchant', 'list', '--json'])).stdout).items).toHaveLength(
      1,
    );
    await next.stop();
    await service.start();
    await service.waitForTip();
  });

  async function openGreen(): Promise<{ index: string; close(): Promise<void> }> {
    if (database.kind === 'postgres') {
      const index = await createDatabase(database.url.replace(/\/[^/]*$/, '/postgres'));
      return { index, close: () => dropDatabase(index) };
    }
    const index = mkdtempSync(join(tmpdir(), 'coinfront-green-'));
    return { index, close: async () => rmSync(index, { recursive: true, force: true }) };
  }
});

test('docs/operations.md has the present version of each schema in its table', async () => {
  const text = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'operations.md'), 'utf8');
  const steps = Object.keys(preciousMigrations).sort();
  const row = /^\| unreleased \|.*$/m.exec(text)?.[0] ?? '';
  expect(row).toContain(`\`${steps.at(-1)}\``);
  expect(row).toContain(`| ${LAYOUT_VERSION} |`);
});
