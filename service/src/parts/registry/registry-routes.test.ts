import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { writeAlertText } from '@coinfront/protocol/registry/alert-text.ts';
import { signBip137, singleKeyLock } from '@coinfront/protocol/testing/message-signer.ts';
import { ed25519 } from '@noble/curves/ed25519.js';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClientNames } from '../../clients/client-names.ts';
import type { ClientTables } from '../../clients/client-tables.ts';
import { openPrecious } from '../../db/precious.ts';
import { createHttpMetrics } from '../../http/http-metrics.ts';
import { createServer } from '../../http/server.ts';
import { preciousMigrations } from '../../migrations.ts';
import { createAllowList } from '../../outbound/allow-list.ts';
import { checkOutboundUrl } from '../../outbound/check-url.ts';
import { fixtureProfile, makeFixtureChain } from '../../testing/fixture-server.ts';
import { readFixture } from '../../testing/fixture-view.ts';
import { type ApiDocument, makeHostileRequests } from '../../testing/hostile-requests.ts';
import { findFaults } from '../../testing/send-hostile.ts';
import { requireStrictResponses } from '../../testing/strict-responses.ts';
import { changeNodeState, lapseNodes, listNodes } from './nodes/node-store.ts';
import { holdLease } from './probing/prober-store.ts';
import { LAPSE_MS, type RegistryContext } from './registry-context.ts';
import { createRegistryPart } from './registry-part.ts';
import type { RegistryTables } from './schema/registry-tables.ts';

const folder = await mkdtemp(join(tmpdir(), 'coinfront-registry-'));
const precious = await openPrecious({ kind: 'sqlite', file: join(folder, 'front.db') }, preciousMigrations);
const log: string[] = [];
/** Addresses of host names. */
const namesOf = new Map<string, string[]>([
  ['inside.example', ['8.8.8.8', '10.0.0.1']],
  ['a.localhost', ['127.0.0.1', '::1']],
  ['a.example', ['8.8.8.8']],
  ['b.example', ['8.8.8.8', '8.8.4.4']],
]);
const onion = 'pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion';
const START = Date.parse('2026-11-20T12:00:00Z');
let nowMs = START;
const context: RegistryContext = {
  precious,
  readChain: readFixture(makeFixtureChain()),
  profile: fixtureProfile,
  publicUrl: 'https://coin.example',
  rules: {
    slotMs: 600_000,
    epochBlocks: 100,
    ports: [fixtureProfile.p2pPort],
    allow: createAllowList([]),
    socks: undefined,
    asTable: undefined,
    vantages: [],
    reward: undefined,
    requireProof: false,
  },
  nameClient: createClientNames(precious),
  resolve: async (host) => namesOf.get(host) ?? [],
  checkAlertUrl: (url) => checkOutboundUrl(url, createAllowList([])),
  registrationsPerDay: 30,
  findProof: async () => undefined,
  bodies: { readText: async (_, text) => text },
  findSigner: () => undefined,
  now: () => nowMs,
};
const http = createServer({
  logger: pino({ level: 'info' }, { write: (line: string) => void log.push(line) }),
  metrics: createHttpMetrics(),
  findPrivateKey: () => undefined,
  corsOrigins: '*',
  rateLimitPerMinute: undefined,
  trustedProxies: ['127.0.0.1'],
});
requireStrictResponses(http.app);
createRegistryPart(context, http.routes).register(http.app);
let url = '';

const db = precious.query<RegistryTables>();
const port = fixtureProfile.p2pPort;
const seedOf = (name: string) =>
  new Uint8Array(32).fill(0).map((_, i) => name.charCodeAt(i % name.length) + i);
const addressOf = (name: string) =>
  encodeAddress(singleKeyLock(seedOf(name), 'p2pkh').script, fixtureProfile)!;
const keyOf = (name: string) => bytesToHex(ed25519.getPublicKey(seedOf(name)));

type Answer = {
  status: number;
  json: Record<string, unknown> & { code?: string; message?: string; id?: string };
};

