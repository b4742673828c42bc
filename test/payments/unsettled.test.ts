import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentStatuses } from '../../api/payments.ts';
import { createRandom as createBenchRandom } from '../../bench/chain/random.ts';
import { insertOpenPayments } from '../../bench/payments/open-payments.ts';
import { createRandom } from '../../scripts/traffic/random.ts';
import type { Precious } from '../../service/src/db/precious.ts';
import { findLeftOver } from '../../service/src/parts/payments/refunds/leftover-rules.ts';
import { listUnsettled, unsettledQuery } from '../../service/src/parts/payments/refunds/leftover-store.ts';
import type { PaymentTable, PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { createTestMerchant, openTestPrecious } from '../harness/webhook-merchant.ts';

const SEED = 20_261_123;
const ROWS = 400;

forEachEngine(`the list of unsettled payments (seed ${SEED})`, (engine) => {
  let precious: Precious;
  let merchantId: string;
  let expected: string[];

  beforeAll(async () => {
    precious = await openTestPrecious(engine);
    merchantId = (await createTestMerchant(precious)).id;
    const random = createRandom(SEED);
    const units = () => String(random.integer(0, 3) === 0 ? random.integer(0, 20) : 0);
    const db = precious.query<PaymentTables>();
    const made = { merchantId, count: ROWS, tipHeight: 1, random: createBenchRandom(SEED) };
    const rows: PaymentTable[] = [];
    for (const [i, { id }] of (await insertOpenPayments(precious, made)).entries()) {
      const columns = {
        // Several at the same time: the order goes on by identifier.
        created_at: 1_000 + Math.floor(i / 7),
        status: random.pick(paymentStatuses.filter((status) => !['open', 'underpaid'].includes(status))),
        accepted_at: random.integer(0, 3) === 0 ? 1 : null,
        ...{ amount: '10', seen: units(), late: units(), refunded: units(), resolved: units() },
      };
      const row = db.updateTable('payment').set(columns).where('id', '=', id).returningAll();
      rows.push(await row.executeTakeFirstOrThrow());
    }
    const isOpen = (row: PaymentTable) => {
      const { total } = findLeftOver(row, { counted: BigInt(row.seen), late: BigInt(row.late) });
      return total !== BigInt(row.refunded) + BigInt(row.resolved);
    };
    expected = rows
      .filter(isOpen)
      .sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
  });
  afterAll(() => precious.close());

  test('has those whose money is open by the rules, in pages without a gap or a double', async () => {
    const db = precious.query<PaymentTables>();
    const found: string[] = [];
    for (let below: { atMs: number; id: string } | undefined; ; ) {
      const page = await listUnsettled(db, merchantId, below, 9);
      found.push(...page.map(({ id }) => id));
      if (page.length < 9) break;
      below = { atMs: page.at(-1)!.created_at, id: page.at(-1)!.id };
    }
    expect(found).toEqual(expected);
    expect(found.length).toBeGreaterThan(20);
  });

  test('is found by its index, in its order, without looking at the others', async () => {
    const plan = await precious.transaction<PaymentTables, string>(async (trx) => {
      const query = unsettledQuery(trx, merchantId, { atMs: 5_000, id: 'VP-0' }, 10);
      // A table of so few rows is read through unless that is forbidden.
      if (engine.kind === 'postgres') await sql`set local enable_seqscan = off`.execute(trx);
      const compiled = query.compile();
      const explain = engine.kind === 'postgres' ? 'explain' : 'explain query plan';
      const { rows } = await trx.executeQuery<Record<string, unknown>>({
        ...compiled,
        sql: `${explain} ${compiled.sql}`,
      });
      return JSON.stringify(rows);
    });
    expect(plan).toContain('payment_unsettled');
    expect(plan).not.toMatch(/SCAN payment\b|Seq Scan|TEMP B-TREE FOR ORDER BY/);
  });
});
