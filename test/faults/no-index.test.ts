import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { runSql } from '../harness/postgres.ts';
import { startService } from '../harness/service.ts';

const DOCUMENTS = ['v1', 'v1/proof', 'vns/v1', 'nodeproof', 'treasury'];
const HASH = '0'.repeat(64);

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(3);
});
afterAll(() => node.stop());

type Document = { servers: [{ url: string }]; paths: Record<string, { get?: object }> };

forEachEngine('a service whose index was deleted', (engine) => {
  test('answers every read, but none by an error of its own, before there is another', async () => {
    const database = await engine.openUrl();
    const before = await startService({ nodeUrl: node.url, database });
    onTestFinished(() => before.kill());
    await waitUntil('the treasury has followed', async () => {
      const { json } = await before.get('/api/treasury/status');
      return json.reconciliation?.as_of.height === 3;
    });
    await before.stop();
    await deleteIndex(database);

    // Nobody makes the tables anew: it is as in the moment before the indexer has.
    const settings = { COINFRONT_ROLES: 'api' };
    const service = await startService({ nodeUrl: node.url, database, settings, waitFor: 'answer' });
    onTestFinished(() => service.kill());
    const address = await node.newAddress();
    const asked: string[] = [];
    const failed: string[] = [];
    for (const base of DOCUMENTS) {
      const { servers, paths } = (await service.get(`/api/${base}/openapi.json`)).json as Document;
      for (const [path, { get }] of Object.entries(paths)) {
        if (!get) continue;
        const filled = (servers[0].url + path).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          fill(name, address),
        );
        const { status, text } = await service.get(filled);
        if (status >= 500 && status !== 503) failed.push(`${filled}: ${status} ${text}`);
        asked.push(filled);
      }
    }
    expect(failed).toEqual([]);
    expect(asked).toContain('/api/treasury/status');
    expect(asked.length).toBeGreaterThan(50);
  });
});

function fill(name: string, address: string): string {
  if (name === 'address') return address;
  if (name === 'name') return 'demo.coin';
  if (name === 'payment_id') return 'VP-000000000000';
  return name === 'height' || name === 'id' || name === 'sequence' ? '2' : HASH;
}

async function deleteIndex(database: DatabaseLocation): Promise<void> {
  if (database.kind === 'postgres') {
    await runSql(database.url, 'drop schema public cascade');
    await runSql(database.url, 'create schema public');
    return;
  }
  for (const end of ['', '-wal', '-shm', '-runs'])
    await rm(join(database.dataDir, `chain.db${end}`), { recursive: true, force: true });
}
