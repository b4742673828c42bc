import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Options } from '../../campaign/options.ts';
import { countFaults } from '../../campaign/report.ts';
import type { Rig } from '../../campaign/rig/rig.ts';
import { type CampaignEnd, runCampaign } from '../../campaign/run-campaign.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { openBeside } from '../harness/precious-rows.ts';

const TIMEOUT_MS = 600_000;

async function run(
  options: Pick<Options, 'engine' | 'seed' | 'faults'>,
  onStep: Parameters<typeof runCampaign>[1] = () => {},
): Promise<CampaignEnd> {
  const end = await runCampaign(
    { ...options, minutes: 10, from: 1, without: new Set(), keep: false },
    onStep,
  );
  // What was found is in the end itself.
  await rm(end.folder, { recursive: true, force: true });
  return end;
}

describe.concurrent('a short campaign', () => {
  test('on PostgreSQL survives its faults, and everything is as promised behind them', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { problems, report, totals } = await run({ engine: 'postgres', seed: 27, faults: 7 });
    expect(problems).toEqual([]);
    expect(countFaults(report)).toBeGreaterThanOrEqual(7);
    expect(report.fullChecks).toBe(1);
    expect(totals['payments promised']).toBeGreaterThan(0);
  });

  test('on SQLite survives its faults, until an event is taken out of the database: that it says, with the step', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { problems, report, lastStep } = await run(
      { engine: 'sqlite', seed: 2, faults: 7 },
      async (step, { steps }, rig) => {
        if (step.isChecked === 'fully' && steps > 0) await removeFirstEvent(rig);
      },
    );
    expect(report.steps).toBeGreaterThan(1);
    expect(lastStep?.number).toBe(report.steps + 1);
    expect(problems).toEqual([
      expect.stringMatching(/^the whole feed: .*/),
      ...Array(problems.length - 1).fill(expect.any(String)),
    ]);
  });
});

async function removeFirstEvent({ database }: Rig): Promise<void> {
  const precious = await openBeside(database);
  const query = precious.query<PaymentTables>();
  const { id } = await query
    .selectFrom('event')
    .select('id')
    .where('payment_id', 'is not', null)
    .orderBy('created_at')
    .executeTakeFirstOrThrow();
  const deliveries = query.selectFrom('delivery').select('id').where('event_id', '=', id);
  await query.deleteFrom('delivery_attempt').where('delivery_id', 'in', deliveries).execute();
  await query.deleteFrom('delivery').where('event_id', '=', id).execute();
  await query.deleteFrom('event').where('id', '=', id).execute();
  await precious.close();
}
