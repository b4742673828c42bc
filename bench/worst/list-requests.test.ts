import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { expect, onTestFinished, test } from 'vitest';
import { openPrecious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { createExplorerPart } from '../../service/src/parts/explorer/explorer-part.ts';
import { createFixtureServer } from '../../service/src/testing/fixture-server.ts';
import { createSigner } from '../../test/harness/signing-wallet.ts';
import { readDocuments } from '../worst.ts';
import { createBodyLists } from './list-bodies.ts';
import { listPages } from './list-pages.ts';
import {
  type ApiDocument,
  listChoices,
  listNeighbours,
  listRoutes,
  makeFresh,
  type SearchedRoute,
  targetOf,
  textBody,
} from './list-requests.ts';
import { listShopRoutes } from './list-shop-routes.ts';
import { listExamples, listFacts } from './search-facts.ts';

const profile = getShippedProfile('regtest');
const known = {
  profile,
  heavy: {
    blocks: ['0b'.repeat(32)],
    txids: ['0a'.repeat(32)],
    hub: new Uint8Array(22).fill(1),
    words: new Map<string, string>(),
    spendHub: () => ({ txid: new Uint8Array(32), hex: '00' }),
  },
  operations: {
    tokenIds: ['0c'.repeat(32)],
    names: ['worst-1.coin'],
    digest: '0d'.repeat(32),
    owner: createSigner('worst', profile),
    strangeOperation: { value: 0n, script: new Uint8Array() },
  },
  tipHeight: 200,
  shop: {
    ...{
      merchantId: `mer_${'0'.repeat(20)}`,
      apiKey: '',
      openIds: ['VP-000000000000'],
      overpaidIds: ['VP-222222222222'],
      underpaidIds: [],
      muchPaidId: 'VP-111111111111',
    },
    ...{ keyIds: [], webhookIds: [], deliveryIds: [], refundId: `ref_${'1'.repeat(20)}` },
  },
  nodes: { nodeKeys: ['0e'.repeat(32)], sequences: ['1'], statements: ['0f'.repeat(32)] },
  pool: { payee: 'payee' },
  tokens: { submissionId: `tms_${'1'.repeat(22)}`, logoSha256: '0f'.repeat(32) },
  treasury: { secret: '01'.repeat(32), intentId: `VI-${'1'.repeat(16)}`, txid: '0a'.repeat(32) },
};
const facts = listFacts(known);
const listBodies = createBodyLists(listExamples(known));

test('every operation of every document can be asked for, with its parameters and its body', () => {
  for (const [name, document] of readDocuments()) {
    const routes = listRoutes(name, document, facts, listBodies);
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(routes).toHaveLength(operations.length);
    for (const [i, route] of routes.entries()) {
      const target = targetOf(listChoices(route, 10, 1)[0]!);
      expect(target).not.toMatch(/[{}]/);
      expect(route.bodies.length > 0, route.name).toBe(operations[i]!.requestBody !== undefined);
    }
  }
});

test('every route of shops that has no document can be asked for, and none is left out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coinfront-routes-'));
  const precious = await openPrecious({ kind: 'sqlite', file: join(folder, 'front.db') }, preciousMigrations);
  const { app } = createFixtureServer({ precious });
  onTestFinished(async () => {
    await app.close();
    await precious.close();
    await rm(folder, { recursive: true });
  });
  const served: string[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.operation === undefined && method !== 'HEAD') served.push(`${method} ${url}`);
  });
  await app.ready();
  const listed = listShopRoutes(known.shop, {});
  const asRegistered = listed.map(({ name }) => name.replaceAll(/\{(\w+)\}/g, ':$1'));
  expect(served.length).toBeGreaterThan(15);
  expect(served.filter((name) => !asRegistered.includes(name))).toEqual([]);
  for (const [i, { method }] of listed.entries()) {
    const [, url = ''] = asRegistered[i]!.split(' ');
    expect(app.hasRoute({ method: method as 'GET', url }), asRegistered[i]).toBe(true);
  }
  for (const route of listed) expect(targetOf(listChoices(route, 10, 1)[0]!)).not.toMatch(/[{}]/);
});

