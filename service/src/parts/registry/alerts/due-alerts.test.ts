import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openPrecious, type Precious } from '../../../db/precious.ts';
import { preciousMigrations } from '../../../migrations.ts';
import type { RegistryAlertTable, RegistryTables } from '../schema/registry-tables.ts';
import { type AlertRoom, listDueAlerts } from './due-alerts.ts';

const NOW = 1_000_000;
const ROOM: AlertRoom = { limit: 16, perOrigin: 2, fullOrigins: [], busyNodes: [] };

let folder: string | undefined;
let precious: Precious | undefined;

async function close(): Promise<void> {
  await precious?.close();
  if (folder !== undefined) await rm(folder, { recursive: true });
}
beforeEach(async () => {
  await close();
  folder = await mkdtemp(join(tmpdir(), 'coinfront-due-alerts-'));
  precious = await openPrecious({ kind: 'sqlite', file: join(folder, 'front.db') }, preciousMigrations);
});
afterAll(close);

type Given = Partial<RegistryAlertTable> & { id: string; node_key: string; origin: string };

async function add(...alerts: Given[]): Promise<void> {
  const rows = alerts.map(
    (alert): RegistryAlertTable => ({
      ...{ type: 'node.failing', url: `${alert.origin}/hook`, secret: '', body: '{}', state: 'pending' },
      ...{ attempts: 0, next_at: NOW - 1_000, last_status: null, last_error: null },
      ...{ created_at: NOW - 5_000, ended_at: null },
      ...alert,
    }),
  );
  await precious!.query<RegistryTables>().insertInto('registry_alert').values(rows).execute();
}

async function listDue(room: Partial<AlertRoom> = {}): Promise<string[]> {
  const due = await listDueAlerts(precious!.query<RegistryTables>(), NOW, { ...ROOM, ...room });
  return due.map(({ id }) => id);
}

test('a node has one alert on its way, the one that waits longest', async () => {
  await add(
    { id: 'later', node_key: 'a', origin: 'https://a', next_at: NOW - 10 },
    { id: 'first', node_key: 'a', origin: 'https://a', next_at: NOW - 20 },
    { id: 'other', node_key: 'b', origin: 'https://b' },
    { id: 'not yet', node_key: 'c', origin: 'https://c', next_at: NOW + 1 },
  );
  expect(await listDue()).toEqual(['other', 'first']);
  expect(await listDue({ busyNodes: ['a'] })).toEqual(['other']);
});

test('what was never tried comes before what failed, however long that has been due', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `n${i}`);
  await add(
    ...names.map((name) => ({
      id: name,
      node_key: name,
      origin: `https://${name}.example`,
      attempts: 3,
      next_at: 0,
    })),
    { id: 'news', node_key: 'honest', origin: 'https://honest.example', next_at: NOW },
  );
  expect((await listDue())[0]).toBe('news');
  expect(await listDue()).toHaveLength(16);
});

test('an origin has a few, of different nodes', async () => {
  await add(
    { id: 'a1', node_key: 'a', origin: 'https://shared' },
    { id: 'a2', node_key: 'a', origin: 'https://shared' },
    { id: 'b1', node_key: 'b', origin: 'https://shared' },
    { id: 'c1', node_key: 'c', origin: 'https://shared' },
  );
  expect(await listDue()).toEqual(['a1', 'b1']);
  expect(await listDue({ fullOrigins: ['https://shared'] })).toEqual([]);
});
