import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../../../../test/harness/engines.ts';
import type { Database, Writer } from '../../db/database.ts';
import { openDatabase } from '../../db/open.ts';
import { ensureTables } from '../../db/tables.ts';
import { openRevision } from '../revision.ts';
import { findSyncedMs, openSyncMark } from './sync-mark.ts';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;

forEachEngine('the mark of whole states', (engine) => {
  let database: Database;
  let writer: Writer;

  beforeAll(async () => {
    const at = await engine.openUrl();
    database = await openDatabase(
      at.kind === 'sqlite' ? { kind: 'sqlite', file: join(at.dataDir, 'chain.db') } : at,
    );
    writer = await database.openWriter();
    await ensureTables(writer, database.engine, [], 'test');
  });
  afterAll(async () => {
    await writer.close();
    await database.close();
  });

  /** Up to when everything is known after a look at this time. */
  const putAt = async (askedMs: number, isNodeCurrent: boolean): Promise<number | undefined> => {
    await openSyncMark(writer).put(askedMs, async () => isNodeCurrent);
    return await findSyncedMs(writer);
  };

  test('goes with the time of the looks, and stands still while the node has blocks to fetch', async () => {
    expect(await putAt(NOW, true)).toBe(NOW);
    expect(await putAt(NOW + 5_000, false)).toBe(NOW);
    expect(await putAt(NOW + 10_000, true)).toBe(NOW + 10_000);
  });

  test('comes back with a clock that was ahead: what is made then has its whole time', async () => {
    expect(await putAt(NOW + 24 * HOUR_MS, true)).toBe(NOW + 24 * HOUR_MS);
    expect(await putAt(NOW + 20_000, true)).toBe(NOW + 20_000);
    expect(await putAt(NOW + 24 * HOUR_MS, true)).toBe(NOW + 24 * HOUR_MS);
    expect(await putAt(NOW + 30_000, false)).toBe(NOW + 30_000);
  });

  test('stays with a state that was whole and has gained what was sent, and only then', async () => {
    const revision = await openRevision(writer);
    /** Up to when everything is known after a change of which this is told. */
    const afterChange = async (isWhole: boolean): Promise<number | undefined> => {
      await openSyncMark(writer).keep(async () => {
        await revision.bump();
        return isWhole;
      });
      return await findSyncedMs(writer);
    };
    expect(await putAt(NOW + 60_000, true)).toBe(NOW + 60_000);
    expect(await afterChange(true)).toBe(NOW + 60_000);
    expect(await afterChange(false)).toBeUndefined();
    expect(await afterChange(true)).toBeUndefined();
  });
});
