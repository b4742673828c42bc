import { createHash } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeSegwitAddress } from '@coinfront/protocol/segwit-address.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Disk, mountDisk } from '../../campaign/rig/disk.ts';
import type { DatabaseLocation } from '../harness/engines.ts';
import { waitForHealth } from '../harness/health.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { createTestMerchant, type TestMerchant } from '../harness/merchant.ts';
import { startPostgres, type TestPostgres } from '../harness/postgres.ts';
import { startService, type TestService } from '../harness/service.ts';

/** The disk under the database has no byte left, while blocks come and shops create payments. */

const DISK_MB = 200;
/** What a small cluster needs to stand on such a disk. */
const POSTGRES_SETTINGS = {
  ...{ fsync: 'off', max_connections: '60', shared_buffers: '32MB' },
  ...{ max_wal_size: '64MB', min_wal_size: '32MB' },
};
const PAYMENT = { amount: '0.5', confirmations_required: 1 };
/** More than fit into what the engines have set aside. */
const MOST_TRIES = 20_000;

// Mounting is for root.
describe.skipIf(process.getuid?.() !== 0).each(['sqlite', 'postgres'] as const)(
  'a full disk under %s',
  (kind) => {
    let folder: string;
    let disk: Disk;
    let node: TestNode;
    let postgres: TestPostgres | undefined;
    let service: TestService;
    let merchant: TestMerchant;
    let recipients = 0;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'coinfront-full-disk-'));
      chmodSync(folder, 0o711);
      disk = mountDisk(join(folder, 'disk'), DISK_MB)!;
      node = await startNode();
      await node.mine(10);
      if (kind === 'postgres')
        postgres = await startPostgres({ settings: POSTGRES_SETTINGS, within: disk.folder });
      const database: DatabaseLocation = postgres
        ? { kind: 'postgres', url: await postgres.createDatabase() }
        : { kind: 'sqlite', dataDir: disk.folder };
      service = await startService({ nodeUrl: node.url, database });
      merchant = await createTestMerchant(service, database);
    });
    afterAll(async () => {
      await service?.kill();
      await postgres?.stop();
      await node?.stop();
      disk?.unmount();
      await rm(folder, { recursive: true, force: true });
    });

    const create = () => {
      const program = createHash('ripemd160').update(String(recipients++)).digest();

      return merchant.post('/api/v1/payments', {
        ...PAYMENT,
        recipient: encodeSegwitAddress('rltc', 0, program),
      });
    };

    test('refuses what it cannot keep, says why in its log, reads on, and goes on by itself when there is room', async () => {
      const promised: string[] = [(await create()).json.id];
      disk.fill();
      let refused = await create();
      for (let tries = 0; refused.status === 201 && tries < MOST_TRIES; tries++) {
        promised.push(refused.json.id);
        // What was freed meanwhile, as by a log that begins anew, is taken again.
        disk.fill();
        refused = await create();
      }
      expect([refused.status, refused.json.code]).toEqual([503, 'index_unavailable']);
      expect(refused.json.detail).toMatch(/again/);
      // Strangers are not told of the operator's disk; the log is for the operator.
      expect(refused.text).not.toMatch(/disk|device|front\.db/);
      await waitUntil('the log names the cause', async () =>
        /database or disk is full|No space left on device/.test(service.printed()),
      );

      const [hash] = await node.mine(1);
      for (const path of ['/api/v1/blocks', '/api/v1/health', '/api/v1/fee'])
        expect([path, (await service.get(path)).status]).toEqual([path, 200]);
      for (const id of promised.slice(-3))
        expect((await service.get(`/api/v1/payments/${id}`)).status).toBe(200);

      disk.free();
      await service.waitForTip(hash);
      await waitForHealth(service, 'ready');
      await waitUntil('payments are taken again', async () => (await create()).status === 201);
      for (const id of promised)
        expect((await service.get(`/api/v1/payments/${id}`)).json).toMatchObject({ status: 'open' });
      expect(service.isRunning()).toBe(true);
    });
  },
);
