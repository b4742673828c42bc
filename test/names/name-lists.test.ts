import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { createSigner, fundSigners } from '../harness/signing-wallet.ts';
import { commitTo, type NameDesk, openNameDesk, registerOf, signOperation } from './name-desk.ts';
import { shortLivedProfile } from './name-profile.ts';

// Maturity 3, period 20, grace 8, premium over 10 blocks.
const PRICE = 10_000_000n;

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(130);
});
afterAll(() => node.stop());

forEachEngine('lists of names', (engine) => {
  const { kind } = engine;
  const ann = createSigner(`ann ${kind}`, shortLivedProfile);
  const ben = createSigner(`ben ${kind}`, shortLivedProfile, 'p2pkh');
  /** Of this engine alone: both follow the same chain. */
  const start = kind.slice(0, 4);
  const [abba, abel, cain] = ['abba', 'abel', 'cain'].map((label) => `${start}-${label}.coin`) as [
    string,
    string,
    string,
  ];
  let desk: NameDesk;
  /** When the first two are registered. */
  let height = 0;

  beforeAll(async () => {
    await fundSigners(node, [ann, ben], 20);
    desk = await openNameDesk(node, await engine.openUrl());
    const committed = await desk.mine(
      signOperation(ann, commitTo(ann, abba)),
      signOperation(ben, commitTo(ben, abel)),
      signOperation(ann, commitTo(ann, cain)),
    );
    await desk.mineTo(committed + 2);
    height = await desk.mine(
      signOperation(ben, registerOf(abel), { paid: PRICE }),
      signOperation(ann, registerOf(abba), { paid: PRICE }),
    );
    await desk.mine(signOperation(ann, registerOf(cain, 2), { paid: 2n * PRICE }));
  });
  afterAll(() => desk.stop());

  /** All pages of a list, one name on each. */
  const walk = async (path: string): Promise<{ name: string; [field: string]: unknown }[]> => {
    const found = [];
    let cursor: string | null = null;
    do {
      const page = `${path}${path.includes('?') ? '&' : '?'}limit=1${cursor === null ? '' : `&cursor=${cursor}`}`;
      const { json, status } = await desk.get(page);
      expect(status, JSON.stringify(json)).toBe(200);
      found.push(...json.items);
      cursor = json.next_cursor;
    } while (cursor !== null);
    return found;
  };
  const namesIn = async (path: string) =>
    (await walk(path)).map(({ name }) => name).filter((name) => name.startsWith(start));

  test('give all names in their order, and those of a beginning', async () => {
    expect(await namesIn('/names')).toEqual([abba, abel, cain]);
    expect(await namesIn(`/names?prefix=${start}-ab`)).toEqual([abba, abel]);
    expect(await namesIn(`/names?prefix=${abel}`)).toEqual([abel]);
    expect(await namesIn(`/names?prefix=${start}-x`)).toEqual([]);
    const [first] = (await desk.get(`/names?prefix=${abel}`)).json.items;
    expect(first).toMatchObject({
      name: abel,
      state: 'registered',
      resolves: true,
      owner: { address: ben.address },
      registered_by_owner: true,
      expiry: { height: height + 20, estimated: true },
    });
  });

  test('refuse what is no beginning, and the cursor of another list', async () => {
    expect((await desk.get('/names?prefix=Ab')).json.code).toBe('invalid_parameter');
    const { next_cursor } = (await desk.get(`/names?prefix=${start}&limit=1`)).json;
    expect((await desk.get(`/names?cursor=${next_cursor}`)).json.code).toBe('invalid_cursor');
    expect((await desk.get(`/expiring?cursor=${next_cursor}`)).json.code).toBe('invalid_cursor');
  });

  test('say which expire within so many blocks, the first first, to the block', async () => {
    const tip = height + 1;
    expect(await namesIn(`/expiring?within=${height + 19 - tip}`)).toEqual([]);
    expect(await namesIn(`/expiring?within=${height + 20 - tip}`)).toEqual([abba, abel]);
    expect(await namesIn(`/expiring?within=40`)).toEqual([abba, abel, cain]);
    expect(await namesIn(`/expiring?within=27&ends=grace`)).toEqual([abba, abel]);
    const { json } = await desk.get('/expiring?within=27&ends=grace');
    expect(json).toMatchObject({ ends: 'grace', last_height: tip + 27, as_of: { height: tip } });
    expect(json.items.find(({ name }: { name: string }) => name === abba)).toMatchObject({
      expiry: { height: height + 20 },
      ends_at: { height: height + 28, estimated: true },
    });
  });

  test('are found from nothing but the host', async () => {
    const headers = { origin: 'https://wallet.example' };
    const response = await fetch(`${desk.service.origin}/.well-known/coin-names`, { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('content-type')).toContain('application/json');
    const document = (await response.json()) as Record<string, string>;
    expect(document).toMatchObject({
      version: 1,
      genesis_hash: shortLivedProfile.genesisHash,
      tlds: ['coin', 'test'],
    });
    const resolve = new URL(document.resolve!.replace('{name}', abel), response.url);
    expect(await (await fetch(resolve)).json()).toMatchObject({ name: abel, address: ben.address });
    const owned = new URL(document.names_of!.replace('{address}', ben.address), response.url);
    expect((await (await fetch(owned)).json()) as object).toMatchObject({ items: [{ name: abel }] });
    expect((await fetch(new URL(document.status!, response.url))).status).toBe(200);
  });

  test('follow a name through its states', async () => {
    const inState = (state: string) => namesIn(`/names?prefix=${start}&state=${state}`);
    await desk.mineTo(height + 19);
    expect(await inState('registered')).toEqual([abba, abel, cain]);
    await desk.mineTo(height + 20);
    expect(await inState('registered')).toEqual([cain]);
    expect(await inState('grace')).toEqual([abba, abel]);
    expect(await namesIn('/expiring?within=8&ends=grace')).toEqual([abba, abel]);

    const renewal = { kind: 'renew', periods: 1, name: abel } as const;
    const renewed = await desk.mine(signOperation(ann, renewal, { paid: PRICE }));
    expect(await inState('grace')).toEqual([abba]);
    expect(await inState('registered')).toEqual([abel, cain]);
    expect(await namesIn('/expiring?within=40')).toEqual([abel, cain]);

    // Without the block of the renewal.
    await node.rpc('invalidateblock', await node.rpc('getblockhash', renewed));
    await desk.mine();
    await desk.mine();
    expect(await inState('grace')).toEqual([abba, abel]);
    expect(await namesIn('/expiring?within=40')).toEqual([cain]);

    await desk.mineTo(height + 28);
    expect(await inState('premium')).toContain(abba);
    await desk.mineTo(height + 38);
    expect(await inState('premium')).not.toContain(abba);
    expect(await inState('lapsed')).toContain(abba);
    expect(await namesIn('/expiring?within=1000')).not.toContain(abba);
  });
});