async function post(path: string, body: object, client = '203.0.113.1'): Promise<Answer> {
  const answer = await fetch(`${url}/api/nodeproof${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
    body: JSON.stringify(body),
  });
  return { status: answer.status, json: (await answer.json()) as Answer['json'] };
}
const ask = (name: string, endpoint: string, more: object = {}, client?: string) =>
  post('/register', { node_key: keyOf(name), endpoint, payout_address: addressOf(name), ...more }, client);
const sign = (name: string, message: string) => ({
  address_signature: signBip137(seedOf(name), message, fixtureProfile),
  node_signature: bytesToHex(ed25519.sign(new TextEncoder().encode(message), seedOf(name))),
});
const verify = (name: string, { json }: Answer, client?: string) =>
  post('/claim/verify', { claim_id: json.id, ...sign(name, json.message!) }, client);
const registerNode = async (name: string, endpoint: string) => await verify(name, await ask(name, endpoint));
const countRows = async (table: 'registry_claim' | 'registry_node') =>
  Number(
    (
      await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  );

beforeAll(async () => {
  await holdLease(db, {
    holder: 'test',
    registryKey: keyOf('registry'),
    epochBlocks: 100,
    nowMs,
    leaseUntilMs: nowMs + 1,
    takeOver: true,
  });
  await http.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(http.app.server.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  nowMs = START;
  await db.deleteFrom('registry_alert').execute();
  await db.deleteFrom('registry_alert_receiver').execute();
  await db.deleteFrom('registry_node').execute();
  await db.deleteFrom('registry_claim').execute();
  await precious.query<ClientTables>().deleteFrom('client_day').execute();
});
afterAll(async () => {
  await http.app.close();
  await precious.close();
  await rm(folder, { recursive: true });
});

test.each([
  ['a key of small order', { node_key: '01'.padEnd(64, '0') }, 400, 'node_key_invalid'],
  ['a key that is no point', { node_key: 'ff'.repeat(32) }, 400, 'node_key_invalid'],
  ['a short key', { node_key: 'ff' }, 400, 'invalid_body'],
  ['a name without an address', { endpoint: `nowhere.example:${port}` }, 422, 'endpoint_refused'],
  ['a name that leads inside', { endpoint: `inside.example:${port}` }, 422, 'endpoint_refused'],
  ['a name of this machine', { endpoint: `a.localhost:${port}` }, 422, 'endpoint_refused'],
  ['a name without a dot', { endpoint: `localhost:${port}` }, 400, 'endpoint_invalid'],
  ['an onion address where there is no proxy', { endpoint: `${onion}:${port}` }, 422, 'endpoint_refused'],
  [
    'an onion address with a wrong checksum',
    { endpoint: `q${onion.slice(1)}:${port}` },
    400,
    'endpoint_invalid',
  ],
  ['an address of this machine', { endpoint: `127.0.0.1:${port}` }, 422, 'endpoint_refused'],
  ['one of the inside', { endpoint: `[::ffff:10.1.2.3]:${port}` }, 422, 'endpoint_refused'],
  ['another port', { endpoint: '8.8.8.8:25' }, 422, 'endpoint_refused'],
  [
    'an address of another coin',
    { payout_address: 'bc1q50rtrmj2f8vl9tem8qpfw36ylw5jg9j29e5za5' },
    400,
    'address_invalid',
  ],
  ['a field too many', { secret: 'x' }, 400, 'invalid_body'],
])('%s is refused, and nothing stored', async (_, more, status, code) => {
  const answer = await ask('a', `8.8.8.8:${port}`, more);
  expect([answer.status, answer.json.code]).toEqual([status, code]);
  expect(await countRows('registry_claim')).toBe(0);
});

test('two host names of one address, and the address itself, are one endpoint', async () => {
  const first = await registerNode('a', `A.Example:${port}`);
  expect(first.json.node).toMatchObject({
    endpoint: `a.example:${port}`,
    reached: `8.8.8.8:${port}`,
    network: '8.8.8.0/24',
  });
  for (const [name, endpoint] of [
    ['b', `b.example:${port}`],
    ['c', `8.8.8.8:${port}`],
    ['d', `a.example:${port}`],
  ] as const) {
    const later = await registerNode(name, endpoint);
    expect([later.status, later.json.claim], endpoint).toMatchObject([202, { state: 'awaiting_endpoint' }]);
  }
  expect((await registerNode('a', `a.example:${port}`)).status).toBe(200);
});

describe('alerts of a node', () => {
  const url0 = 'https://owner.example/alerts';
  const setAlerts = (
    name: string,
    url: string | null,
    more: { issuedAtMs?: number; by?: string; client?: string } = {},
  ) => {
    const issuedAtMs = more.issuedAtMs ?? nowMs;
    const text = writeAlertText({
      domain: 'coin.example',
      registryKey: keyOf('registry'),
      genesisHash: fixtureProfile.genesisHash,
      nodeKey: keyOf(name),
      url,
      issuedAtMs,
    });
    const signature = bytesToHex(ed25519.sign(new TextEncoder().encode(text), seedOf(more.by ?? name)));
    const body = { url, issued_at: new Date(issuedAtMs).toISOString(), signature };
    return post(`/nodes/${keyOf(name)}/alerts`, body, more.client);
  };
  const waiting = () =>
    db.selectFrom('registry_alert').select(['type', 'url', 'state']).orderBy('created_at').execute();

  test('are set, moved and ended by signatures of its key, each good once', async () => {
    await registerNode('a', `8.8.8.8:${port}`);
    const first = await setAlerts('a', url0);
    expect([first.status, first.json]).toMatchObject([
      200,
      { node_key: keyOf('a'), url: url0, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/=]{44}$/) },
    ]);
    expect(await waiting()).toEqual([{ type: 'alerts.set', url: url0, state: 'pending' }]);
    const again = await setAlerts('a', url0);
    expect([again.status, again.json.code]).toEqual([409, 'claim_used']);
    nowMs += 1_000;
    const moved = await setAlerts('a', 'https://owner.example/other');
    expect(moved.json.secret).not.toBe(first.json.secret);
    nowMs += 1_000;
    expect((await setAlerts('a', null)).json).toMatchObject({ url: null, secret: null });
    expect((await waiting()).map(({ state }) => state)).toEqual(['disabled', 'disabled']);
    // What ended them cannot be undone by the request of before.
    const replayed = await setAlerts('a', url0, { issuedAtMs: nowMs - 1_000 });
    expect([replayed.status, replayed.json.code]).toEqual([409, 'claim_used']);
    expect(log.join()).not.toContain(String(first.json.secret));
  });

  test('are refused by another key, of another time, to the inside, and of nodes that are not there', async () => {
    await registerNode('a', `8.8.8.8:${port}`);
    const expectRefusal = async (asked: Promise<Answer>, status: number, code: string) => {
      const answer = await asked;
      expect([answer.status, answer.json.code]).toEqual([status, code]);
    };
    await expectRefusal(setAlerts('a', url0, { by: 'b' }), 422, 'signature_invalid');
    await expectRefusal(setAlerts('a', url0, { issuedAtMs: nowMs - 601_000 }), 410, 'claim_expired');
    await expectRefusal(setAlerts('a', url0, { issuedAtMs: nowMs + 601_000 }), 410, 'claim_expired');
    await expectRefusal(setAlerts('b', url0), 404, 'node_not_found');
    for (const inside of [
      'http://owner.example/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://localhost/',
      'https://user:pw@owner.example/',
    ])
      await expectRefusal(setAlerts('a', inside), 422, 'webhook_url_refused');
    expect(await waiting()).toEqual([]);
    await changeNodeState(db, keyOf('a'), ['active'], 'blocked');
    await expectRefusal(setAlerts('a', url0), 403, 'node_blocked');
  });

  test('are set as often a day as one client may', async () => {
    await registerNode('a', `8.8.8.8:${port}`);
    const statuses = new Set<number>();
    for (let i = 0; i < 101; i++) {
      nowMs += 1_000;
      statuses.add((await setAlerts('a', url0, { client: '203.0.113.9' })).status);
    }
    expect([...statuses]).toEqual([200, 429]);
    expect((await setAlerts('a', url0, { client: '203.0.114.9', issuedAtMs: nowMs + 1_000 })).status).toBe(
      200,
    );
  });
});

test('a P2PKH address signs by BIP-137; the claim says so, and what to sign', async () => {
  const claim = await ask('a', `8.8.8.8:${port}`);
  expect(claim.json).toMatchObject({
    state: 'pending',
    expires_at: '2026-11-20T13:00:00.000Z',
    sign: { address_signature: { by: addressOf('a'), scheme: 'bip137' } },
  });
  for (const line of [
    'Domain: coin.example',
    `Network: ${fixtureProfile.genesisHash}`,
    `Node key: ${keyOf('a')}`,
    `Endpoint: 8.8.8.8:${port}`,
    `Payout address: ${addressOf('a')}`,
  ])
    expect(claim.json.message).toContain(`\n${line}\n`);
  const verified = await verify('a', claim);
  expect([verified.status, verified.json.claim]).toMatchObject([200, { state: 'verified' }]);
  expect(await verify('a', claim)).toMatchObject({ status: 409, json: { code: 'claim_used' } });
});

test('a claim expires', async () => {
  const claim = await ask('a', `8.8.8.8:${port}`);
  nowMs += 3_600_000;
  const late = await verify('a', claim);
  const shown = await fetch(`${url}/api/nodeproof/claim/${claim.json.id}`);
  expect([late.status, late.json.code]).toEqual([410, 'claim_expired']);
  expect(((await shown.json()) as { state: string }).state).toBe('expired');
  expect(await countRows('registry_node')).toBe(0);
});

test('the same key moves, and renews with its counts; claims before are over', async () => {
  const old = await ask('a', `8.8.8.8:${port}`);
  await registerNode('a', `8.8.8.8:${port}`);
  await db.updateTable('registry_node').set({ passed: 7, last_passed_at: nowMs }).execute();
  const moved = await registerNode('a', `9.9.9.9:${port}`);
  expect(moved.json.node).toMatchObject({
    endpoint: `9.9.9.9:${port}`,
    network: '9.9.9.0/24',
    total: { passed: 7 },
  });
  expect(await verify('a', old)).toMatchObject({ status: 409, json: { code: 'claim_used' } });
  expect((await listNodes(db, { state: undefined, afterKey: undefined, limit: 9 })).length).toBe(1);
});

test('another key does not get a taken endpoint by signatures alone; a lapsed one is free', async () => {
  await registerNode('a', `8.8.8.8:${port}`);
  const other = await registerNode('b', `8.8.8.8:${port}`);
  expect([other.status, other.json.node, other.json.claim]).toMatchObject([
    202,
    null,
    { state: 'awaiting_endpoint' },
  ]);
  const lapse = () =>
    precious.transaction<RegistryTables, string[]>((trx) => lapseNodes(trx, nowMs + LAPSE_MS));
  await lapse();
  // That nobody looked for it is no fault of it.
  expect((await registerNode('d', `8.8.8.8:${port}`)).status).toBe(202);
  await db.updateTable('registry_node').set({ fails_in_row: 4 }).where('node_key', '=', keyOf('a')).execute();
  await lapse();
  const free = await registerNode('c', `8.8.8.8:${port}`);
  expect([free.status, free.json.node]).toMatchObject([200, { state: 'active' }]);
  const nodes = await listNodes(db, { state: undefined, afterKey: undefined, limit: 9 });
  expect(nodes.map(({ state }) => state).sort()).toEqual(['active', 'lapsed']);
});

test('who is blocked stays out', async () => {
  await registerNode('a', `8.8.8.8:${port}`);
  const pending = await ask('a', `8.8.8.8:${port}`);
  await changeNodeState(db, keyOf('a'), ['active'], 'blocked');
  expect(await ask('a', `8.8.8.8:${port}`)).toMatchObject({ status: 403, json: { code: 'node_blocked' } });
  expect(await verify('a', pending)).toMatchObject({ status: 403, json: { code: 'node_blocked' } });
});

test('a network has room for eight nodes', async () => {
  for (let i = 0; i < 8; i++)
    expect((await registerNode(`n${i}`, `8.8.8.${i + 1}:${port}`)).status).toBe(200);
  expect(await ask('late', `8.8.8.200:${port}`)).toMatchObject({
    status: 409,
    json: { code: 'network_full' },
  });
  expect((await ask('late', `8.8.9.1:${port}`)).status).toBe(201);
  expect((await registerNode('n3', `8.8.8.99:${port}`)).status).toBe(200);
});

test('who asks again for a key has the latest claims; earlier ones of the same client give way', async () => {
  const claims = [];
  for (let i = 0; i < 6; i++) {
    claims.push(await ask('a', `8.8.8.8:${port}`));
    nowMs += 1_000;
  }
  expect(claims.map(({ status }) => status)).toEqual(Array(6).fill(201));
  expect(await verify('a', claims[0]!)).toMatchObject({ status: 404, json: { code: 'claim_not_found' } });
  expect((await verify('a', claims[1]!)).status).toBe(200);
});

test('what strangers ask for keeps no owner out, and takes no claim from it', async () => {
  const strangers = ['203.0.113.50', '203.0.113.51', '203.0.113.52', '2001:db8:1::1', '2001:db8:1:100::1'];
  const molest = async () => {
    for (const stranger of strangers)
      for (let i = 0; i < 8; i++) expect((await ask('a', `8.8.8.8:${port}`, {}, stranger)).status).toBe(201);
  };
  await molest();
  const claim = await ask('a', `8.8.8.8:${port}`, {}, '198.51.100.9');
  expect(claim.status).toBe(201);
  await molest();
  expect((await verify('a', claim, '198.51.100.9')).json.claim).toMatchObject({ state: 'verified' });
});

test('open claims are bounded by client, and by the networks around it', async () => {
  const tooMany = { status: 429, json: { code: 'claims_exhausted' } };
  for (let i = 0; i < 20; i++) expect((await ask(`b${i}`, `8.8.8.8:${port}`)).status).toBe(201);
  expect(await ask('c', `8.8.8.8:${port}`)).toMatchObject(tooMany);
  expect((await ask('c', `8.8.8.8:${port}`, {}, '203.0.113.2')).status).toBe(201);
  for (let i = 0; i < 80; i++)
    expect((await ask(`d${i}`, `8.8.8.8:${port}`, {}, `2001:db8:1:${i % 4}::1`)).status).toBe(201);
  expect(await ask('e', `8.8.8.8:${port}`, {}, '2001:db8:1:4::1')).toMatchObject(tooMany);
  expect((await ask('e', `8.8.8.8:${port}`, {}, '2001:db8:1:100::1')).status).toBe(201);
  expect(await countRows('registry_claim')).toBe(102);
  // They count on after midnight, under the names of the day before.
  nowMs = Date.parse('2026-11-20T23:59:00Z');
  await db.deleteFrom('registry_claim').execute();
  for (let i = 0; i < 20; i++) await ask(`b${i}`, `8.8.8.8:${port}`);
  nowMs += 120_000;
  expect(await ask('c', `8.8.8.8:${port}`)).toMatchObject(tooMany);
});

test('a network that strangers have filled with nodes that are not there has room for one that is', async () => {
  for (let i = 0; i < 8; i++) await registerNode(`n${i}`, `8.8.8.${i + 1}:${port}`);
  const late = () => ask('late', `8.8.8.200:${port}`);
  // They were not looked at yet.
  expect(await late()).toMatchObject({ status: 409, json: { code: 'network_full' } });
  // Two pass, one of them was moved since; one failed, and another is never looked at.
  const change = (name: string, columns: object) =>
    db.updateTable('registry_node').set(columns).where('node_key', '=', keyOf(name)).execute();
  await change('n1', { passed: 1, failed: 1, last_passed_at: nowMs });
  await change('n2', { passed: 1, failed: 1, last_passed_at: nowMs - 1 });
  await change('n3', { failed: 1 });
  await change('n4', { voided: 1, last_reason: 'endpoint_refused' });
  const states = async () => {
    const nodes = await listNodes(db, { state: undefined, afterKey: undefined, limit: 99 });
    const lapsed = nodes.filter(({ state }) => state === 'lapsed').map(({ node_key }) => node_key);
    return [nodes.length, ['n1', 'n2', 'n3', 'n4'].filter((name) => lapsed.includes(keyOf(name)))];
  };
  for (let i = 0; i < 3; i++)
    expect((await registerNode(`late${i}`, `8.8.8.${i + 200}:${port}`)).status).toBe(200);
  expect(await states()).toEqual([11, ['n2', 'n3', 'n4']]);
  expect(await late()).toMatchObject({ status: 409, json: { code: 'network_full' } });
});

test('a client registers so many nodes a day, also across restarts, and its address is not kept', async () => {
  const client = '203.0.113.77';
  const register = async (i: number) => {
    const [name, endpoint] = [`day${i}`, `8.${i}.8.8:${port}`];
    return await verify(name, await ask(name, endpoint, {}, client), client);
  };
  for (let i = 0; i < 30; i++) expect((await register(i)).status).toBe(200);
  context.nameClient = createClientNames(precious);
  expect(await register(30)).toMatchObject({ status: 429, json: { code: 'claims_exhausted' } });
  expect((await registerNode('other', `9.9.9.9:${port}`)).status).toBe(200);
  const rows = [
    await precious.query<ClientTables>().selectFrom('client_day').selectAll().execute(),
    await db.selectFrom('registry_claim').selectAll().execute(),
  ];
  expect(JSON.stringify(rows)).not.toContain(client);
  nowMs += 86_400_000;
  expect((await register(31)).status).toBe(200);
});

test('lists are paged, and a cursor is good for its own list', async () => {
  for (let i = 0; i < 5; i++) await registerNode(`p${i}`, `8.8.${i}.1:${port}`);
  const get = async (path: string) =>
    (await (await fetch(`${url}/api/nodeproof${path}`)).json()) as {
      items: { node_key: string }[];
      next_cursor: string | null;
      code?: string;
    };
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await get(`/nodes?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    seen.push(...page.items.map(({ node_key }) => node_key));
    cursor = page.next_cursor;
  }
  expect(seen).toEqual([...seen].sort());
  expect(new Set(seen).size).toBe(5);
  const { next_cursor } = await get('/nodes?limit=2');
  expect((await get(`/nodes?state=all&cursor=${next_cursor}`)).code).toBe('invalid_cursor');
  expect((await get(`/receipts?cursor=${next_cursor}`)).code).toBe('invalid_cursor');
});

