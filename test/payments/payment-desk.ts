import { join } from 'node:path';
import { sql } from 'kysely';
import type { PaymentStatus } from '../../api/payments.ts';
import type { PaymentEventJson } from '../../api/webhooks.ts';
import { openPrecious, type Precious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { hashScript } from '../../service/src/parts/payments/chain/find-arrivals.ts';
import { createApiKey } from '../../service/src/parts/payments/merchants/api-key.ts';
import { createId, createPaymentId } from '../../service/src/parts/payments/payment-ids.ts';
import { acceptPayment } from '../../service/src/parts/payments/requests/accept-payment.ts';
import { cancelPayment } from '../../service/src/parts/payments/requests/cancel-payment.ts';
import { newMerchantRow, newPaymentRow } from '../../service/src/parts/payments/schema/new-rows.ts';
import type {
  PaymentOutputTable,
  PaymentTable,
  PaymentTables,
} from '../../service/src/parts/payments/schema/payment-tables.ts';
import type { DatabaseLocation } from '../harness/engines.ts';
import { waitUntil } from '../harness/litecoind.ts';
import { addressOfOwner, scriptOf } from '../harness/raw-coins.ts';
import type { TestService } from '../harness/service.ts';
import { testProfile } from '../harness/test-coin.ts';

/** What a payment is told to be. Amounts in base units. */
export type DeskPayment = {
  owner: number;
  amount: bigint;
  confirmations?: number;
  tolerance?: bigint;
  expiresInMs?: number;
  merchantId?: string;
};

/**
 * A merchant with its hands on the tables: payments of any term, which POST /payments would not make, and everything
 * that the service says of them.
 */
export type PaymentDesk = {
  readonly precious: Precious;
  /** Key of the merchant of its payments. */
  readonly apiKey: string;
  /** Makes a payment as the route does, with earlier ones of the owner superseded. */
  open(payment: DeskPayment): Promise<string>;
  row(id: string): Promise<PaymentTable>;
  outputs(id: string): Promise<PaymentOutputTable[]>;
  /** Types of all its events, in the order of their sequence, which must have no gap and no double. */
  events(id: string): Promise<string[]>;
  lastEvent(id: string): Promise<PaymentEventJson>;
  /** Waits for a status, and that the public answer agrees. */
  waitFor(id: string, status: PaymentStatus): Promise<PaymentTable>;
  /** Waits until a condition of the row holds. */
  waitUntilRow(id: string, what: string, holds: (row: PaymentTable) => boolean): Promise<PaymentTable>;
  /** Waits until the service has judged by the node's best block. */
  waitForJudged(tip: string): Promise<void>;
  /** As the merchant's routes do. */
  change(id: string, columns: Partial<PaymentTable>): Promise<void>;
  /** What the merchant's routes do, without their HTTP. */
  accept(id: string): Promise<void>;
  cancel(id: string): Promise<void>;
  /** Makes everything of a payment so much older: as if this time had passed since. */
  age(id: string, ms: number): Promise<void>;
  close(): Promise<void>;
};

const MERCHANT = 'mer_00000000000000000000';
/** Who knows the same addresses. */
export const OTHER_MERCHANT = 'mer_00000000000000000001';

/** Opens the desk on the database of a service. The caller closes it. */
export async function openDesk(location: DatabaseLocation, service: TestService): Promise<PaymentDesk> {
  const precious = await openPrecious(
    location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'front.db') } : location,
    preciousMigrations,
  );
  const db = precious.query<PaymentTables>();
  await db
    .insertInto('merchant')
    .values(
      [MERCHANT, OTHER_MERCHANT].map((id) =>
        newMerchantRow({ id, name: 'Desk', pool_low_threshold: 0, created_at: Date.now() }),
      ),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();

  // The service looks for what is due many times a second.
  const [onEvent, onDue] = [() => {}, () => {}];
  const context = { precious, profile: testProfile, publicUrl: '', now: Date.now, onEvent, onDue };
  const findDeskMerchant = () =>
    db.selectFrom('merchant').selectAll().where('id', '=', MERCHANT).executeTakeFirstOrThrow();
  const row = (id: string) =>
    db.selectFrom('payment').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const listEvents = (id: string) =>
    db.selectFrom('event').selectAll().where('payment_id', '=', id).orderBy('sequence').execute();

  const { key: apiKey, hash, hint } = createApiKey();
  await db
    .insertInto('api_key')
    .values({
      hash,
      merchant_id: MERCHANT,
      id: createId('key'),
      hint,
      scope: 'all',
      created_at: Date.now(),
    })
    .execute();

  const desk: PaymentDesk = {
    precious,
    apiKey,
    row,
    async open({
      owner,
      amount,
      confirmations = 2,
      tolerance = 0n,
      expiresInMs = 3_600_000,
      merchantId = MERCHANT,
    }) {
      const id = createPaymentId();
      const nowMs = Date.now();
      const { headers } = await service.get('/api/v1/status');
      const script_hash = hashScript(scriptOf(owner));
      await precious.transaction<PaymentTables, void>(async (trx) => {
        await trx
          .updateTable('payment')
          .set({ superseded: 1 })
          .where('merchant_id', '=', merchantId)
          .where('script_hash', '=', script_hash)
          .execute();
        await trx
          .insertInto('payment')
          .values(
            newPaymentRow({
              id,
              merchant_id: merchantId,
              recipient: addressOfOwner(owner),
              address: addressOfOwner(owner),
              script_hash,
              amount: String(amount),
              tolerance: String(tolerance),
              confirmations_required: confirmations,
              created_at: nowMs,
              expires_at: nowMs + expiresInMs,
              created_height: Number(headers.get('x-chain-height')),
              sequence: 0,
            }),
          )
          .execute();
      });
      return id;
    },
    outputs: (id) =>
      db
        .selectFrom('payment_output')
        .selectAll()
        .where('payment_id', '=', id)
        .orderBy('txid')
        .orderBy('vout')
        .execute(),
    async events(id) {
      const events = await listEvents(id);
      const sequences = events.map(({ sequence }) => sequence);
      if (sequences.some((sequence, i) => sequence !== i + 1))
        throw new Error(`The sequence of ${id} has a gap or a double: ${sequences.join()}.`);
      return events.map(({ type }) => type);
    },
    async lastEvent(id) {
      const events = await listEvents(id);
      return JSON.parse(events.at(-1)!.body) as PaymentEventJson;
    },
    async waitFor(id, status) {
      const found = await desk.waitUntilRow(id, `is ${status}`, (row) => row.status === status);
      const { json } = await service.get(`/api/v1/payments/${id}`);
      if (json.status !== status) throw new Error(`The public answer says ${json.status}, not ${status}.`);
      return found;
    },
    async waitUntilRow(id, what, holds) {
      let last: PaymentTable | undefined;
      const look = async () => {
        last = await row(id);
        return holds(last);
      };
      await waitUntil(`payment ${id} ${what}`, look, 20_000).catch((cause) => {
        throw new Error(`${cause.message} It is ${JSON.stringify(last)}.\n${service.printed()}`);
      });
      return last!;
    },
    waitForJudged: (tip) =>
      waitUntil(`payments are judged by ${tip}`, async () => {
        const cursor = await db
          .selectFrom('follow_cursor')
          .select('hash')
          .where('part', '=', 'payments')
          .executeTakeFirst();
        return cursor?.hash === tip;
      }),
    async change(id, columns) {
      await db
        .updateTable('payment')
        .set({
          ...columns,
          ...(columns.expires_at === undefined ? {} : { check_at: columns.expires_at }),
          is_due: 1,
        })
        .where('id', '=', id)
        .execute();
    },
    accept: async (id) => void (await acceptPayment(context, await findDeskMerchant(), id)),
    cancel: async (id) => void (await cancelPayment(context, await findDeskMerchant(), id)),
    async age(id, ms) {
      await precious.transaction<PaymentTables, void>(async (trx) => {
        const older = (column: string) => sql<number>`${sql.ref(column)} - ${ms}`;
        const times = [
          ...(['created_at', 'expires_at', 'accepted_at', 'lost_at'] as const),
          ...(['paid_at', 'settled_at', 'check_at'] as const),
        ];
        await trx
          .updateTable('payment')
          .set(Object.fromEntries(times.map((name) => [name, older(name)])))
          .where('id', '=', id)
          .execute();
        await trx
          .updateTable('payment_output')
          .set({ first_seen_at: older('first_seen_at'), block_time: older('block_time') })
          .where('payment_id', '=', id)
          .execute();
      });
    },
    close: () => precious.close(),
  };
  return desk;
}
