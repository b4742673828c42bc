import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import regtest from '@coinfront/protocol/profiles/regtest.json' with { type: 'json' };
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TreasuryTables } from '../../service/src/parts/treasury/schema/treasury-tables.ts';
import { awaitRoomInDay } from '../harness/await-room-in-day.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { startService } from '../harness/service.ts';
import { type Json, openTreasuryDesk, type TreasuryDesk, treasury, units } from './treasury-desk.ts';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(1);
});
afterAll(() => node.stop());

forEachEngine('contributors', (engine) => {
  let desk: TreasuryDesk;
  beforeAll(async () => {
    desk = await openTreasuryDesk(node, await engine.openUrl(), { COINFRONT_LOG_LEVEL: 'trace' });
    await desk.settle();
  });
  afterAll(() => desk?.stop());

  const count = async (table: keyof TreasuryTables): Promise<number> => {
    const row = await desk.precious
      .query<TreasuryTables>()
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(row.count);
  };
  const code = async (path: string, body: object): Promise<[number, string]> => {
    const { status, json } = await desk.ask(path, body);
    return [status, json.code];
  };

  test('have a secret that is shown once, and kept as a hash', async () => {
    const answer = await desk.service.post('/api/treasury/contributors', {
      nickname: 'Grace',
      public_display: true,
    });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { id, contributor_secret: secret, nickname } = answer.json;
    expect([id, secret, nickname]).toEqual([
      expect.stringMatching(/^VC-[0-9A-Z]{12}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
      'Grace',
    ]);
    const me = await desk.post('/me', { contributor_secret: secret.toUpperCase() }, 200);
    expect(me).toMatchObject({ id, nickname: 'Grace', public_display: true, intents: [], contributions: [] });
    expect(JSON.stringify(me)).not.toContain(secret);
    const rows = await desk.precious
      .query<TreasuryTables>()
      .selectFrom('treasury_contributor')
      .selectAll()
      .execute();
    expect(JSON.stringify(rows)).not.toContain(secret);

    const own = randomBytes(32).toString('hex');
    const mine = await desk.post('/contributors', { contributor_secret: own }, 201);
    expect(mine).toMatchObject({ contributor_secret: null, nickname: null, public_display: false });
    expect((await desk.post('/me', { contributor_secret: own }, 200)).id).toBe(mine.id);
    expect(await code('/contributors', { contributor_secret: own })).toEqual([409, 'contributor_exists']);
    expect(await code('/contributors', { contributor_secret: '00'.repeat(32) })).toEqual([
      422,
      'contributor_secret_weak',
    ]);
    expect(await code('/me', { contributor_secret: randomBytes(32).toString('hex') })).toEqual([
      401,
      'contributor_secret_invalid',
    ]);
  });

  test("choose a nickname that looks like nobody else's, and whether it is shown", async () => {
    const alice = await desk.register('Alice');
    const before = await count('treasury_contributor');
    for (const nickname of ['alice', 'A1ice', 'a.l.i.c.e', 'Àlice', 'ＡＬＩＣＥ'])
      expect(await code('/contributors', { nickname })).toEqual([409, 'nickname_taken']);
    for (const nickname of ['Admin', 'x', 'Regtest Coin', 'ali\u202ece', '=cmd', 'аlice'])
      expect(await code('/contributors', { nickname })).toEqual([400, 'nickname_invalid']);
    expect(await count('treasury_contributor')).toBe(before);

    const bob = await desk.register();
    const change = (body: object) => desk.post('/profile', { contributor_secret: bob.secret, ...body }, 200);
    expect(await code('/profile', { contributor_secret: bob.secret, nickname: 'ALICE' })).toEqual([
      409,
      'nickname_taken',
    ]);
    expect(await change({ nickname: 'Bob', public_display: true })).toMatchObject({
      nickname: 'Bob',
      public_display: true,
    });
    expect(await change({ public_display: false })).toMatchObject({ nickname: 'Bob', public_display: false });
    expect(await change({})).toMatchObject({ nickname: 'Bob', public_display: false });
    // Who changes only how it is written keeps it; who gives it up lets it rest.
    expect(await change({ nickname: 'BOB' })).toMatchObject({ nickname: 'BOB' });
    expect(await code('/contributors', { nickname: 'Bob' })).toEqual([409, 'nickname_taken']);
    expect(await change({ nickname: null })).toMatchObject({ nickname: null });
    expect(await code('/contributors', { nickname: 'Bob' })).toEqual([409, 'nickname_taken']);
    const taken = await Promise.all(
      Array.from({ length: 8 }, () => desk.service.post('/api/treasury/contributors', { nickname: 'Carol' })),
    );
    expect(taken.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    const racing = await Promise.all(Array.from({ length: 4 }, async () => (await desk.register()).secret));
    const changes = await Promise.all(
      racing.map((contributor_secret) =>
        desk.service.post('/api/treasury/profile', { contributor_secret, nickname: 'Dave' }),
      ),
    );
    expect(changes.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(alice.id).not.toBe(bob.id);
  });

  test('get 500 intents at once whose amounts and tags are all different', async () => {
    const contributors = await Promise.all(Array.from({ length: 5 }, () => desk.register()));
    const intents: Json[] = await Promise.all(
      Array.from({ length: 500 }, (_, i) => desk.intent(contributors[i % 5]!, { amount: '0.5' })),
    );
    const distinct = (field: string) => new Set(intents.map((intent) => intent[field])).size;
    expect([distinct('id'), distinct('exact_amount'), distinct('tag')]).toEqual([500, 500, 500]);
    for (const { exact_amount, tag, carrier, address } of intents) {
      const suffix = units(exact_amount) - units('0.50000000');
      expect(suffix > 0n && suffix < 10_000n).toBe(true);
      expect(carrier.script).toBe(`6a1456545231${tag}`);
      expect(address).toBe(treasury.address);
    }
  });

  test('are told when an amount is used up, or they have too many unpaid intents', async () => {
    const ada = await desk.register('Ada');
    const first = await desk.intent(ada, { amount: '0.75' });
    const db = desk.precious.query<TreasuryTables>();
    // All amounts but one, held until a minute ago or in a minute.
    const hold = async (heldUntil: number) => {
      const rows = Array.from({ length: 9_999 }, (_, i) => ({
        amount: String(75_000_001 + i),
        intent_id: first.id,
        held_until: heldUntil,
      }));
      for (let start = 0; start < rows.length; start += 1_000) {
        await db
          .insertInto('treasury_held_amount')
          .values(rows.slice(start, start + 1_000))
          .onConflict((conflict) => conflict.column('amount').doUpdateSet({ held_until: heldUntil }))
          .execute();
      }
    };
    await hold(Date.now() + 60_000);
    await db
      .updateTable('treasury_held_amount')
      .set({ held_until: Date.now() - 1 })
      .where('amount', '=', '75004321')
      .execute();
    const before = await count('treasury_intent');
    expect(await desk.intent(ada, { amount: '0.75' })).toMatchObject({ exact_amount: '0.75004321' });
    const body = { contributor_secret: ada.secret, amount: '0.75' };
    expect(await code('/intents', body)).toEqual([409, 'exact_amounts_exhausted']);
    expect(await count('treasury_intent')).toBe(before + 1);
    await desk.intent(ada, { amount: '0.75', method: 'carrier' });
    await hold(Date.now() - 60_000);
    await desk.intent(ada, { amount: '0.75' });
    await Promise.all(Array.from({ length: 196 }, () => desk.intent(ada)));
    expect(await code('/intents', body)).toEqual([429, 'intents_exhausted']);
  });

  test('send what cannot be used, and nothing is stored', async () => {
    const eve = await desk.register();
    const tables = ['treasury_contributor', 'treasury_intent', 'treasury_held_amount'] as const;
    const stored = () => Promise.all(tables.map(count));
    const before = await stored();
    const intent = (more: object) =>
      code('/intents', { contributor_secret: eve.secret, amount: '1', ...more });
    for (const amount of ['0', '0.00000001', '-1', '1e3', '1.123456789', '99999999999999999999', 'ten'])
      expect(await intent({ amount })).toEqual([400, 'amount_invalid']);
    expect(await intent({ amount: 1 })).toEqual([400, 'invalid_body']);
    expect(await intent({ expires_in: 1 })).toEqual([400, 'invalid_body']);
    expect(await intent({ method: 'trust' })).toEqual([400, 'invalid_body']);
    expect(await intent({ address: 'bc1qnope' })).toEqual([400, 'address_invalid']);
    expect(await intent({ contributor_secret: 'f'.repeat(64) })).toEqual([401, 'contributor_secret_invalid']);
    expect(await intent({ unknown: 1 })).toEqual([400, 'invalid_body']);
    expect(await code('/contributors', { nickname: 7 })).toEqual([400, 'invalid_body']);
    expect(await code('/contributors', { contributor_secret: 'xyz' })).toEqual([400, 'invalid_body']);
    expect(await code('/verify', { txid: 'x', intent_id: 'VI-0000000000000000' })).toEqual([
      400,
      'invalid_body',
    ]);
    expect(await code('/verify', { txid: '0'.repeat(64), intent_id: 'VI-0000000000000000' })).toEqual([
      404,
      'intent_not_found',
    ]);
    expect((await desk.get('/ledger?cursor=abc')).json.code).toBe('invalid_cursor');
    expect((await desk.get('/contributors?limit=0')).status).toBe(400);
    // A WIF key is refused wherever it stands; a contributor secret looks like none.
    const wif = await node.rpc<string>('dumpprivkey', await node.newAddress());
    expect(await code('/contributors', { nickname: wif })).toEqual([400, 'private_key_refused']);
    expect(await stored()).toEqual(before);
  });

  test('leave no secret in the log', async () => {
    const secret = randomBytes(32).toString('hex');
    await desk.post('/contributors', { contributor_secret: secret }, 201);
    await desk.post('/me', { contributor_secret: secret }, 200);
    await desk.post('/intents', { contributor_secret: secret, amount: 'x' }, 400);
    const wrong = randomBytes(32).toString('hex');
    await desk.post('/me', { contributor_secret: wrong }, 401);
    await desk.post('/profile', { contributor_secret: wrong, oops: 1 }, 400);
    const printed = desk.service.printed();
    expect(printed).toContain('"status":401');
    for (const each of [secret, wrong]) expect(printed).not.toContain(each);
  });

  test('are not followed into the ledger of another address', async () => {
    const db = desk.precious.query<TreasuryTables>();
    const { script, height } = await db.selectFrom('treasury_cursor').selectAll().executeTakeFirstOrThrow();
    await db.updateTable('treasury_cursor').set({ script: '51' }).execute();
    expect((await desk.get('/health')).json.status).toBe('other_address');
    expect((await desk.get('/status')).json).toMatchObject({
      reconciliation: null,
      unreconciled_reason: 'other_address',
    });
    await node.mine(1);
    await desk.service.waitForTip();
    const after = await db.selectFrom('treasury_cursor').selectAll().executeTakeFirstOrThrow();
    expect(after.height).toBe(height);
    await db.updateTable('treasury_cursor').set({ script }).execute();
    await desk.settle();
  });

  test('find the routes of the specification, with its version, and ours behind them', async () => {
    const { json } = await desk.get('/openapi.json');
    expect([json.openapi, json.info.version]).toEqual(['3.0.3', '1.0.2']);
    expect(
      Object.entries(json.paths)
        .flatMap(([path, methods]) => Object.keys(methods as object).map((m) => `${m} ${path}`))
        .sort(),
    ).toEqual(
      [
        ...['get /health', 'get /status', 'get /contributors', 'get /ledger', 'get /series'],
        ...['get /log/checkpoint', 'get /log/consistency', 'get /openapi.json'],
        ...['post /contributors', 'post /me', 'post /profile', 'post /intents', 'post /verify'],
        ...['post /receipt', 'post /claim'],
      ].sort(),
    );
    expect((await desk.get('/health')).json).toMatchObject({ status: 'ok', version: '1.0.2' });
    const metrics = await (await fetch(`${desk.service.metricsOrigin}/metrics`)).text();
    expect(metrics).toContain('\ncoinfront_treasury_lag_blocks 0\n');
    expect(metrics).toContain('\ncoinfront_treasury_difference 0\n');
  });

  test('are told by health while the node does not answer, and when it does again', async () => {
    const before = (await desk.get('/health')).json;
    expect(before.status).toBe('ok');
    const waitForStatus = (status: string) =>
      waitUntil(`health says ${status}`, async () => (await desk.get('/health')).json.status === status);
    await node.pause();
    await waitForStatus('node_unavailable');
    expect((await desk.get('/health')).json).toEqual({ ...before, status: 'node_unavailable' });
    await node.start();
    await waitForStatus('ok');
  });
});

test('one client is given 150 exact amounts and 50 contributors a day, whoever it says it is, also after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coinfront-treasury-'));
  const database = { kind: 'sqlite', dataDir: folder } as const;
  const settings = { COINFRONT_RATE_LIMIT: '100000', COINFRONT_TRUST_PROXY: 'loopback' };
  await awaitRoomInDay();
  let desk = await openTreasuryDesk(node, database, settings);
  await desk.settle();
  const contributors = [await desk.register(), await desk.register()] as const;
  for (let i = 0; i < 150; i++) await desk.intent(contributors[i % 2]!);
  for (let i = 2; i < 50; i++) await desk.register();
  await desk.stop();
  desk = await openTreasuryDesk(node, database, settings);
  for (const { secret } of contributors) {
    const { status, json } = await desk.ask('/intents', { contributor_secret: secret, amount: '0.5' });
    expect([status, json.code]).toEqual([429, 'intents_exhausted']);
  }
  const another = await desk.ask('/contributors', {});
  expect([another.status, another.json.code]).toEqual([429, 'contributors_exhausted']);
  const elsewhere = await desk.service.post(
    '/api/treasury/contributors',
    {},
    { 'x-forwarded-for': '203.0.113.9' },
  );
  expect(elsewhere.status).toBe(201);
  const carrier = await desk.intent(contributors[0], { method: 'carrier' });
  expect([carrier.exact_amount, carrier.tag]).toEqual([null, expect.any(String)]);
  await desk.stop();
  await rm(folder, { recursive: true });
});

test('a coin without a treasury says so, and health and document work', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coinfront-no-treasury-'));
  const file = join(folder, 'coin.json');
  await writeFile(file, JSON.stringify({ ...regtest, treasury: null }));
  const service = await startService({
    nodeUrl: node.url,
    database: { kind: 'sqlite', dataDir: folder },
    settings: { COINFRONT_COIN: file },
  });
  const get = async (path: string) => {
    const { status, json } = await service.get(`/api/treasury${path}`);
    return [status, json.code ?? json.status ?? json.openapi];
  };
  expect(await get('/health')).toEqual([200, 'not_configured']);
  expect(await get('/openapi.json')).toEqual([200, '3.0.3']);
  for (const path of ['/status', '/ledger', '/contributors'])
    expect(await get(path)).toEqual([404, 'treasury_not_configured']);
  for (const path of ['/contributors', '/me', '/profile', '/intents', '/verify'])
    expect((await service.post(`/api/treasury${path}`, {})).json.code).toBe('treasury_not_configured');
  await service.stop();
  await rm(folder, { recursive: true });
});
