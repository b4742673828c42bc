import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forEachEngine } from '../../../../../test/harness/engines.ts';
import { openPrecious, type Precious } from '../../../db/precious.ts';
import { preciousMigrations } from '../../../migrations.ts';
import { findNewestBatch, saveBatchState } from './batch-store.ts';
import type { CalendarTables } from './calendar-tables.ts';
import { countPending, insertPending } from './pending-store.ts';
import { sealDue } from './seal-batch.ts';

const HOUR_MS = 3_600_000;
const NOW = HOUR_MS * 480_000;

forEachEngine('trees of the calendar', (engine) => {
  async function openDatabase(): Promise<Precious> {
    const location = await engine.openUrl();
    return await openPrecious(
      location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'front.db') } : location,
      preciousMigrations,
    );
  }

  test('go on when a clock that was ahead is set right', async () => {
    const precious = await openDatabase();
    const query = precious.query<CalendarTables>();
    const takeAndSeal = async (nowMs: number) => {
      await insertPending(query, [randomBytes(32).toString('hex')], nowMs);
      await sealDue(precious, {
        intervalMs: HOUR_MS,
        now: () => nowMs,
        signal: new AbortController().signal,
      });
      const newest = (await findNewestBatch(query))!;
      if (newest.state === 'sealed') await saveBatchState(query, newest.id, 'sent');
      return newest.id;
    };
    expect(await takeAndSeal(NOW + 1_000 * HOUR_MS)).toBe(0);
    expect(await takeAndSeal(NOW)).toBe(1);
    // From here on by the right clock.
    expect(await takeAndSeal(NOW + HOUR_MS - 1)).toBe(1);
    expect(await takeAndSeal(NOW + HOUR_MS)).toBe(2);
    expect(await countPending(query)).toBe(0);
    await precious.close();
  });
});
