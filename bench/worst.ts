import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { startBenchNode } from './bench-node.ts';
import { startReceiver } from './payments/receiver.ts';
import { startService, waitForTip } from './service-process.ts';
import type { StorageMaker } from './storage.ts';
import { brief, type Row } from './table.ts';
import { listAcceptedTransactions } from './worst/accepted-transactions.ts';
import { minePool, writePoolFiles } from './worst/busy-pool.ts';
import { openContributors } from './worst/contributors.ts';
import { type Coinbase, mineCoinbases, mineHeavyBlocks } from './worst/heavy-blocks.ts';
import { makeLargeShop } from './worst/large-shop.ts';
import { createBodyLists } from './worst/list-bodies.ts';
import { checkPages, listPages } from './worst/list-pages.ts';
import { type ApiDocument, listRoutes, type SearchedRoute, targetOf } from './worst/list-requests.ts';
import { listShopRoutes } from './worst/list-shop-routes.ts';
import { insertManyNodes, listFreshClaims, registrySettings } from './worst/many-nodes.ts';
import { createAsker, RATE_LIMIT } from './worst/measured-service.ts';
import { openPluginDesk } from './worst/plugin-desk.ts';
import { mineOperations } from './worst/protocol-blocks.ts';
import { type Known, listExamples, listFacts } from './worst/search-facts.ts';
import { cpuOfUnit, isRefusal, searchWorst, type Worst } from './worst/search-worst.ts';
import { createServiceClient } from './worst/service-client.ts';
import { openShopDesk } from './worst/shop-desk.ts';
import { openTokenDesk } from './worst/token-desk.ts';

const COINBASES = 40;
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
 *
 * @param only routes whose names have it, or one of several texts between commas
 */
export async function measureWorst(storages: StorageMaker, only: string | undefined): Promise<Row[]> {
  const profile = getShippedProfile('regtest');
  await using started = new AsyncDisposableStack();
  const nodeDir = await mkdtemp(join(tmpdir(), 'coinfront-worst-'));
  started.defer(() => rm(nodeDir, { recursive: true, force: true }));
  const node = await startBenchNode({ dataDir: nodeDir });
  started.defer(node.stop);
  const receiver = await startReceiver();
  started.defer(receiver.close);
  const poolFolder = await mkdtemp(join(tmpdir(), 'coinfront-worst-pool-'));
  started.defer(() => rm(poolFolder, { recursive: true, force: true }));
  const storage = await storages.open();
  started.defer(storage.drop);

  console.error('worst: making the chain');
  const coinbases = await mineCoinbases(node, COINBASES);
  const takeCoinbase = (): Coinbase => {
    const coinbase = coinbases.shift();
    if (coinbase === undefined) throw new Error(`All ${COINBASES} coinbases are spent: mine more.`);
    return coinbase;
  };
  const merchant = { profile, webhookUrl: receiver.url };
  const pool = await minePool(node, profile);
  const operations = await mineOperations(node, profile, takeCoinbase);
  const shop = await makeLargeShop(node, storage, takeCoinbase, merchant);
  const nodes = await insertManyNodes(storage, profile);
  await writePoolFiles(poolFolder, profile);
  const heavy = await mineHeavyBlocks(node, takeCoinbase, operations.strangeOperation);

  const service = await startService(node.url, storage, {
    COINFRONT_RATE_LIMIT: String(RATE_LIMIT),
    COINFRONT_TRUST_PROXY: 'loopback',
    COINFRONT_BODY_CACHE_MB: '0',
    COINFRONT_PUBLIC_URL: 'https://coin.example',
    // Made once, before anything is measured.
    COINFRONT_RICH_LIST: '100000',
    COINFRONT_WEBHOOK_ALLOW: 'loopback',
    COINFRONT_POOL_SOURCE: `ckpool:${poolFolder}`,
    ...registrySettings,
  });
  started.defer(service.stop);
  const waitForNode = async () =>
    await waitForTip(service, await node.rpc('getbestblockhash'), {
      pollMs: 200,
      timeoutMs: SYNC_TIMEOUT_MS,
    });
  await waitForNode();
  await checkPages(service);

  console.error('worst: making what the routes need');
  const asMerchant = {
    'x-coin-pay-api-key': shop.apiKey,
    // As plugins send it, and a browser a form of ours.
    authorization: `token ${shop.apiKey}`,
    'sec-fetch-site': 'same-origin',
  };
  const client = createServiceClient(service, asMerchant);
  const treasury = await openContributors(client, node, takeCoinbase, profile);
  const tokens = await openTokenDesk(client, storage, operations);
  const desk = await openShopDesk(client, shop, merchant);
  const plugins = await openPluginDesk(client, shop, merchant);
  await waitForNode();

  const tipHeight = await node.rpc<number>('getblockcount');
  const known = {
    profile,
    heavy,
    operations,
    tipHeight,
    shop: { ...shop, ...desk },
    nodes,
    pool,
    tokens,
    treasury,
  };
  const facts = listFacts(known);
  const listBodies = createBodyLists(listExamples(known));
  const fresh = {
    ...listFreshClaims(client),
    ...treasury.fresh,
    ...tokens.fresh,
    ...desk.fresh,
    ...listAcceptedTransactions(heavy.spendHub),
  };
  const documented = [...readDocuments()].flatMap(([name, document]) =>
    listRoutes(name, document, facts, listBodies, fresh),
  );
  const routes = [...documented, ...listShopRoutes({ ...shop, ...plugins }, plugins.fresh)];
  const asker = createAsker(service, asMerchant);
  started.defer(async () => asker.close());
  const found: Worst[] = [];
  for (const [i, route] of [...withDeletionsLast(routes), ...listPages(facts)].entries()) {
    if (only !== undefined && !only.split(',').some((text) => route.name.includes(text))) continue;
    const worst = await searchWorst(route, asker, i).catch((error: Error) => error);
    if (worst instanceof Error) {
      console.error(`${route.name} could not be searched: ${worst.message}`);
      process.exitCode = 1;
      continue;
    }
    console.error(`${route.name}: ${describe(worst, known).figures}`);
    found.push(worst);
  }
  console.error(`\n${describeRefusals(found)}`);
  return found
    .toSorted((a, b) => cpuOfUnit(b.cost) - cpuOfUnit(a.cost))
    .map((worst) => describe(worst, known));
}

