import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HDKey } from '@scure/bip32';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { createTestMerchant, runAdmin, type TestMerchant } from '../harness/merchant.ts';
import { runSql } from '../harness/postgres.ts';
import { startService } from '../harness/service.ts';
import { testCoin } from '../harness/test-coin.ts';

/** The drill of docs/operations.md, while merchants go on making payments. */

const ADDRESSES = 3_000;
/** As many as one request may derive. */
const IMPORTED_AT_ONCE = 1_000;
const MADE_BEFORE = 40;
const MADE_AFTER = 40;
const AT_ONCE = 4;

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(110);
});
afterAll(() => node.stop());

type Made = { id: string; address: string };

/** Makes payments from the pool until it is told to stop; what was acknowledged is in `made`. */
function startLoad(merchant: TestMerchant) {
  const made: Made[] = [];
  let isStopped = false;
  const create = async () => {
    while (!isStopped) {
      const answer = await merchant
        .post('/api/v1/payments', { use_address_pool: true, amount: '0.01', confirmations_required: 1 })
        .catch(() => undefined);
      if (answer?.status === 201) made.push(answer.json);
    }
  };
  const running = Promise.all(Array.from({ length: AT_ONCE }, create));
  return {
    made,
    reach: (count: number) => waitUntil(`${count} payments are made`, () => made.length >= count),
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

forEachEngine('a backup that was made under load', (engine) => {
  test('brings back all that it acknowledged, and no address is leased to a second buyer', {
    timeout: 400_000,
  }, async () => {
    const database = await engine.openUrl();
    const keyFolder = await mkdtemp(join(tmpdir(), 'coinfront-key-'));
    onTestFinished(() => rm(keyFolder, { recursive: true, force: true }));
    const settings = {
      COINFRONT_COIN: testCoin,
      COINFRONT_REGISTRY_KEY_FILE: join(keyFolder, 'registry.key'),
    };
    const admin = (...args: string[]) => runAdmin(database, args, settings);
    const service = await startService({ nodeUrl: node.url, database, settings });
    onTestFinished(() => service.kill());
    const merchant = await createTestMerchant(service, database, [], settings);
    const importKey = (from: number, count: number) =>
      merchant.post('/api/v1/merchant/addresses', { xpub: accountKey, from, count });
    const accountKey = createAccountKey();
    for (let from = 0; from < ADDRESSES; from += IMPORTED_AT_ONCE)
      expect((await importKey(from, IMPORTED_AT_ONCE)).json.imported).toBe(IMPORTED_AT_ONCE);
    await writeFile(settings.COINFRONT_REGISTRY_KEY_FILE, `${'ab'.repeat(32)}\n`, { mode: 0o600 });

    const load = startLoad(merchant);
    await load.reach(MADE_BEFORE);
    const acknowledged = load.made.slice();
    const within = join(keyFolder, 'backups');
    const backup = await admin('backup', '--to', within, '--json');
    expect([backup.stderr, backup.code]).toEqual(['', 0]);
    const { folder, taken_at: takenAt, files, rows } = JSON.parse(backup.stdout);
    await load.reach(load.made.length + MADE_AFTER);
    expect(files.map(({ name }: { name: string }) => name)).toContain('registry.key');
    expect(rows.payment).toBeGreaterThanOrEqual(acknowledged.length);
    for (const { name } of files) expect((await stat(join(folder, name))).mode & 0o077).toBe(0);

    // What was paid since the backup is found again, since the chain has it.
    const paid = acknowledged[0]!;
    await node.rpc('sendtoaddress', paid.address, 0.01);
    await node.mine(2);

    const refused = await admin('restore', folder, '--replace');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      'The service is running on this database; stop all of its processes first.\n',
    ]);
    await service.kill();
    await load.stop();
    const handedOut = new Set(load.made.map(({ address }) => address));
    await lose(database);
    await rm(settings.COINFRONT_REGISTRY_KEY_FILE);

    const restored = await admin('restore', folder, '--json');
    expect([restored.stderr, restored.code]).toEqual(['', 0]);
    expect(await readFile(settings.COINFRONT_REGISTRY_KEY_FILE, 'utf8')).toBe(`${'ab'.repeat(32)}\n`);
    const { retired, database_before: before } = JSON.parse(restored.stdout);
    expect(before).toBeNull();
    expect(retired).toEqual([expect.objectContaining({ id: merchant.id, ready: 0 })]);
    await service.start();
    for (const { id } of acknowledged)
      expect((await merchant.get(`/api/v1/payments/${id}`)).status).toBe(200);
    await waitUntil('the payment of since then is paid', async () => {
      const { json } = await service.get(`/api/v1/payments/${paid.id}`);
      return json.status === 'paid';
    });
    const empty = await merchant.post('/api/v1/payments', { use_address_pool: true, amount: '1' });
    expect([empty.status, empty.json.code]).toEqual([409, 'pool_exhausted']);
    expect((await importKey(0, 100)).json.imported).toBe(0);
    expect((await importKey(ADDRESSES, 500)).json.imported).toBe(500);
    const second = startLoad(merchant);
    await second.reach(MADE_AFTER);
    await second.stop();
    expect(second.made.filter(({ address }) => handedOut.has(address))).toEqual([]);

    // Without it the danger is real: the same backup, put back by who says that nothing was leased since.
    await service.stop();
    const careless = await admin('restore', folder, '--replace', '--nothing-leased-since', '--json');
    expect([careless.stderr, careless.code]).toEqual(['', 0]);
    await expectPutAside(database, JSON.parse(careless.stdout).database_before);
    await service.start();
    const doubled = await merchant.post('/api/v1/payments', { use_address_pool: true, amount: '1' });
    expect(handedOut).toContain(doubled.json.address);
    const most = String(handedOut.size);
    const retiring = await admin('payments', 'retire-leased-since', takenAt, '--at-most', most, '--json');
    expect(JSON.parse(retiring.stdout)).toEqual({
      retired: [expect.objectContaining({ id: merchant.id, retired: handedOut.size })],
      leased_since: [{ payment_id: doubled.json.id, address: doubled.json.address }],
    });
    const safe = await merchant.post('/api/v1/payments', { use_address_pool: true, amount: '1' });
    expect(safe.status).toBe(201);
    expect(handedOut).not.toContain(safe.json.address);
  });
});

/** The file is gone and its log is still there, or the schema is gone. */
async function lose(database: DatabaseLocation): Promise<void> {
  if (database.kind === 'postgres') return await runSql(database.url, 'drop schema front cascade');
  await rm(join(database.dataDir, 'front.db'));
  expect(existsSync(join(database.dataDir, 'front.db-wal'))).toBe(true);
}

async function expectPutAside(database: DatabaseLocation, name: string): Promise<void> {
  if (database.kind === 'sqlite') expect(existsSync(name)).toBe(true);
  else await runSql(database.url, `select 1 / (count(*) > 0)::int from ${name}.merchant`);
}

function createAccountKey(): string {
  const versions = { public: 0x043587cf, private: 0x04358394 };
  return HDKey.fromMasterSeed(randomBytes(32), versions).derive("m/84'/1'/0'").publicExtendedKey;
}