test('every page of the explorer can be asked for, and none is left out', async () => {
  const pages = listPages(facts);
  for (const page of pages) expect(targetOf(listChoices(page, 10, 1)[0]!)).not.toMatch(/[{}:]/);
  const distDir = await mkdtemp(join(tmpdir(), 'coinfront-site-'));
  onTestFinished(() => rm(distDir, { recursive: true }));
  await mkdir(join(distDir, 'assets'));
  await writeFile(
    join(distDir, 'index.html'),
    '<head><!--head--></head><body><!--content--><!--data--></body>',
  );
  await writeFile(join(distDir, 'assets', 'base-1.js'), '');
  const { app } = createFixtureServer();
  onTestFinished(() => app.close());
  const served: string[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.operation === undefined && method === 'GET') served.push(url);
  });
  const coin = { name: profile.name, ticker: profile.ticker };
  createExplorerPart({ distDir, coin, publicUrl: undefined }).register(app);
  await app.ready();
  const listed = pages.map(({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1'));
  // Files of the pages and of the site are in memory.
  const isFile = (url: string) => url.startsWith('/assets/') || /^\/[\w-]+\.\w+$/.test(url);
  expect(served.filter((url) => !isFile(url)).sort()).toEqual(listed.sort());
});

const document: ApiDocument = {
  servers: [{ url: '/api' }],
  paths: {
    '/list/{id}': {
      get: {
        parameters: [
          { in: 'path', name: 'id', required: true, schema: { pattern: '^[a-z ]$' } },
          { in: 'query', name: 'limit', schema: { minimum: 1, maximum: 100, default: 25 } },
          { in: 'query', name: 'cursor', schema: {} },
        ],
      },
    },
  },
};

test('a route that cannot be asked for is an error, not left out', () => {
  expect(() => listRoutes('chain', document, {}, () => [])).toThrow(
    'GET /api/list/{id}: nothing is known that id could be.',
  );
});

test('choices are all combinations of the values; neighbours differ in one', () => {
  const [route] = listRoutes('chain', document, { id: ['a b', 'c'] }, () => []);
  const targets = listChoices(route!, 100, 1).map(targetOf);
  expect(targets.toSorted()).toEqual(
    ['/api/list/a%20b', '/api/list/c']
      .flatMap((path) => [path, `${path}?limit=1`, `${path}?limit=100`, `${path}?limit=25`])
      .toSorted(),
  );
  const start = listChoices(route!, 100, 1).find((choice) => targetOf(choice) === '/api/list/c?limit=1')!;
  expect(listNeighbours(start).map(targetOf).toSorted()).toEqual([
    '/api/list/a%20b?limit=1',
    '/api/list/c',
    '/api/list/c?limit=100',
    '/api/list/c?limit=25',
  ]);
});

test('of too many combinations some are taken by chance, the same for the same seed', () => {
  const [route] = listRoutes('chain', document, { id: [...'abcdefgh'] }, () => []);
  const taken = listChoices(route!, 10, 5).map(targetOf);
  expect(taken.length).toBeLessThanOrEqual(10);
  expect(taken.length).toBeGreaterThan(4);
  expect(listChoices(route!, 10, 5).map(targetOf)).toEqual(taken);
});

test('what a request uses up is made anew for each, in the place of the values and the body of its choice', async () => {
  let made = 0;
  const fresh = {
    name: 'something new',
    async make() {
      made += 1;
      return { values: { id: `fresh${made}` }, body: { number: made } };
    },
  };
  const [route] = listRoutes('chain', document, { id: ['a', 'b'] }, () => [], {
    'GET /api/list/{id}': [fresh],
  });
  const [used, ...others] = listChoices(route!, 100, 1);
  expect(others.every((choice) => choice.fresh === undefined)).toBe(true);
  for (const number of [1, 2]) {
    const choice = await makeFresh(used!);
    expect([targetOf(choice), choice.body!.bytes.toString()]).toEqual([
      `/api/list/fresh${number}`,
      JSON.stringify({ number }),
    ]);
  }
});

test('what brings its own body is not tried with those of its route, and its body goes as it is', async () => {
  const sent = textBody('a text', 'abc');
  const fresh = { name: 'a text', hasBody: true as const, make: async () => ({ sent }) };
  const route: SearchedRoute = {
    ...{ name: 'POST /tx', method: 'POST', path: '/tx', values: new Map() },
    bodies: [textBody('one', '1'), textBody('two', '2')],
    fresh: [fresh],
  };
  const [used, ...others] = listChoices(route, 100, 1);
  expect(others.map(({ body }) => body?.name)).toEqual(['one', 'two']);
  expect(listNeighbours(used!)).toEqual([]);
  expect((await makeFresh(used!)).body).toBe(sent);
});
