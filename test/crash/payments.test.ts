import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { HDKey } from '@scure/bip32';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { PaymentEventJson } from '../../api/webhooks.ts';
import { createRandom } from '../../scripts/traffic/random.ts';
import { verifyWebhook } from '../../sdk/webhooks/verify-webhook.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { howMany } from '../harness/how-many.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { createTestMerchant, type TestMerchant } from '../harness/merchant.ts';
import { openBeside } from '../harness/precious-rows.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startService } from '../harness/service.ts';

/** `test/long/payments` has 10,000 on each; the long run of this one has more, too. */
const PAYMENTS = { sqlite: howMany(400, 1_000), postgres: howMany(150, 300) };
const KILLS = howMany(5, 8);
const CREATED_AT_ONCE = 32;
const PAID_AT_ONCE = 125;
const AMOUNT = '0.001';
/** A delivery that is under way, or was at a kill, is due no later than that. */
const LONGEST_CLAIM_MS = 61_000;
const seed = Math.floor(Math.random() * 2 ** 32);
const random = createRandom(seed);
let node: TestNode;
beforeAll(async () => {
  node = await startNode({ extraArgs: ['-rpcthreads=50'] });
  await node.mine(120);
});
afterAll(() => node.stop());

forEachEngine(`hundreds of payments under way (seed ${seed})`, (engine) => {
  const count = PAYMENTS[engine.kind];
  test('lose no event and lease no address twice, whenever the service is killed', {
    timeout: 400_000,
  }, async () => {
    const database = await engine.openUrl();
    const settings = { COINFRONT_WEBHOOK_ALLOW: 'loopback' };
    const seen = new Set<string>();
    const receiver = await startReceiver({
      // Half of the events are refused at their first try.
      answer: (response, { headers }) => {
        const id = String(headers['webhook-id']);
        const isRefused = !seen.has(id) && random.next() < 0.5;
        seen.add(id);
        response.writeHead(isRefused ? 500 : 204).end();
      },
    });
    onTestFinished(() => receiver.stop());
    const service = await startService({ nodeUrl: node.url, database, settings });
    onTestFinished(() => service.kill());
    const url = `http://127.0.0.1:${receiver.port}/hook`;
    const merchant = await createTestMerchant(service, database, ['--webhook-url', url], settings);
    const precious = await openBeside(database);
    onTestFinished(() => precious.close());
    const query = () => precious.query<PaymentTables>();

    const body = { xpub: createAccountKey(), from: 0, count };
    const imported = await merchant.post('/api/v1/merchant/addresses', body);
    expect(imported.json.imported).toBe(count);

    let isDone = false;
    const killing = (async () => {
      for (let kill = 0; kill < KILLS && !isDone; kill++) {
        await delay(random.integer(200, 2_500));
        await service.kill();
        await service.start();
      }
    })();
    // Told below, unless something else fails before.
    killing.catch(() => {});
    const addresses = await createAll(merchant, count);
    expect(new Set(addresses.values()).size).toBe(count);
    await payAll([...addresses.values()]);
    await killing;
    isDone = true;

    await waitUntil(
      'all are paid and all events delivered',
      async () => {
        // What failed twice waits for minutes: for this suite they are over at once.
        await query()
          .updateTable('delivery')
          .set({ next_at: Date.now() })
          .where(sql<boolean>`state = 'pending'`)
          .where('next_at', '>', Date.now() + LONGEST_CLAIM_MS)
          .execute();
        const { count: unpaid } = await query()
          .selectFrom('payment')
          .select((row) => row.fn.countAll<number>().as('count'))
          .where('status', '!=', 'paid')
          .executeTakeFirstOrThrow();
        const { count: undelivered } = await query()
          .selectFrom('delivery')
          .select((row) => row.fn.countAll<number>().as('count'))
          .where('state', '!=', 'delivered')
          .executeTakeFirstOrThrow();
        return Number(unpaid) === 0 && Number(undelivered) === 0;
      },
      // Requests that were under way at a kill are sent again when their claim runs out.
      180_000,
    );

    const leased = await query()
      .selectFrom('pool_address')
      .selectAll()
      .where('state', '!=', 'ready')
      .execute();
    expect(leased).toHaveLength(count);
    expect(new Set(leased.map(({ payment_id }) => payment_id)).size).toBe(count);

    const events = await query().selectFrom('event').selectAll().orderBy('sequence').execute();
    const bodies = new Map(events.map((event) => [event.id, event.body]));
    for (const id of addresses.keys()) {
      const own = events.filter((event) => event.payment_id === id);
      expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_, i) => i + 1));
      expect(own[0]!.type).toBe('payment.created');
      expect(own.at(-1)!.type).toBe('payment.paid');
      const statuses = own.map(({ type }) => type);
      // A status follows another one: no status is told twice in a row.
      expect(statuses.some((type, i) => type === statuses[i - 1])).toBe(false);
    }
    // What arrived is what was written, byte for byte; and everything arrived.
    const arrived = new Set<string>();
    for (const { headers, body: bytes } of receiver.received) {
      const event = (await verifyWebhook(bytes, headers, merchant.webhookSecret)) as PaymentEventJson;
      expect(bytes.toString()).toBe(bodies.get(event.id));
      arrived.add(event.id);
    }
    expect(arrived).toEqual(new Set(bodies.keys()));
  });
});

/** The account of a wallet that nobody has. */
function createAccountKey(): string {
  const testVersions = { public: 0x043587cf, private: 0x04358394 };
  return HDKey.fromMasterSeed(randomBytes(32), testVersions).derive("m/84'/1'/0'").publicExtendedKey;
}

/** Creates every payment, each as often as it takes until it is answered; gives addresses by identifier. */
async function createAll(merchant: TestMerchant, count: number): Promise<Map<string, string>> {
  const addresses = new Map<string, string>();
  let next = 0;
  const create = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) {
      const request = {
        amount: AMOUNT,
        use_address_pool: true,
        confirmations_required: 2,
        description: `Order ${number}`,
      };
      for (;;) {
        const answer = await merchant
          .post('/api/v1/payments', request, { 'idempotency-key': `order-${number}` })
          .catch(() => undefined);
        if (answer?.status === 201) {
          addresses.set(answer.json.id, answer.json.address);
          break;
        }
        // Killed, or the same key still running; anything else is a fault.
        if (answer) expect([409, 503]).toContain(answer.status);
        await delay(50);
      }
    }
  };
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, create));
  return addresses;
}

/** Pays all addresses in some transactions, with blocks between and after. */
async function payAll(addresses: readonly string[]): Promise<void> {
  for (let start = 0; start < addresses.length; start += PAID_AT_ONCE) {
    const outputs = Object.fromEntries(
      addresses.slice(start, start + PAID_AT_ONCE).map((address) => [address, AMOUNT]),
    );
    await node.rpc('sendmany', '', outputs);
    await delay(random.integer(0, 400));
    await node.mine(1);
  }
  await node.mine(2);
}
