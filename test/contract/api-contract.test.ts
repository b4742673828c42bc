import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HDKey } from '@scure/bip32';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findMismatches } from '../../service/src/testing/document-schemas.ts';
import { type ApiDocument, makeHostileRequests } from '../../service/src/testing/hostile-requests.ts';
import { findFaults } from '../../service/src/testing/send-hostile.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { createTestMerchant, type TestMerchant } from '../harness/merchant.ts';
import { startService, type TestService } from '../harness/service.ts';
import { testProfile } from '../harness/test-coin.ts';
import { makeTraffic } from '../harness/traffic.ts';

type Media = { schema: Record<string, unknown> };
type Described = {
  parameters: { name: string; in: string; required?: boolean }[];
  responses: Record<string, { content: Record<string, Media> }>;
};
type Document = ApiDocument & {
  paths: Record<string, { get?: Described; post?: Described }>;
  components: { schemas: Record<string, unknown> };
};
type NodeBlock = {
  hash: string;
  height: number;
  tx: { txid: string; vout: { scriptPubKey: { hex: string; addresses?: string[] } }[] }[];
};

/** Addresses whose every answer is checked: enough for each kind of script of the traffic. */
const checkedAddresses = 60;

let node: TestNode;
let service: TestService;
let dataDir = '';
let blocks: NodeBlock[] = [];
let merchant: TestMerchant;
let payments: string[] = [];
const documents: Record<string, Document> = {};

