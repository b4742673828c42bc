import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { openPrecious } from '../service/src/db/precious.ts';
import { preciousMigrations } from '../service/src/migrations.ts';
import { createMerchant } from '../service/src/parts/payments/merchants/merchant-store.ts';
import { startBenchNode } from './bench-node.ts';
import { createRandom } from './chain/random.ts';
import { insertOpenPayments } from './payments/open-payments.ts';
import { startService, waitForTip } from './service-process.ts';
import type { StorageMaker } from './storage.ts';
import { brief, type Row } from './table.ts';
import { type Coinbase, mineCoinbases, mineHeavyBlocks } from './worst/heavy-blocks.ts';
import { createBodyLists } from './worst/list-bodies.ts';
import { listPages } from './worst/list-pages.ts';
import { type ApiDocument, listRoutes, targetOf } from './worst/list-requests.ts';
import { createAsker, RATE_LIMIT } from './worst/measured-service.ts';
import { mineOperations } from './worst/protocol-blocks.ts';
import { type Known, listExamples, listFacts } from './worst/search-facts.ts';
import { cpuOfUnit, searchWorst, type Worst } from './worst/search-worst.ts';

const COINBASES = 20;
const PAYMENTS = 5_000;
const BOUND_MS = 50;
const SYNC_TIMEOUT_MS = 300_000;
const LONGEST_TARGET = 90;
const DOCUMENTS = new URL('../docs/openapi/', import.meta.url);

/** The documents of the API, by the name of the part. */
export function readDocuments(): Map<string, ApiDocument> {
  return new Map(
    readdirSync(DOCUMENTS).map((file) => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(new URL(file, DOCUMENTS), 'utf8')) as ApiDocument,
    ]),
  );
}

/**
 * The dearest request of every route that there is, found by search over its parameters on a chain that strangers made: CPU of the
 * main thread for each request unit that it costs, dearest first. Answers are made anew.
 */
export async function measureWorst(storages: StorageMaker, only: string | undefined): Promise<Row[]> {
  const profile = getShippedProfile('regtest');
  await using started = new AsyncDisposableStack();
  const nodeDir = await mkdtemp(join(tmpdir(), 'coinfront-worst-'));
  started.defer(() => rm(nodeDir, { recursive: true, force: true }));
  const node = await startBenchNode({ dataDir: nodeDir });
  started.defer(node.stop);
  console.error('worst: making the chain');
  const coinbases = await mineCoinbases(node, COINBASES);
  const takeCoinbase = (): Coinbase => coinbases.shift()!;
  const operations = await mineOperations(node, profile, takeCoinbase);
  const heavy = await mineHeavyBlocks(node, takeCoinbase, operations.strangeOperation);
  const tipHeight = await node.rpc<number>('getblockcount');

  const storage = await storages.open();
  started.defer(storage.drop);
  const { apiKey, paymentIds } = await fillPayments(storage, tipHeight);
  const service = await startService(node.url, storage, {
    COINFRONT_RATE_LIMIT: String(RATE_LIMIT),
    COINFRONT_TRUST_PROXY: 'loopback',
    COINFRONT_BODY_CACHE_MB: '0',
  });
  started.defer(service.stop);
  await waitForTip(service, await node.rpc('getbestblockhash'), {
    pollMs: 200,
    timeoutMs: SYNC_TIMEOUT_MS,
  });

  const known = { profile, heavy, operations, tipHeight, paymentIds };
  const facts = listFacts(known);
  const listBodies = createBodyLists(listExamples(known));
  const routes = [...readDocuments()].flatMap(([name, document]) =>
    listRoutes(name, document, facts, listBodies),
  );
  const asker = createAsker(service, { 'x-coin-pay-api-key': apiKey });
  started.defer(async () => asker.close());
  const found: Worst[] = [];
  for (const [i, route] of [...routes, ...listPages(facts)].entries()) {
    if (only !== undefined && !route.name.includes(only)) continue;
    const worst = await searchWorst(route, asker, i);
    console.error(`${route.name}: ${describe(worst, known).figures}`);
    found.push(worst);
  }
  return found
    .toSorted((a, b) => cpuOfUnit(b.cost) - cpuOfUnit(a.cost))
    .map((worst) => describe(worst, known));
}

function describe({ choice, cost, tried }: Worst, { heavy, operations, profile }: Known): Row {
  const words = new Map(heavy.words)
    .set(encodeAddress(heavy.hub, profile)!, '132,000 outputs')
    .set(operations.owner.address, 'owner of tokens and names');
  const target = targetOf(choice).replaceAll(/[0-9a-f]{64}|rltc1[0-9a-z]+/g, (id) =>
    words.has(id) ? `{${words.get(id)}}` : `${id.slice(0, 8)}…`,
  );
  const body = choice.body === undefined ? '' : `, ${choice.body.name}`;
  return {
    measure: choice.route.name,
    ratio: brief(cpuOfUnit(cost) / BOUND_MS),
    bound: `< ${BOUND_MS} ms a unit`,
    figures: `${brief(cpuOfUnit(cost))} ms and ${brief(cost.bytes / cost.units / 1_000)} kB a unit; ${brief(cost.cpuMs)} ms, ${brief(cost.units)} units`,
    how: `worst of ${tried}: ${target.slice(0, LONGEST_TARGET)}${body}, ${cost.status}`,
  };
}

async function fillPayments(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl?: string },
  tipHeight: number,
): Promise<{ apiKey: string; paymentIds: string[] }> {
  const precious = await openPrecious(
    databaseUrl === undefined
      ? { kind: 'sqlite', file: join(dataDir, 'front.db') }
      : { kind: 'postgres', url: databaseUrl },
    preciousMigrations,
  );
  try {
    const merchant = { name: 'Worst', webhookUrl: null, poolLowThreshold: 0 };
    const { id, apiKey } = await createMerchant(precious, merchant, Date.now());
    const options = { merchantId: id, count: PAYMENTS, tipHeight, random: createRandom(31) };
    const open = await insertOpenPayments(precious, options);
    return { apiKey, paymentIds: open.map((payment) => payment.id) };
  } finally {
    await precious.close();
  }
}
