import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyRegistrySignature } from '../../protocol/registry/receipt.ts';
import { findEpochRules } from '../../service/src/parts/registry/epoch-rules-store.ts';
import { findEpoch, readSummary } from '../../service/src/parts/registry/receipt-store.ts';
import type { RegistryTables } from '../../service/src/parts/registry/registry-tables.ts';
import { shareRewards } from '../../service/src/parts/registry/reward-rules.ts';
import { listEpochNodes } from '../../service/src/parts/registry/verdict-store.ts';
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
    expect(await readEpoch(1)).toMatchObject({ version: 2, rules: 2 });
    expect(await log.listFaults()).toEqual([]);
  });
});
