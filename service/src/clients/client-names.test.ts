import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../../../test/harness/engines.ts';
import { openPrecious, type Precious } from '../db/precious.ts';
import { preciousMigrations } from '../migrations.ts';
import { createClientNames } from './client-names.ts';
import type { ClientTables } from './client-tables.ts';
import { takeDailyShare } from './daily-share.ts';

const DAY_MS = 86_400_000;
const NOW = DAY_MS * 20_000 + 5;

forEachEngine('clients by name', (engine) => {
  let precious: Precious;
  beforeAll(async () => {
    const location = await engine.openUrl();
    precious = await openPrecious(
      location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'front.db') } : location,
      preciousMigrations,
    );
  });
  afterAll(() => precious.close());

  const take = async (address: string, ofClient: number, nowMs = NOW) => {
    const client = await createClientNames(precious)(address, nowMs);
    const full = Symbol('full');
    try {
      await precious.transaction<ClientTables, void>(async (trx) => {
        if ((await takeDailyShare(trx, 'contributor', client, { ofClient }, nowMs)) !== undefined) throw full;
      });
      return true;
    } catch (error) {
      if (error !== full) throw error;
      return false;
    }
  };

  test('have one name a day in all processes, another the next, and none of their address in it', async () => {
    const [one, two] = [createClientNames(precious), createClientNames(precious)];
    const today = await one('203.0.113.1', NOW);
    expect(await two('::ffff:203.0.113.1', NOW)).toEqual(today);
    expect((await one('203.0.113.2', NOW))[0].name).not.toBe(today[0].name);
    const tomorrow = await one('203.0.113.1', NOW + DAY_MS);
    expect(tomorrow[0].name).not.toBe(today[0].name);
    // What lives over midnight is found by both.
    expect(tomorrow[0].names).toEqual([tomorrow[0].name, today[0].name]);
    const [later] = await one('203.0.113.1', NOW + 2 * DAY_MS);
    expect(later.names).not.toContain(today[0].name);
    const keys = await precious.query<ClientTables>().selectFrom('client_key').select('day').execute();
    expect(keys.map(({ day }) => Number(day)).sort()).toEqual([20_001, 20_002]);
    expect((await one('2001:db8:1:a2b3::9', NOW)).map(({ share }) => share)).toEqual([1, 4, 16]);
  });

  test('have a share a day, which is theirs alone and begins anew at midnight', async () => {
    expect([
      await take('203.0.113.1', 2),
      await take('203.0.113.1', 2),
      await take('203.0.113.1', 2),
    ]).toEqual([true, true, false]);
    expect(await take('203.0.113.2', 2)).toBe(true);
    expect(await take('203.0.113.1', 2, NOW + DAY_MS)).toBe(true);
    const rows = await precious.query<ClientTables>().selectFrom('client_day').select('day').execute();
    expect(rows.map(({ day }) => Number(day))).toEqual([20_001]);
  });

  test('share it with their /56 and /48, and what was refused is not counted', async () => {
    const at = NOW + 9 * DAY_MS;
    const outcomes = [];
    for (let i = 0; i < 6; i++) outcomes.push(await take(`2001:db8:1:${i}::1`, 1, at));
    expect(outcomes).toEqual([true, true, true, true, false, false]);
    for (let i = 1; i < 13; i++) expect(await take(`2001:db8:1:${i}00::1`, 1, at)).toBe(true);
    expect(await take('2001:db8:1:ff00::1', 1, at)).toBe(false);
    expect(await take('2001:db8:2::1', 1, at)).toBe(true);
  });

  test('take no more than their share, however many ask at once', async () => {
    const at = NOW + 20 * DAY_MS;
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => take('203.0.113.1', 7, at)));
    expect(outcomes.filter(Boolean)).toHaveLength(7);
  });
});