test('without a pool nothing is paid, and without receipts nothing is known', async () => {
  const preview = await (await fetch(`${url}/api/nodeproof/rewards/preview`)).json();
  expect(preview).toMatchObject({
    pool: '0.00000000',
    distributed: '0.00000000',
    reason: 'no_pool',
    is_final: false,
    epoch: 1,
    last_sequence: null,
    items: [],
  });
  const status = await (await fetch(`${url}/api/nodeproof/status`)).json();
  expect(status).toMatchObject({
    rules: {
      reward_rules: 4,
      network_weight: { at_most: '1000000000000', ipv4_prefix: 24, ipv6_prefix: 48 },
    },
    receipts: 0,
    last_receipt: null,
    prober: { state: 'running', slots_until: null, own_node: null },
  });
  const unknown = await fetch(`${url}/api/nodeproof/rewards/preview?epoch=0`);
  expect([unknown.status, ((await unknown.json()) as { code: string }).code]).toEqual([
    404,
    'epoch_not_found',
  ]);
});

test('whatever is sent is refused as documented, nothing of it stored, no signature logged', async () => {
  const document = (await (await fetch(`${url}/api/nodeproof/openapi.json`)).json()) as ApiDocument;
  const known = { node_key: keyOf('a'), endpoint: `8.8.8.8:${port}`, payout_address: addressOf('a') };
  const claim = await ask('a', `8.8.8.8:${port}`);
  const signatures = sign('b', claim.json.message!);
  const requests = [
    ...makeHostileRequests(document, {
      ...known,
      ...signatures,
      id: claim.json.id!,
      claim_id: claim.json.id!,
    }),
  ];
  expect(requests.length).toBeGreaterThan(500);
  expect(await findFaults(url, requests)).toEqual([]);
  expect(await countRows('registry_claim')).toBe(1);
  expect(await countRows('registry_node')).toBe(0);
  const written = log.join('\n');
  expect(written).not.toContain(signatures.node_signature.slice(0, 32));
  expect(written).not.toContain(signatures.address_signature.slice(0, 32));
}, 120_000);
