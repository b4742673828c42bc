import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findMismatches } from '../../service/src/testing/document-schemas.ts';
import { type ApiDocument, makeHostileRequests } from '../../service/src/testing/hostile-requests.ts';
import { findFaults } from '../../service/src/testing/send-hostile.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { makeTraffic } from '../harness/traffic.ts';

type Media = { schema: Record<string, unknown> };
type Document = ApiDocument & {
  paths: Record<string, { get?: { responses: Record<string, { content: Record<string, Media> }> } }>;
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
const documents: Record<string, Document> = {};

beforeAll(async () => {
  node = await startNode();
  const { blockHashes } = await makeTraffic(node, { seed: 11, blocks: 5, txPerBlock: 25 });
  blocks = await Promise.all(blockHashes.map((hash) => node.rpc<NodeBlock>('getblock', hash, 2)));
  await node.rpc('sendtoaddress', await node.newAddress('bech32'), 1.5);
  dataDir = await mkdtemp(join(tmpdir(), 'coinfront-contract-'));
  service = await startService({ nodeUrl: node.url, database: { kind: 'sqlite', dataDir } });
  await service.waitForMempool();
  for (const prefix of ['/api/v1', '/esplora']) {
    documents[prefix] = (await service.get(`${prefix}/openapi.json`)).json;
  }
});
afterAll(async () => {
  await service?.stop();
  await node?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The values that stand for the parameters of a path, in turn. */
async function listParameters(): Promise<Record<string, string>[]> {
  const pending = await node.rpc<string[]>('getrawmempool');
  const outputs = blocks.flatMap(({ tx }) =>
    tx.flatMap(({ vout }) => vout.map(({ scriptPubKey }) => scriptPubKey)),
  );
  const owners = new Map(
    outputs.flatMap(({ hex, addresses }) => (addresses?.length === 1 ? [[hex, addresses[0]!]] : [])),
  );
  return [
    ...blocks.map(({ hash, height }) => ({ id: hash, hash, height: String(height), index: '0' })),
    ...blocks.flatMap(({ tx }) => tx.map(({ txid }) => ({ txid, vout: '0' }))),
    // What is in the mempool has no proof.
    ...pending.map((txid) => ({ txid, vout: '0', pending: 'yes' })),
    ...[...owners].slice(0, checkedAddresses).map(([hex, address]) => {
      const scripthash = createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
      return { address, scripthash, q: address, last_seen_txid: blocks.at(-1)!.tx[0]!.txid };
    }),
    { q: '100' },
  ];
}

test.each(['/api/v1', '/esplora'])(
  'each answer of a real chain under %s fits its documented schema',
  async (prefix) => {
    const document = documents[prefix]!;
    const parameters = await listParameters();
    const problems: string[] = [];
    for (const [template, { get }] of Object.entries(document.paths)) {
      if (get === undefined) continue;
      const names = [...template.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!);
      if (template === '/search') names.push('q');
      const fitting = parameters.filter(
        (values) => names.every((name) => name in values) && !(values.pending && template.endsWith('proof')),
      );
      expect(fitting.length, template).toBeGreaterThan(0);
      for (const values of names.length === 0 ? [{}] : fitting) {
        const filled = template.replace(
          /\{([^}]+)\}/g,
          (_, name: string) => (values as Record<string, string>)[name]!,
        );
        const path = template === '/search' ? `${filled}?q=${(values as { q: string }).q}` : filled;
        const answer = await service.get(prefix + path);
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

test.each(['/api/v1', '/esplora'])(
  'no bad input under %s is a fault of the running service',
  async (prefix) => {
    const block = blocks.at(-1)!;
    const owned = block.tx
      .flatMap(({ vout }) => vout)
      .find(({ scriptPubKey }) => scriptPubKey.addresses?.length === 1);
    const known = {
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
    expect(await findFaults(service.origin, makeHostileRequests(documents[prefix]!, known))).toEqual([]);
    expect(service.printed()).not.toContain('request failed');
  },
  120_000,
);
