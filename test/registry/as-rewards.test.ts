import { afterEach, expect, test } from 'vitest';
import { verifyRegistrySignature } from '../../protocol/registry/receipt.ts';
import type { AsTable } from '../../service/src/parts/registry/as-table/read-as-table.ts';
import { findEpoch, readSummary } from '../../service/src/parts/registry/log/epoch-store.ts';
import { findEpochRules } from '../../service/src/parts/registry/rewards/epoch-rules-store.ts';
import { shareRewards } from '../../service/src/parts/registry/rewards/reward-rules.ts';
import { listEpochNodes } from '../../service/src/parts/registry/rewards/verdict-store.ts';
import type { RegistryTables } from '../../service/src/parts/registry/schema/registry-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { openRegistryLog, type RegistryLog } from './registry-log.ts';

/** A table by the first number of an address. */
const tableOf = (sha256: string, systems: Readonly<Record<string, number>>): AsTable => ({
  sha256: sha256.repeat(32),
  prefixes: Object.keys(systems).length,
  find: (address) => systems[address.split('.')[0]!],
});

forEachEngine('rewards by autonomous systems', (engine) => {
  let log: RegistryLog;
  afterEach(() => log.close());

  const db = () => log.precious.query<RegistryTables>();
  const share = async (epoch: number) => {
    const rules = await findEpochRules(db(), epoch);
    const shares = shareRewards(await listEpochNodes(db(), epoch), 1_000n, { ...rules, requireProof: false });
    return Object.fromEntries(shares.map(({ nodeKey, asn, amount }) => [nodeKey, [asn, amount]]));
  };

  test('an epoch is shared by the table that it began with, which its signed summary names', async () => {
    log = await openRegistryLog(engine);
    log.rules.asTable = tableOf('aa', { 8: 100, 9: 100 });
    for (const [name, endpoint] of [
      ['a', '8.8.8.8:1'],
      ['b', '9.9.9.9:1'],
      ['c', '7.7.7.7:1'],
      ['o', `${'a'.repeat(56)}.onion:1`],
    ] as const)
      await log.register(name, endpoint);
    const all = { a: 'pass', b: 'pass', c: 'pass', o: 'pass' } as const;
    await log.record(0, 100, all);
    const expected = { a: [100, 167n], b: [100, 167n], c: [null, 333n], o: [null, 333n] };
    expect(await share(2)).toEqual(expected);
    // Another table comes into force with the next epoch; what the one before said of a place stays.
    log.rules.asTable = tableOf('bb', { 7: 7, 8: 8 });
    await log.record(1, 101, all);
    expect(await share(2)).toEqual(expected);
    await log.record(2, 150, all);
    expect(await share(3)).toEqual({ a: [8, 250n], b: [null, 250n], c: [7, 250n], o: [null, 250n] });
    log.rules.asTable = undefined;
    await log.record(3, 200, all);
    await log.record(4, 250, all);
    const summaries = await Promise.all(
      [2, 3, 4].map(async (epoch) => {
        const closed = (await findEpoch(db(), epoch))!;
        const summary = readSummary(closed);
        expect(verifyRegistrySignature(summary, closed.signature)).toBe(true);
        return [summary.version, summary.rules, summary.as_table];
      }),
    );
    expect(summaries).toEqual([
      [3, 4, 'aa'.repeat(32)],
      [3, 4, 'bb'.repeat(32)],
      [3, 4, null],
    ]);
    expect(await share(2)).toEqual(expected);
    expect(await log.listFaults()).toEqual([]);
  });

  test('an epoch that began under rules 3 ends under them, whatever table there is', async () => {
    log = await openRegistryLog(engine);
    for (const name of ['a', 'b']) await log.register(name, `8.8.8.8:${name.charCodeAt(0)}`);
    await log.record(0, 100, { a: 'pass', b: 'pass' });
    await db().updateTable('registry_epoch_rules').set({ rules: 3 }).execute();
    log.rules.asTable = tableOf('aa', { 8: 100 });
    await log.record(1, 101, { a: 'pass', b: 'pass' });
    await log.record(2, 150, { a: 'pass' });
    expect(await share(2)).toEqual({ a: [null, 500n], b: [null, 500n] });
    const summary = readSummary((await findEpoch(db(), 2))!);
    expect([summary.version, summary.rules, 'as_table' in summary]).toEqual([2, 3, false]);
    expect(await log.listFaults()).toEqual([]);
  });

  test('a table that was put in the place of that of an epoch is found', async () => {
    log = await openRegistryLog(engine);
    log.rules.asTable = tableOf('aa', { 8: 100 });
    await log.register('a', '8.8.8.8:1');
    await log.record(0, 100, { a: 'pass' });
    await log.record(1, 150, { a: 'pass' });
    await db()
      .updateTable('registry_epoch_rules')
      .set({ as_table: 'bb'.repeat(32) })
      .where('epoch', '=', 2)
      .execute();
    expect((await log.listFaults()).join()).toMatch(/epoch 2: .*tables/);
  });
});
