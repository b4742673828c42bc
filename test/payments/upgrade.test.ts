import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPrecious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { hashScript } from '../../service/src/parts/payments/chain/find-arrivals.ts';
import { createPaymentId } from '../../service/src/parts/payments/payment-ids.ts';
import type {
  PaymentOutputTable,
  PaymentTable,
} from '../../service/src/parts/payments/schema/payment-tables.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { createTestMerchant } from '../harness/merchant.ts';
import { addressOfOwner, mineExactly, openPurse, scriptOf } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { payOwner } from './pay-owner.ts';
import { openDesk, type PaymentDesk } from './payment-desk.ts';

const MERCHANT = 'mer_00000000000000000000';
const AMOUNT = 300_000n;
const DUST = 6_000n;
const DAY = 24 * 3_600_000;
const DEEP = 5;

type OldPayment = Pick<
  PaymentTable,
  | ('status' | 'reason' | 'expires_at' | 'held' | 'settled' | 'seen' | 'mined' | 'deep' | 'late')
  | ('accepted_at' | 'cancelled_at' | 'updated_at' | 'is_due')
>;
type OldOutput = Pick<PaymentOutputTable, 'value' | 'gone' | 'late' | 'height' | 'first_seen_at'>;
/** Rows with the columns of then. */
type OldRow = Record<string, string | number | null>;
type OldTables = { merchant: OldRow; payment: OldRow; payment_output: OldRow };
/** What a row says of an old payment's money, and the outputs that it has. */
type OldState = Partial<OldPayment> & { outputs: Partial<OldOutput>[] };

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
});
afterAll(() => node.stop());