/** What a request deletes is gone for all that come after it. */
function withDeletionsLast(routes: readonly SearchedRoute[]): SearchedRoute[] {
  const { true: deleting = [], false: others = [] } = Object.groupBy(routes, ({ method }) => {
    return method === 'DELETE' ? 'true' : 'false';
  });
  return [...others, ...deleting];
}

/** Which routes have a refusal as their dearest request, and of which nothing else was seen. */
function describeRefusals(found: readonly Worst[]): string {
  const refused = found.filter(({ cost }) => isRefusal(cost));
  return [
    `Of ${found.length} routes a refusal was the dearest request of ${refused.length}:`,
    ...refused.map(
      ({ choice, cost, isEverServed }) =>
        `  ${cost.status} ${choice.route.name}${isEverServed ? '' : ', never anything else'}`,
    ),
  ].join('\n');
}

function describe({ choice, cost, tried }: Worst, { heavy, operations, pool, shop, profile }: Known): Row {
  const words = new Map(heavy.words)
    .set(encodeAddress(heavy.hub, profile)!, '132,000 outputs')
    .set(operations.owner.address, 'owner of tokens and names')
    .set(pool.payee, '50,000 payouts')
    .set(shop.muchPaidId, 'paid 20,000 times');
  const target = targetOf(choice).replaceAll(/[0-9a-f]{64}|rltc1[0-9a-z]+|VP-[0-9A-Z]{12}/g, (id) =>
    words.has(id) ? `{${words.get(id)}}` : `${id.slice(0, 8)}…`,
  );
  const made = [choice.fresh?.name, choice.body?.name].filter((name) => name !== undefined);
  const details = [target.slice(0, LONGEST_TARGET), ...made, String(cost.status)].join(', ');
  return {
    measure: choice.route.name,
    ratio: brief(cpuOfUnit(cost) / BOUND_MS),
    bound: `< ${BOUND_MS} ms a unit`,
    figures: `${brief(cpuOfUnit(cost))} ms and ${brief(cost.bytes / cost.units / 1_000)} kB a unit; ${brief(cost.cpuMs)} ms, ${brief(cost.units)} units`,
    how: `worst of ${tried}: ${details}`,
  };
}
