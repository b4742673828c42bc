import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Precious } from '../../service/src/db/precious.ts';
import { rotateApiKey } from '../../service/src/parts/payments/merchants/merchant-store.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import type { DeliveryState } from '../../service/src/parts/payments/schema/webhook-tables.ts';
import { recordPoolEvent } from '../../service/src/parts/payments/webhooks/record-event.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { runAdmin } from '../harness/merchant.ts';
import type { TestService } from '../harness/service.ts';
import { openSuite, type Suite } from './open-suite.ts';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(1);
});
afterAll(() => node.stop());

forEachEngine("the operator's command", (engine) => {
  let suite: Suite;
  let service: TestService;
  let database: DatabaseLocation;
  let precious: Precious;

  beforeAll(async () => {
    suite = await openSuite(engine, node.url);
    ({ database, service, precious } = suite);
  });
  afterAll(() => suite.close());

  const admin = (...args: string[]) => runAdmin(database, args);
  const statusOf = async (apiKey: string): Promise<[number, string | undefined]> => {
    const { status, json } = await service.get('/api/v1/merchant', { 'x-coin-pay-api-key': apiKey });
    return [status, json.code];
  };

  test('makes a merchant while the service runs; its key works at once and is kept as a hash only', async () => {
    const made = await admin(
      ...['merchant', 'create', '--name', 'Corner shop', '--webhook-url', 'https://shop.example/hook'],
      ...['--pool-low', '7', '--json'],
    );
    expect([made.code, made.stderr]).toEqual([0, '']);
    const { id, api_key, webhook_secret } = JSON.parse(made.stdout);
    expect(api_key).toMatch(/^cfk_[A-Za-z0-9_-]{43}$/);
    expect(webhook_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { json } = await service.get('/api/v1/merchant', { 'x-coin-pay-api-key': api_key });
    expect(json).toMatchObject({
      id,
      name: 'Corner shop',
      webhook_url: 'https://shop.example/hook',
      pool: { ready: 0, leased: 0, retired: 0, low_threshold: 7 },
    });
    const keys = await precious.query<PaymentTables>().selectFrom('api_key').selectAll().execute();
    expect(JSON.stringify(keys)).not.toContain(api_key.slice(8));
    const listed = await admin('merchant', 'list');
    expect(listed.stdout).toContain(`${id}  Corner shop`);
    expect(listed.stdout).not.toContain(api_key.slice(8));
    expect(listed.stdout).not.toContain(webhook_secret);
  });

  test.each(['\u202eqohS', '\u3164', 'a\nb', 'x'.repeat(101)])(
    'makes no merchant with a name that cannot be shown to payers: %j',
    async (name) => {
      const refused = await admin('merchant', 'create', '--name', name);
      expect([refused.code, refused.stdout]).toEqual([2, '']);
      expect(refused.stderr).toContain('--name');
    },
  );

  test('rotates a key: both work for the overlap, and never more than two', async () => {
    const { id, apiKey: first } = await suite.createMerchant();
    const rotate = async (...args: string[]) => {
      const { stdout } = await admin('merchant', 'rotate-key', id, '--json', ...args);
      return JSON.parse(stdout);
    };
    const { api_key: second, previous_valid_until: until } = await rotate();
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    expect([await statusOf(first), await statusOf(second)]).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    const { api_key: third } = await rotate('--overlap-hours', '1');
    expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([
      [401, 'api_key_invalid'],
      [200, undefined],
      [200, undefined],
    ]);
    const { api_key: fourth } = await rotate('--overlap-hours', '0');
    expect([await statusOf(second), await statusOf(third), await statusOf(fourth)]).toEqual([
      [401, 'api_key_invalid'],
      [401, 'api_key_invalid'],
      [200, undefined],
    ]);
  });

  test('rotates a key twice at once: one of the new ones is the present one', async () => {
    const { id } = await suite.createMerchant();
    await Promise.all([1, 2, 3, 4].map(() => rotateApiKey(precious, id, 3_600_000, Date.now())));
    const present = await precious
      .query<PaymentTables>()
      .selectFrom('api_key')
      .select('hint')
      .where('merchant_id', '=', id)
      .where('expires_at', 'is', null)
      .execute();
    expect(present).toHaveLength(1);
  });

  test('disables a merchant and enables it again; its payments stay readable', async () => {
    const merchant = await suite.createMerchant();
    const terms = { recipient: await node.newAddress(), amount: '1' };
    const { json } = await merchant.post('/api/v1/payments', terms);
    expect((await admin('merchant', 'disable', merchant.id)).code).toBe(0);
    expect(await statusOf(merchant.apiKey)).toEqual([403, 'merchant_disabled']);
    const refused = await merchant.post('/api/v1/payments', terms);
    expect([refused.status, refused.json.code]).toEqual([403, 'merchant_disabled']);
    expect((await service.get(`/api/v1/payments/${json.id}`)).status).toBe(200);
    expect((await admin('merchant', 'list')).stdout).toContain('disabled since');
    expect((await admin('merchant', 'enable', merchant.id)).code).toBe(0);
    expect(await statusOf(merchant.apiKey)).toEqual([200, undefined]);
  });

  test('rotates a webhook secret, and the one before ends with the overlap', async () => {
    const merchant = await suite.createMerchant();
    const { code, stdout } = await admin('webhook-secret', 'rotate', merchant.id, '--json');
    expect(code).toBe(0);
    const rotated = JSON.parse(stdout);
    const secrets = await precious
      .query<PaymentTables>()
      .selectFrom('webhook_secret')
      .select(['secret', 'expires_at'])
      .where('merchant_id', '=', merchant.id)
      .orderBy('created_at')
      .execute();
    expect(secrets).toEqual([
      { secret: merchant.webhookSecret, expires_at: Date.parse(rotated.previous_valid_until) },
      { secret: rotated.webhook_secret, expires_at: null },
    ]);
  });

  test('purges webhooks that were delivered long ago, and nothing that may still be wanted', async () => {
    const db = precious.query<PaymentTables>();
    const merchant = await suite.createMerchant();
    const DAY_MS = 86_400_000;
    const tell = async (state: DeliveryState, days: number): Promise<string> => {
      const at = Date.now() - days * DAY_MS;
      const told = { id: merchant.id, webhook_url: 'https://127.0.0.1:1/', pool_low_threshold: 1 };
      // At once, or the service delivers it.
      const { id } = await precious.transaction<PaymentTables, { id: string }>(async (trx) => {
        await recordPoolEvent(trx, 'pool.low', told, 0, at);
        return await trx
          .updateTable('delivery')
          .set({ state, ended_at: at, next_at: Date.now() + DAY_MS })
          .where('merchant_id', '=', merchant.id)
          .where('created_at', '=', at)
          .returning('id')
          .executeTakeFirstOrThrow();
      });
      const attempt = { delivery_id: id, attempt: 1, at, duration_ms: 1, status: 200, error: null };
      await db.insertInto('delivery_attempt').values(attempt).execute();
      return id;
    };
    const old = await tell('delivered', 91);
    const kept = [
      await tell('delivered', 89),
      await tell('pending', 200),
      await tell('dead', 201),
      await tell('disabled', 202),
    ];
    const { code, stdout } = await admin('deliveries', 'purge', '--older-than-days', '90', '--json');
    expect([code, JSON.parse(stdout).purged]).toEqual([0, 1]);
    const left = await db
      .selectFrom('delivery')
      .innerJoin('event', 'event.id', 'delivery.event_id')
      .innerJoin('delivery_attempt', 'delivery_attempt.delivery_id', 'delivery.id')
      .select('delivery.id')
      .where('delivery.merchant_id', '=', merchant.id)
      .execute();
    expect(left.map(({ id }) => id).sort()).toEqual([...kept].sort());
    const events = await db.selectFrom('event').select('id').where('merchant_id', '=', merchant.id).execute();
    expect(events).toHaveLength(kept.length);
    const attempts = db.selectFrom('delivery_attempt').select('at').where('delivery_id', '=', old);
    expect(await attempts.execute()).toEqual([]);
    const again = await admin('deliveries', 'purge', '--older-than-days', '90', '--json');
    expect(JSON.parse(again.stdout).purged).toBe(0);

    const recent = [await tell('dead', 88), await tell('disabled', 87)];
    const all = await admin('deliveries', 'purge', '--older-than-days', '1', '--undelivered', '--json');
    expect(JSON.parse(all.stdout).purged).toBe(3);
    const rest = await db
      .selectFrom('delivery')
      .select('id')
      .where('merchant_id', '=', merchant.id)
      .execute();
    expect(rest.map(({ id }) => id).sort()).toEqual([kept[1]!, ...recent].sort());
  });

  describe('says what it did not do, and ends with a code that tells', () => {
    test.each<[string, number, RegExp, string[]]>([
      ['no command', 2, /Usage/, []],
      ['an unknown command', 2, /"merchant eat" is no command/, ['merchant', 'eat']],
      ['no name', 2, /needs --name/, ['merchant', 'create']],
      ['an unknown option', 2, /--colour/, ['merchant', 'create', '--name', 'x', '--colour', 'red']],
      ['an option of another command', 2, /no option --name/, ['merchant', 'list', '--name', 'x']],
      ['a threshold that is none', 2, /--pool-low/, ['merchant', 'create', '--name', 'x', '--pool-low', '-']],
      ['no merchant', 2, /needs the merchant/, ['merchant', 'disable']],
      ['no age of what to purge', 2, /--older-than-days/, ['deliveries', 'purge']],
      ['all of them', 2, /--older-than-days/, ['deliveries', 'purge', '--older-than-days', '0']],
      ['too many arguments', 2, /more arguments/, ['merchant', 'list', 'x']],
      [
        'hours that are none',
        2,
        /--overlap-hours/,
        ['merchant', 'rotate-key', 'x', '--overlap-hours', '1.5'],
      ],
      ['a merchant that is not there', 1, /no merchant "mer_0"/, ['merchant', 'enable', 'mer_0']],
      ['a key of nobody', 1, /no merchant "mer_0"/, ['merchant', 'rotate-key', 'mer_0']],
      ['a secret of nobody', 1, /no merchant "mer_0"/, ['webhook-secret', 'rotate', 'mer_0']],
      [
        ...(['a webhook into this machine', 1, /--webhook-url/] as [string, number, RegExp]),
        ['merchant', 'create', '--name', 'x', '--webhook-url', 'https://localhost/'],
      ],
    ])('%s', async (_, code, text, args) => {
      const outcome = await admin(...args);
      expect(outcome.code).toBe(code);
      expect(outcome.stdout + outcome.stderr).toMatch(text);
      expect(outcome.stderr).not.toMatch(/\bat .*\.[jt]s:/);
    });
  });
});

test('the command on a PostgreSQL that is away fails with one line', async () => {
  const url = `postgres://nobody:${randomBytes(4).toString('hex')}@127.0.0.1:1/none`;
  const { code, stderr } = await runAdmin({ kind: 'postgres', url }, ['merchant', 'list']);
  expect(code).toBe(1);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).not.toContain(new URL(url).password);
});

test('the command with a setting that cannot be used ends with code 2', async () => {
  const { code, stderr } = await runAdmin({ kind: 'postgres', url: 'mysql://x' }, ['merchant', 'list']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^COINFRONT_DATABASE_URL: /)]);
});