forEachEngine('a database of before payments ended', (engine) => {
  let location: DatabaseLocation;
  let service: TestService;
  let desk: PaymentDesk;
  const ids = new Map<string, string>();
  const owners = new Map<string, number>();
  let lastOwner = engine.kind === 'sqlite' ? 10_000 : 10_500;

  const nowMs = Date.now();
  const longAgo = nowMs - 3 * DAY;
  const sums = (seen: bigint, mined = seen, deep = mined) => ({
    seen: String(seen),
    mined: String(mined),
    deep: String(deep),
  });
  const gone = (value: bigint) => ({ value: String(value), gone: 1, height: null });
  const there = (value: bigint) => ({ value: String(value), height: DEEP });
  const states: Record<string, OldState> = {
    // Seen in full, and replaced.
    replaced: { status: 'open', held: 1, outputs: [gone(AMOUNT)] },
    replacedPartly: {
      status: 'underpaid',
      held: 1,
      ...sums(DUST),
      outputs: [there(DUST), gone(AMOUNT - DUST)],
    },
    shortfall: {
      status: 'underpaid',
      accepted_at: longAgo + 1_000,
      ...sums(AMOUNT - 1n),
      outputs: [there(AMOUNT - 1n)],
    },
    acceptedLate: {
      status: 'underpaid',
      accepted_at: longAgo + 5_000,
      ...sums(AMOUNT - 1n),
      outputs: [{ ...there(AMOUNT - 1n), late: 1, first_seen_at: longAgo + 4_000 }],
    },
    // What was accepted is there no more: nobody accepted the rest.
    acceptedLost: {
      status: 'underpaid',
      accepted_at: longAgo + 1_000,
      ...sums(DUST),
      outputs: [there(DUST), gone(AMOUNT / 2n)],
    },
    // Accepted, and not yet judged when the service was stopped.
    acceptedNow: {
      status: 'expired',
      reason: 'partial',
      accepted_at: nowMs - 1_000,
      ...sums(AMOUNT / 2n),
      is_due: 2,
      outputs: [there(AMOUNT / 2n)],
    },
    reorgedLongAgo: { status: 'reorged', held: 1, settled: 1, updated_at: longAgo, outputs: [gone(AMOUNT)] },
    reorgedNow: { status: 'reorged', held: 1, settled: 1, updated_at: nowMs, outputs: [gone(AMOUNT)] },
    // Its money was recorded, and not judged, when it was cancelled.
    cancelled: { status: 'cancelled', cancelled_at: nowMs, is_due: 1, outputs: [there(DUST)] },
    waiting: { status: 'open', expires_at: nowMs + DAY, outputs: [] },
    paid: { status: 'paid', held: 1, settled: 1, ...sums(AMOUNT), outputs: [there(AMOUNT)] },
  };

  beforeAll(async () => {
    location = await engine.openUrl();
    await node.mine(10);
    await writeOldDatabase();
    service = await startService({ nodeUrl: node.url, database: location });
    desk = await openDesk(location, service);
  });
  afterAll(async () => {
    await desk.close();
    await service.stop();
  });

  async function writeOldDatabase(): Promise<void> {
    const steps = Object.entries(preciousMigrations).filter(([name]) => name < '0009_payments');
    const precious = await openPrecious(
      location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'front.db') } : location,
      Object.fromEntries(steps),
    );
    const db = precious.query<OldTables>();
    await db
      .insertInto('merchant')
      .values({
        ...{ id: MERCHANT, name: 'Desk', webhook_url: null, pool_low_threshold: 0, sequence: 0 },
        ...{ created_at: longAgo, disabled_at: null },
      })
      .execute();
    for (const [name, { outputs, ...row }] of Object.entries(states)) {
      const [id, owner] = [createPaymentId(), ++lastOwner];
      ids.set(name, id);
      owners.set(name, owner);
      await db
        .insertInto('payment')
        .values(describeOld(id, owner, row))
        .execute();
      for (const output of outputs) await db.insertInto('payment_output').values(ofOld(id, output)).execute();
    }
    await precious.close();
  }

  function describeOld(id: string, owner: number, row: Partial<OldPayment>): OldRow {
    const address = addressOfOwner(owner);
    return {
      ...{ id, merchant_id: MERCHANT, status: 'open', reason: null, recipient: address, address },
      ...{ script_hash: hashScript(scriptOf(owner)), amount: String(AMOUNT), description: '' },
      ...{ confirmations_required: 2, webhook_url: null, created_at: longAgo - DAY, expires_at: longAgo },
      ...{ updated_at: longAgo, created_height: 1, superseded: 0, ...sums(0n), late: '0' },
      ...{ held: 0, settled: 0, final: 0, cancelled_at: null, accepted_at: null, sequence: 0 },
      ...{ check_height: null, is_due: 0 },
      ...row,
    };
  }

  let outputs = 0;
  function ofOld(paymentId: string, output: Partial<OldOutput>): OldRow {
    const txid = String(++outputs).padStart(64, '0');
    return {
      ...{ txid, vout: 0, payment_id: paymentId, value: '0', coinbase: 0, height: null },
      ...{ block_hash: null, block_time: null, first_seen_at: longAgo - 1_000 },
      ...{ gone: 0, excluded: 0, late: 0 },
      ...output,
    };
  }

  const rowOf = (name: string) => desk.row(ids.get(name)!);

  test.each([
    ['replaced', { status: 'expired', reason: 'unpaid', seen: '0' }],
    ['replacedPartly', { status: 'expired', reason: 'partial', seen: String(DUST) }],
    ['shortfall', { status: 'paid', accepted_amount: String(AMOUNT - 1n), settled: 1 }],
    ['acceptedLate', { status: 'paid', accepted_amount: String(AMOUNT - 1n), late: '0' }],
    ['acceptedLost', { status: 'expired', reason: 'partial', accepted_at: null, seen: String(DUST) }],
    ['acceptedNow', { status: 'paid', accepted_amount: String(AMOUNT / 2n) }],
    ['reorgedLongAgo', { status: 'expired', reason: 'lost' }],
  ] as const)('has %s, which ends by the rules of now and is told once', async (name, expected) => {
    const id = ids.get(name)!;
    await desk.waitFor(id, expected.status);
    expect(await desk.row(id)).toMatchObject({ ...expected, check_at: null, is_due: 0 });
    expect(await desk.events(id)).toEqual([`payment.${expected.status}`]);
  });

  test('has what goes on as it was', async () => {
    const { expires_at } = await rowOf('waiting');
    expect(await rowOf('waiting')).toMatchObject({ status: 'open', check_at: expires_at });
    expect(await rowOf('paid')).toMatchObject({ status: 'paid', check_at: null, lost_at: null });
    expect(await rowOf('reorgedNow')).toMatchObject({ status: 'reorged', lost_at: nowMs });
    for (const name of ['waiting', 'paid', 'reorgedNow'])
      expect(await desk.events(ids.get(name)!)).toEqual([]);
    await desk.waitUntilRow(ids.get('cancelled')!, 'has late money', ({ late }) => late === String(DUST));
    expect(await desk.events(ids.get('cancelled')!)).toEqual(['payment.late']);
  });

  test('has recipients that are free again', async () => {
    const merchant = await createTestMerchant(service, location);
    const coin = (await openPurse(node, { count: 1, value: 1_000_000n, owner: 1 }))();
    await service.waitForTip();
    const owner = owners.get('replaced')!;
    const body = { recipient: addressOfOwner(owner), amount: '0.003', confirmations_required: 1 };
    const made = await merchant.post('/api/v1/payments', body);
    expect(made.status, made.text).toBe(201);
    await mineExactly(node, [payOwner(coin, owner, AMOUNT)]);
    await desk.waitFor(made.json.id, 'paid');
    const busy = { ...body, recipient: addressOfOwner(owners.get('reorgedNow')!) };
    const again = await service.post('/api/v1/payments', busy, { 'x-coin-pay-api-key': desk.apiKey });
    expect(again.json.code).toBe('recipient_busy');
  });
});