beforeAll(async () => {
  node = await startNode();
  const { blockHashes } = await makeTraffic(node, { seed: 11, blocks: 5, txPerBlock: 25 });
  blocks = await Promise.all(blockHashes.map((hash) => node.rpc<NodeBlock>('getblock', hash, 2)));
  await node.rpc('sendtoaddress', await node.newAddress('bech32'), 1.5);
  dataDir = await mkdtemp(join(tmpdir(), 'coinfront-contract-'));
  const database = { kind: 'sqlite', dataDir } as const;
  service = await startService({ nodeUrl: node.url, database, settings: { COINFRONT_RICH_LIST: '1' } });
  merchant = await createTestMerchant(service, database);
  await service.waitForMempool();
  await waitUntil('there is a rich list', async () => (await service.get('/api/v1/rich')).status === 200);
  for (const prefix of ['/api/v1', '/esplora']) {
    documents[prefix] = (await service.get(`${prefix}/openapi.json`)).json;
  }
  payments = await makePayments();
});
afterAll(async () => {
  await service?.stop();
  await node?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** A wallet by its public key. */
const watched = HDKey.fromMasterSeed(new Uint8Array(32).fill(5), {
  public: testProfile.extendedPublicVersion,
  private: testProfile.extendedPrivateVersion,
}).publicExtendedKey;

/** A payment with money and one without, and one of the pool; their events have deliveries. */
async function makePayments(): Promise<string[]> {
  const addresses = [await node.newAddress(), await node.newAddress()];
  expect((await merchant.post('/api/v1/merchant/addresses', { addresses })).json.imported).toBe(2);
  const webhook = { url: 'https://books.example/hook', events: ['payment.paid'] };
  expect((await merchant.post('/api/v1/merchant/webhooks', webhook)).status).toBe(201);
  const common = { amount: '0.5', webhook_url: 'https://shop.example/hook' };
  const made = [
    await merchant.post('/api/v1/payments', { ...common, recipient: await node.newAddress() }),
    await merchant.post('/api/v1/payments', { ...common, recipient: await node.newAddress() }),
    await merchant.post('/api/v1/payments', { ...common, use_address_pool: true }),
  ];
  for (const { status, json } of made) {
    expect(status).toBe(201);
    const { schema } =
      documents['/api/v1']!.paths['/payments']!.post!.responses['201']!.content['application/json']!;
    expect(findMismatches(schema, documents['/api/v1']!, json)).toEqual([]);
  }
  await node.rpc('sendtoaddress', made[0]!.json.address, 0.5);
  await merchant.post(`/api/v1/payments/${made[1]!.json.id}/cancel`, {});
  await waitUntil('the money is seen', async () => {
    const { json } = await merchant.get(`/api/v1/payments/${made[0]!.json.id}`);
    return json.status === 'detected';
  });
  return made.map(({ json }) => json.id);
}

/** The values that stand for the parameters of a path, in turn. */
async function listParameters(): Promise<Record<string, string>[]> {
  const pending = await node.rpc<string[]>('getrawmempool');
  const outputs = blocks.flatMap(({ tx }) =>
    tx.flatMap(({ vout }) => vout.map(({ scriptPubKey }) => scriptPubKey)),
  );
  const owners = new Map(
    outputs.flatMap(({ hex, addresses }) => (addresses?.length === 1 ? [[hex, addresses[0]!]] : [])),
  );
  const { items: deliveries = [] } = (await merchant.get('/api/v1/merchant/deliveries')).json;
  const { items: webhooks = [] } = (await merchant.get('/api/v1/merchant/webhooks')).json;
  const { items: keys = [] } = (await merchant.get('/api/v1/merchant/keys')).json;
  return [
    ...payments.map((payment_id) => ({ payment_id })),
    ...deliveries.map(({ id }: { id: string }) => ({ delivery_id: id })),
    ...webhooks.map(({ id }: { id: string }) => ({ webhook_id: id })),
    ...keys.map(({ id }: { id: string }) => ({ key_id: id })),
    ...blocks.map(({ hash, height }) => ({ id: hash, hash, height: String(height), index: '0' })),
    ...blocks.flatMap(({ tx }) => tx.map(({ txid }) => ({ txid, vout: '0' }))),
    // What is in the mempool has no proof.
    ...pending.map((txid) => ({ txid, vout: '0', pending: 'yes' })),
    ...[...owners].slice(0, checkedAddresses).map(([hex, address]) => {
      const scripthash = createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
      return { address, scripthash, q: address, last_seen_txid: blocks.at(-1)!.tx[0]!.txid };
    }),
    { q: '100' },
    { number: '1' },
    { key: watched },
  ];
}

/** What a parameter is called where it has the values of another one. */
const sameAs: Record<string, string> = { txids: 'txid', 'txId[]': 'txid', prefix: 'address' };

/** What an operation must be told, by the name of its parameter; each stands for one of `listParameters`. */
function listNeeded({ parameters }: Described): { name: string; value: string; isQuery: boolean }[] {
  return parameters
    .filter((each) => each.in === 'path' || (each.in === 'query' && each.required))
    .map(({ name, in: place }) => ({ name, value: sameAs[name] ?? name, isQuery: place === 'query' }));
}

/** A path that is filled, with the query that is needed. */
function fill(template: string, described: Described, values: Record<string, string>): string {
  let path = template;
  const query = new URLSearchParams();
  for (const { name, value, isQuery } of listNeeded(described)) {
    if (isQuery) query.append(name, values[value]!);
    else path = path.replace(`{${name}}`, values[value]!);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

test.each(['/api/v1', '/esplora'])(
  'each answer of a real chain under %s fits its documented schema',
  async (prefix) => {
    const document = documents[prefix]!;
    const parameters = await listParameters();
    const problems: string[] = [];
    for (const [template, { get }] of Object.entries(document.paths)) {
      if (get === undefined) continue;
      const names = listNeeded(get).map(({ value }) => value);
      const fitting = parameters.filter(
        (values) => names.every((name) => name in values) && !(values.pending && template.endsWith('proof')),
      );
      expect(fitting.length, template).toBeGreaterThan(0);
      for (const values of names.length === 0 ? [{}] : fitting) {
        const path = fill(template, get, values);
        const answer = await merchant.get(prefix + path);
        const schema = get.responses['200']?.content['application/json']?.schema;
        if (answer.status !== 200) problems.push(`${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
        else if (schema !== undefined) {
          problems.push(...findMismatches(schema, document, answer.json).map((each) => `${path}: ${each}`));
        }
      }
    }
    expect(problems).toEqual([]);
  },
  120_000,
);

/** Where each document is; its own server says what its paths begin with. */
const documentPaths = [
  '/api/v1/openapi.json',
  '/api/v1/proof/openapi.json',
  '/api/v1/tok/openapi.json',
  '/api/vns/v1/openapi.json',
  '/api/nodeproof/openapi.json',
  '/api/treasury/openapi.json',
  '/esplora/openapi.json',
];

/** What is wrong with the ETag of an operation; undefined when it answers 304 exactly if it says so. */
async function findEtagFault(path: string, says304: boolean): Promise<string | undefined> {
  // The node may say something new between two questions.
  for (let attempt = 0; attempt < 5; attempt++) {
    const first = await merchant.get(path);
    const etag = first.headers.get('etag');
    // A registry without a closed epoch has no log.
    if (first.json?.code === 'log_empty') return undefined;
    if (first.status !== 200) return `${path}: ${first.status} ${first.text.slice(0, 200)}`;
    if (!says304) return etag === null ? undefined : `${path}: has an ETag that is not documented`;
    if (etag === null) return `${path}: has no ETag`;
    const again = await fetch(service.origin + path, { headers: { 'if-none-match': etag } });
    if (again.status === 304 && again.headers.get('etag') === etag) return undefined;
  }
  return `${path}: is sent again to whoever has it`;
}

test('each operation that documents 304 answers it to whoever names its ETag, and no other has one', async () => {
  const parameters = await listParameters();
  const faults: (string | undefined)[] = [];
  const asked: string[] = [];
  for (const documentPath of documentPaths) {
    const { paths, servers } = (await service.get(documentPath)).json;
    for (const [template, { get }] of Object.entries<{ get?: Described }>(paths)) {
      if (get === undefined) continue;
      const names = listNeeded(get).map(({ value }) => value);
      const values = parameters.find((each) => names.every((name) => name in each));
      // Tokens, names and nodes are not there: their lists are.
      const isOther = documents[servers[0].url] === undefined || documentPath.split('/').length > 4;
      if (values === undefined || (isOther && names.some((name) => name !== 'address'))) continue;
      asked.push(documentPath + template);
      const path = servers[0].url + fill(template, get, values);
      const needsKey = 'security' in get;
      if (!needsKey) faults.push(await findEtagFault(path, '304' in get.responses));
    }
  }
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  for (const path of ['/status', '/fee', '/search', '/pool', '/pool/blocks', '/tx/{txid}', '/openapi.json'])
    expect(asked).toContain(`/api/v1/openapi.json${path}`);
  expect(asked.length).toBeGreaterThan(70);
});

test.each(['/api/v1', '/esplora'])(
  'no bad input under %s is a fault of the running service',
  async (prefix) => {
    const block = blocks.at(-1)!;
    const owned = block.tx
      .flatMap(({ vout }) => vout)
      .find(({ scriptPubKey }) => scriptPubKey.addresses?.length === 1);
    const known = {
      payment_id: payments[0]!,
      recipient: await node.newAddress(),
      id: block.hash,
      hash: block.hash,
      height: String(block.height),
      index: '0',
      vout: '0',
      txid: block.tx[0]!.txid,
      last_seen_txid: block.tx[0]!.txid,
      address: owned!.scriptPubKey.addresses![0]!,
      scripthash: createHash('sha256').update(Buffer.from(owned!.scriptPubKey.hex, 'hex')).digest('hex'),
    };
    const credentials = { 'X-COIN-Pay-API-Key': merchant.apiKey };
    const requests = makeHostileRequests(documents[prefix]!, known, credentials);
    expect(await findFaults(service.origin, requests)).toEqual([]);
    expect(service.printed()).not.toContain('request failed');
  },
  120_000,
);
