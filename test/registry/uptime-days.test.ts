import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayOf } from '../../service/src/parts/registry/days/day-rules.ts';
import { forgetDays, listDays } from '../../service/src/parts/registry/days/day-store.ts';
import type { RegistryTables } from '../../service/src/parts/registry/schema/registry-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { openRegistryLog, type RegistryLog, SLOT_MS } from './registry-log.ts';

const DAY_SLOTS = 86_400_000 / SLOT_MS;

forEachEngine('the days of a node', (engine) => {
  let log: RegistryLog;
  const db = () => log.precious.query<RegistryTables>();
  const days = async (node: string) =>
    (await listDays(db(), node, 0)).map(({ passed, failed }) => [passed, failed]);
  beforeAll(async () => {
    log = await openRegistryLog(engine);
    await log.register('ann', '8.1.1.1:1');
    await log.register('bob', '8.2.1.1:1');
  });
  afterAll(() => log.close());

  test('have the slots that were judged, and nothing of void ones', async () => {
    await log.record(0, 100, { ann: 'pass', bob: 'void' });
    await log.record(1, 100, { ann: 'fail', bob: 'void' });
    expect([await days('ann'), await days('bob')]).toEqual([[[1, 1]], []]);
    await log.record(DAY_SLOTS, 101, { ann: 'pass', bob: 'pass' });
    expect([await days('ann'), await days('bob')]).toEqual([
      [
        [1, 1],
        [1, 0],
      ],
      [[1, 0]],
    ]);
  });

  test('are forgotten when they are not shown any more', async () => {
    await log.record(90 * DAY_SLOTS, 102, { ann: 'pass' });
    const [first] = await listDays(db(), 'ann', 0);
    expect(await days('ann')).toEqual([
      [1, 0],
      [1, 0],
    ]);
    await forgetDays(db(), (first!.day + 90) * 86_400_000);
    const left = await listDays(db(), 'ann', 0);
    expect(left.map(({ day }) => day)).toEqual([first!.day + 89]);
    expect(dayOf(left[0]!.day * 86_400_000)).toBe(left[0]!.day);
  });
});
