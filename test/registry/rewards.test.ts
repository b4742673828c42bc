import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyRegistrySignature } from '../../protocol/registry/receipt.ts';
import { findEpoch, readSummary } from '../../service/src/parts/registry/log/epoch-store.ts';
import { findNode } from '../../service/src/parts/registry/nodes/node-store.ts';
import { findEpochRules } from '../../service/src/parts/registry/rewards/epoch-rules-store.ts';
import { shareRewards } from '../../service/src/parts/registry/rewards/reward-rules.ts';
import { listEpochNodes } from '../../service/src/parts/registry/rewards/verdict-store.ts';
import type { RegistryTables } from '../../service/src/parts/registry/schema/registry-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { openRegistryLog, type RegistryLog } from './registry-log.ts';

const POOL = 1_000_000n;

forEachEngine('rewards of an epoch', (engine) => {
  let log: RegistryLog;
  beforeAll(async () => {
    log = await openRegistryLog(engine);
  });
  afterAll(() => log.close());

  const db = () => log.precious.query<RegistryTables>();
  const share = async (epoch: number) => {
    const rules = await findEpochRules(db(), epoch);
    const shares = shareRewards(await listEpochNodes(db(), epoch), POOL, { ...rules, requireProof: false });
    return new Map(shares.map((each) => [each.nodeKey, each]));
  };
  const readEpoch = async (epoch: number) => {
    const closed = (await findEpoch(db(), epoch))!;
    const summary = readSummary(closed);
    expect(verifyRegistrySignature(summary, closed.signature)).toBe(true);
    return summary;
  };

  test('which began under the first rules ends under them, and its summary is as it was', async () => {
    await log.register('bare', '8.1.1.1:1');
    await log.record(0, 10, { bare: 'bare' });
    // As it is when an older version wrote the first receipt of the epoch.
    await db().deleteFrom('registry_epoch_rules').execute();
    await log.record(1, 11, { bare: 'bare' });
    await log.record(2, 50, { bare: 'bare' });
    expect((await share(0)).get('bare')).toMatchObject({ eligibility: 'eligible', amount: POOL });
    const summary = await readEpoch(0);
    expect([summary.version, 'rules' in summary]).toEqual([1, false]);
  });

  test('are none for a node that never showed its token, and some once it did', async () => {
    await log.register('shown', '8.2.1.1:1');
    await log.record(3, 60, { bare: 'bare', shown: 'pass' });
    const before = await share(1);
    expect(before.get('bare')).toMatchObject({ eligibility: 'endpoint_not_proven', amount: 0n });
    expect(before.get('shown')).toMatchObject({ eligibility: 'eligible', amount: POOL });
    await log.record(4, 61, { bare: 'pass', shown: 'pass' });
    expect((await share(1)).get('bare')).toMatchObject({ eligibility: 'eligible' });
    await log.record(5, 100, { bare: 'pass', shown: 'pass' });
    // The slot that closed the epoch before is the first of this one.
    expect(await readEpoch(1)).toMatchObject({ version: 3, rules: 4, slots: 3, as_table: null });
    expect(await log.listFaults()).toEqual([]);
  });

  test('count what an endpoint did before for a new key there, and a minimum of slots', async () => {
    await log.register('old', '8.3.1.1:1');
    for (const n of [10, 11, 12, 13]) await log.record(n, 110, { shown: 'pass', old: 'fail' });
    await log.leave('old');
    await log.register('new', '8.3.1.1:1');
    for (const n of [20, 21, 22, 23]) await log.record(n, 111, { shown: 'pass', new: 'pass' });
    await log.outage(24, 30, 112);
    await log.record(30, 112, { shown: 'void', new: 'void' });
    const shares = await share(2);
    expect(shares.get('new')).toMatchObject({
      ...{ passed: 4, failed: 0, othersPassed: 0, othersFailed: 4 },
      eligibility: 'uptime_below_minimum',
    });
    // The slot at height 100 was of this epoch, too; slots in which nobody was judged are not counted.
    expect(await findEpochRules(db(), 2)).toEqual({ rules: 4, slots: 9, asTable: null, vantages: [] });
    expect(shares.get('shown')).toMatchObject({ proven: 9, eligibility: 'eligible', amount: POOL });
    await log.record(31, 150, { shown: 'pass', new: 'pass' });
    for (const n of [32, 33, 34, 35]) await log.record(n, 151, { shown: 'pass' });
    // The failures of the epoch before are over; one slot of five is too little.
    expect((await share(3)).get('new')).toMatchObject({ othersFailed: 0, eligibility: 'too_few_slots' });
    await log.record(36, 200, { shown: 'pass' });
    expect(await readEpoch(2)).toMatchObject({ slots: 9 });
    expect(await log.listFaults()).toEqual([]);
  });

  test('are shared by what the receipts say: other figures are found', async () => {
    for (const [table, change] of [
      ['registry_epoch_node', { proven: 99 }],
      ['registry_epoch_endpoint', { others_failed: 9 }],
      ['registry_epoch_rules', { slots: 99 }],
    ] as const) {
      const before = await db().selectFrom(table).selectAll().where('epoch', '=', 2).execute();
      await db().updateTable(table).set(change).where('epoch', '=', 2).execute();
      expect((await log.listFaults()).length, table).toBeGreaterThan(0);
      await db().deleteFrom(table).where('epoch', '=', 2).execute();
      await db().insertInto(table).values(before).execute();
    }
    expect(await log.listFaults()).toEqual([]);
  });

  test('are not lowered by slots in which most networks had another chain than we', async () => {
    await log.register('x', '8.5.1.1:1');
    await log.register('y', '8.6.1.1:1');
    // Anybody can register strangers' nodes of another chain: who never showed a token has no voice.
    await log.record(37, 200, { shown: 'pass', x: 'foreign', y: 'foreign' });
    await log.register('z', '8.7.1.1:1');
    await log.record(38, 200, { x: 'foreign', y: 'foreign', z: 'foreign' });
    expect((await findNode(db(), 'z'))!.last_reason).toBe('wrong_chain');
    await log.record(39, 200, { shown: 'pass', x: 'pass', y: 'pass' });
    await log.record(40, 201, { shown: 'foreign', x: 'foreign', y: 'foreign' });
    const db4 = await listEpochNodes(db(), 4, ['x', 'y']);
    expect(db4.map(({ passed, failed, voided }) => [passed, failed, voided])).toEqual([
      [1, 2, 1],
      [1, 2, 1],
    ]);
    expect((await findNode(db(), 'x'))!.last_reason).toBe('registry_outvoted');
    await log.record(41, 202, { shown: 'pass', x: 'foreign', y: 'foreign' });
    expect((await findNode(db(), 'x'))!.last_reason).toBe('wrong_chain');
    expect((await findEpochRules(db(), 4)).slots).toBe(5);
    expect(await log.listFaults()).toEqual([]);
  });

  test('are not lowered by slots in which anybody showed a chain with more work than ours', async () => {
    await log.register('w', '8.90.1.1:1');
    await log.record(42, 203, { shown: 'pass', w: 'pass', x: 'heavier', y: 'fail' });
    const reasons = await Promise.all(['shown', 'w', 'x', 'y'].map((name) => findNode(db(), name)));
    expect(reasons.map((node) => [node!.last_verdict, node!.last_reason])).toEqual(
      Array(4).fill(['void', 'registry_outworked']),
    );
    expect((await findEpochRules(db(), 4)).slots).toBe(5);
    expect(await log.listFaults()).toEqual([]);
  });

  test('do not move with a node: slots that were proven in one network do not count in another', async () => {
    await log.register('stays', '8.8.1.1:1', 'one');
    await log.register('moves', '8.8.1.2:1', 'one');
    for (const n of [50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62])
      await log.record(n, 260, { stays: 'pass', moves: 'pass' });
    expect((await share(5)).get('moves')).toMatchObject({ proven: 13, network: 'one' });
    await log.leave('moves');
    await log.register('moves', '8.9.1.1:1', 'two');
    // A void slot says nothing of the new place.
    await log.record(63, 261, { stays: 'void', moves: 'void' });
    expect((await share(5)).get('moves')).toMatchObject({ proven: 13, network: 'one' });
    await log.record(64, 262, { stays: 'pass', moves: 'fail' });
    expect((await share(5)).get('moves')).toMatchObject({ proven: 0, network: 'two', amount: 0n });
    expect((await share(5)).get('stays')).toMatchObject({ proven: 14, amount: POOL });
    await log.record(65, 263, { stays: 'pass', moves: 'pass' });
    expect((await share(5)).get('moves')).toMatchObject({ proven: 1, network: 'two' });
    await log.record(66, 300, { stays: 'pass' });
    expect(await log.listFaults()).toEqual([]);
  });

  test('count no slot of a pause for an epoch that began after it, unless it began under rules 2', async () => {
    await log.register('tired', '8.10.1.1:1');
    for (const n of [70, 71, 72, 73]) await log.record(n, 310, { stays: 'pass', tired: 'fail' });
    const find = async (epoch: number) => (await listEpochNodes(db(), epoch, ['tired']))[0];
    expect(await find(6)).toMatchObject({ failed: 4, voided: 0 });
    // The next epoch begins while it is left alone.
    for (const n of [80, 81, 82, 83, 84]) await log.record(n, 350, { stays: 'pass' });
    await log.record(85, 351, { stays: 'pass', tired: 'fail' });
    expect(await find(7)).toMatchObject({ failed: 5, voided: 7 });
    expect((await share(7)).get('tired')).toMatchObject({ failed: 5 });
    // As it was under an older version.
    await log.record(86, 400, { stays: 'pass' });
    await db().updateTable('registry_epoch_rules').set({ rules: 2 }).where('epoch', '=', 8).execute();
    await log.record(90, 401, { stays: 'pass', tired: 'fail' });
    expect(await find(8)).toMatchObject({ failed: 5, voided: 0 });
    // One look right after the border costs one slot.
    await log.record(100, 450, { stays: 'pass', tired: 'fail' });
    expect(await find(9)).toMatchObject({ failed: 1, voided: 9 });
    expect([(await readEpoch(7)).rules, (await readEpoch(8)).rules]).toEqual([4, 2]);
    await log.record(101, 500, { stays: 'pass', tired: 'pass' });
    expect(await log.listFaults()).toEqual([]);
  });
});
