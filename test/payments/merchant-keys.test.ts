import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Precious } from '../../service/src/db/precious.ts';
import { sql } from '../../service/src/db/statement.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { runAdmin, type TestMerchant } from '../harness/merchant.ts';
import type { TestService } from '../harness/service.ts';
import { openSuite, type Suite } from './open-suite.ts';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(1);
});
afterAll(() => node.stop());

const KEYS = '/api/v1/merchant/keys';
const HOUR_MS = 3_600_000;

/** Method and path of what the document of the chain API has for merchants alone. */
function listMerchantOperations(): [method: string, path: string][] {
  const file = new URL('../../docs/openapi/chain.json', import.meta.url);
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, { security?: object[] }>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security = [] }]) => security.some((each) => 'merchantKey' in each))
      .map(([method]): [string, string] => [method.toUpperCase(), path]),
  );
}

forEachEngine('API keys of a merchant', (engine) => {
  let suite: Suite;
  let service: TestService;
  let database: DatabaseLocation;
  let precious: Precious;
  let merchant: TestMerchant;

  beforeAll(async () => {
    suite = await openSuite(engine, node.url);
    ({ database, service, precious } = suite);
    merchant = await suite.createMerchant();
  });
  afterAll(() => suite.close());

  const createMerchant = () => suite.createMerchant();
  const withKey = (key: string) => {
    const headers = { 'x-coin-pay-api-key': key };
    return {
      get: (path: string) => service.get(path, headers),
      send: (method: string, path: string, body?: unknown) => service.send(method, path, body, headers),
    };
  };
  const make = async (of: TestMerchant, scope: string, more: object = {}) => {
    const made = await of.post(KEYS, { name: `for ${scope}`, scope, ...more });
    expect(made.status, made.text).toBe(201);
    return made.json;
  };
  const listOf = async (of: TestMerchant) => (await of.get(`${KEYS}?limit=100`)).json.items;

  test('are shown once, kept as a hash, and listed without what only their holder knows', async () => {
    const own = await createMerchant();
    const made = await make(own, 'create', { name: 'Web shop' });
    expect(made.key).toMatch(/^cfk_[A-Za-z0-9_-]{43}$/);
    const { key, ...rest } = made;
    expect(rest).toMatchObject({
      name: 'Web shop',
      scope: 'create',
      hint: key.slice(0, 8),
      last_used_at: null,
    });
    const listed = await listOf(own);
    expect(listed).toMatchObject([{ name: null, scope: 'all', hint: own.apiKey.slice(0, 8) }, rest]);
    expect(JSON.stringify(listed)).not.toContain(key.slice(8));
    const rows = await precious.query<PaymentTables>().selectFrom('api_key').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(key.slice(8));
    const pages = await own.get(`${KEYS}?limit=1`);
    const next = await own.get(`${KEYS}?limit=1&cursor=${pages.json.next_cursor}`);
    expect([next.json.items, next.json.next_cursor]).toEqual([[rest], null]);
  });

  describe('may do what their scope says', () => {
    const keys: Record<string, string> = {};
    let paymentId = '';
    beforeAll(async () => {
      for (const scope of ['read', 'create', 'all']) keys[scope] = (await make(merchant, scope)).key;
      const made = await merchant.post('/api/v1/payments', {
        recipient: await node.newAddress(),
        amount: '0.5',
      });
      paymentId = made.json.id;
    });

    test.each<[string, string, string, unknown]>([
      ['read', 'GET', '/api/v1/payments', undefined],
      ['read', 'GET', '/api/v1/merchant', undefined],
      ['read', 'GET', KEYS, undefined],
      ['read', 'GET', '/api/v1/merchant/webhooks', undefined],
      ['create', 'POST', '/api/v1/payments', { recipient: 'x', amount: '1' }],
      ['create', 'POST', '/api/v1/payments/{id}/cancel', {}],
      ['all', 'POST', '/api/v1/payments/{id}/accept', {}],
      ['all', 'POST', '/api/v1/merchant/addresses', { addresses: ['x'] }],
      ['all', 'POST', '/api/v1/merchant/webhooks', { url: 'https://shop.example/' }],
      ['all', 'DELETE', `${KEYS}/key_00000000000000000000`, undefined],
      ['all', 'POST', KEYS, { name: 'More', scope: 'all' }],
      ['all', 'POST', '/api/v1/merchant/webhook-secret/rotate', {}],
    ])('%s is enough for %s %s, and less is not', async (needed, method, path, body) => {
      const scopes = ['read', 'create', 'all'];
      for (const scope of scopes) {
        const filled = path.replace('{id}', paymentId);
        const { status, json } = await withKey(keys[scope]!).send(method, filled, body);
        const isEnough = scopes.indexOf(scope) >= scopes.indexOf(needed);
        if (isEnough) expect(status, json.detail).not.toBe(403);
        else expect([status, json.code]).toEqual([403, 'key_scope_insufficient']);
      }
    });

    test('are asked for by every operation of merchants; what reads changes nothing, and what creates does nothing else', async () => {
      const ofCreate = ['POST /payments', 'POST /payments/{payment_id}/cancel'];
      const operations = listMerchantOperations();
      expect(operations.length).toBeGreaterThan(30);
      for (const [method, path] of operations) {
        const filled = `/api/v1${path.replace('{payment_id}', paymentId).replaceAll(/\{\w+\}/g, 'x')}`;
        const answers = {
          none: await service.send(method, filled, undefined),
          read: await withKey(keys.read!).send(method, filled),
          create: await withKey(keys.create!).send(method, filled),
        };
        const isAllowed = { none: false, read: method === 'GET', create: method === 'GET' };
        if (ofCreate.includes(`${method} ${path}`)) isAllowed.create = true;
        const codes = { none: 'api_key_invalid', read: 'key_scope_insufficient' };
        for (const [name, { json }] of Object.entries(answers)) {
          const refusal = name === 'none' ? codes.none : codes.read;
          const isRefused = json?.code === refusal;
          expect([method, path, name, isRefused]).toEqual([
            ...[method, path, name],
            !isAllowed[name as keyof typeof isAllowed],
          ]);
        }
      }
    });
  });

  test('are refused at once when they are revoked, whoever made them', async () => {
    const own = await createMerchant();
    const { key, id } = await make(own, 'all');
    const [operators] = await listOf(own);
    const revoked = await withKey(key).send('DELETE', `${KEYS}/${operators.id}`);
    expect([revoked.status, revoked.json]).toEqual([200, expect.objectContaining({ id: operators.id })]);
    const refused = await own.get('/api/v1/merchant');
    expect([refused.status, refused.json.code]).toEqual([401, 'api_key_invalid']);
    const last = await withKey(key).send('DELETE', `${KEYS}/${id}`);
    expect([last.status, last.json.code]).toEqual([409, 'key_is_last']);
    const gone = await withKey(key).send('DELETE', `${KEYS}/${operators.id}`);
    expect([gone.status, gone.json.code]).toEqual([404, 'key_not_found']);
    const other = await make(merchant, 'read');
    const strange = await withKey(key).send('DELETE', `${KEYS}/${other.id}`);
    expect(strange.json.code).toBe('key_not_found');
  });

  test('that revoke each other at the same time leave one that may do everything', async () => {
    for (let round = 0; round < 5; round += 1) {
      const own = await createMerchant();
      const made = [await make(own, 'all'), await make(own, 'all')];
      const [operators] = await listOf(own);
      await own.delete(`${KEYS}/${operators.id}`);
      const [a, b] = made;
      await Promise.all([
        withKey(a.key).send('DELETE', `${KEYS}/${b.id}`),
        withKey(b.key).send('DELETE', `${KEYS}/${a.id}`),
      ]);
      const rows = await precious
        .query<PaymentTables>()
        .selectFrom('api_key')
        .select('id')
        .where('merchant_id', '=', own.id)
        .execute();
      expect(rows).toHaveLength(1);
    }
  });

  test('end by themselves when they are to, and make room', async () => {
    const own = await createMerchant();
    const { key, id, created_at, expires_at } = await make(own, 'read', { expires_in: 60 });
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(60_000);
    expect((await withKey(key).get('/api/v1/merchant')).status).toBe(200);
    await precious
      .query<PaymentTables>()
      .updateTable('api_key')
      .set({ expires_at: Date.now() - 1 })
      .where('id', '=', id)
      .execute();
    expect((await withKey(key).get('/api/v1/merchant')).json.code).toBe('api_key_invalid');
    expect(await listOf(own)).toHaveLength(1);
    await make(own, 'read');
    const left = await precious.read(sql<{ id: string }>('select id from api_key where id = $1'), [id]);
    expect(left).toEqual([]);
  });

  test('are fifty at most, also when they are made at once', async () => {
    const own = await createMerchant();
    const made = await Promise.all(
      Array.from({ length: 52 }, () => own.post(KEYS, { name: 'x', scope: 'read' })),
    );
    const codes = made.map(({ status, json }) => (status === 201 ? 'made' : json.code));
    expect(codes.filter((code) => code === 'made')).toHaveLength(49);
    expect(codes.filter((code) => code === 'keys_exhausted')).toHaveLength(3);
  });

  test('note their last use, once an hour at most', async () => {
    const own = await createMerchant();
    const { key, id } = await make(own, 'read');
    const lastUse = async () => {
      const rows = await precious
        .query<PaymentTables>()
        .selectFrom('api_key')
        .select('last_used_at')
        .where('id', '=', id)
        .execute();
      return rows[0]!.last_used_at;
    };
    const setLastUse = (at: number) =>
      precious
        .query<PaymentTables>()
        .updateTable('api_key')
        .set({ last_used_at: at })
        .where('id', '=', id)
        .execute();
    const before = Date.now();
    await withKey(key).get('/api/v1/merchant');
    expect(await lastUse()).toBeGreaterThanOrEqual(before);
    const lately = before - HOUR_MS + 60_000;
    await setLastUse(lately);
    await withKey(key).get('/api/v1/merchant');
    expect(await lastUse()).toBe(lately);
    await setLastUse(before - HOUR_MS);
    await withKey(key).get('/api/v1/merchant');
    expect(await lastUse()).toBeGreaterThanOrEqual(before);
  });

  test("stay when the operator rotates his, and stand in the operator's list", async () => {
    const own = await createMerchant();
    const { key } = await make(own, 'read', { name: 'Books' });
    const limited = await make(own, 'read', { expires_in: 86_400 });
    const rotated = await runAdmin(database, [
      'merchant',
      'rotate-key',
      own.id,
      '--overlap-hours',
      '0',
      '--json',
    ]);
    const present = JSON.parse(rotated.stdout).api_key;
    expect((await own.get('/api/v1/merchant')).status).toBe(401);
    for (const each of [key, limited.key, present])
      expect((await withKey(each).get('/api/v1/merchant')).status).toBe(200);
    const { stdout } = await runAdmin(database, ['merchant', 'list']);
    expect(stdout).toContain(`key ${key.slice(0, 8)}… of the merchant, "Books", for read`);
    expect(stdout).toContain(`key ${present.slice(0, 8)}…\n`);
  });

  test.each<[string, unknown]>([
    ['without a name', { scope: 'read' }],
    ['with an empty name', { name: '', scope: 'read' }],
    ['with a name that cannot be shown', { name: 'a\u0000b', scope: 'read' }],
    ['without a scope', { name: 'x' }],
    ['with a scope that is none', { name: 'x', scope: 'write' }],
    ['with a life that is too short', { name: 'x', scope: 'read', expires_in: 1 }],
    ['with a key of its own', { name: 'x', scope: 'read', key: 'cfk_x' }],
  ])('are not made %s', async (_, body) => {
    const made = await merchant.post(KEYS, body);
    expect([made.status, made.json.code]).toEqual([400, 'invalid_body']);
  });
});
