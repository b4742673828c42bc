import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { createTestMerchant } from '../harness/merchant.ts';
import type { ServiceAnswer } from '../harness/service.ts';
import { createSigner, fundSigners, type Signer } from '../harness/signing-wallet.ts';
import { commitTo, type NameDesk, openNameDesk, registerOf, signOperation } from './name-desk.ts';
import { shortLivedProfile } from './name-profile.ts';

// Maturity 3, lifetime 12, period 20, at most 3 periods, grace 8, premium 10 coins over 10 blocks.
const PRICE = 10_000_000n;
const SINGLE_ANYONECANPAY = 0x83;

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(130);
});
afterAll(() => node.stop());

forEachEngine('a name', (engine) => {
  const { kind } = engine;
  const ann = createSigner(`ann ${kind}`, shortLivedProfile);
  const ben = createSigner(`ben ${kind}`, shortLivedProfile, 'p2pkh');
  const cat = createSigner(`cat ${kind}`, shortLivedProfile, 'p2sh-p2wpkh');
  let desk: NameDesk;
  let database: Awaited<ReturnType<typeof engine.openUrl>>;

  beforeAll(async () => {
    await fundSigners(node, [ann, ben, cat], 60);
    database = await engine.openUrl();
    desk = await openNameDesk(node, database);
  });
  afterAll(() => desk.stop());

  const nameOf = (label: string) => `${label}-${kind}.coin`;
  const lastReasons = async (count: number): Promise<(string | null)[]> => {
    const { json } = await desk.get(`/operations?limit=${count}`);
    return json.items.map(({ reason }: { reason: string | null }) => reason).reverse();
  };
  const register = async (signer: Signer, name: string, paid = PRICE): Promise<number> => {
    const height = await desk.mine(signOperation(signer, commitTo(signer, name)));
    await desk.mineTo(height + 2);
    return await desk.mine(signOperation(signer, registerOf(name), { paid }));
  };

  test('is committed to, revealed, transferred, expires, is renewed by a stranger, lapses, and is had again', async () => {
    const name = nameOf('life');
    expect((await desk.get(`/availability/${name}`)).json).toMatchObject({
      name,
      available: true,
      status: 'free',
      cost: { per_period: '0.10000000', premium: '0.00000000', total: '0.10000000' },
      premium_decay: null,
    });
    expect((await desk.get(`/name/${name}`)).json.code).toBe('name_not_found');

    const committed = await desk.mine(signOperation(ann, commitTo(ann, name)));
    const { if_committed_now } = (await desk.get(`/availability/${name}`)).json;
    expect(if_committed_now.register_from).toMatchObject({ height: committed + 1 + 3, estimated: true });
    // Early, for another sender, and for too little.
    await desk.mine(signOperation(ann, registerOf(name), { paid: PRICE }));
    await desk.mine(
      signOperation(ben, registerOf(name), { paid: PRICE }),
      signOperation(ann, registerOf(name, 4), { paid: PRICE * 4n }),
    );
    const height = await desk.mine(
      signOperation(ann, registerOf(name), { paid: PRICE - 1n }),
      signOperation(ann, registerOf(name), { paid: PRICE }),
    );
    expect(height).toBe(committed + 3);
    expect(await lastReasons(6)).toEqual([
      null,
      'commit_immature',
      'commit_missing',
      'periods_too_many',
      'fee_too_low',
      null,
    ]);
    const expiry = height + 20;
    const resolved = await desk.get(`/resolve/${name}`);
    expect(resolved.json).toMatchObject({
      name,
      address: ann.address,
      expiry: { height: expiry, estimated: true },
    });
    expect(resolved.headers.get('x-chain-height')).toBe(String(height));
    const headerAt = async (at: number) =>
      await node.rpc<{ time: number; hash: string }>(
        'getblockheader',
        await node.rpc<string>('getblockhash', at),
      );
    const block = await headerAt(height);
    // Times to come are told from the blocks that were observed; while there are few, from what the coin aims at.
    const interval = height < 144 ? 150 : (block.time - (await headerAt(height - 144)).time) / 144;
    expect([height < 144, interval > 0]).toEqual([kind === 'sqlite', true]);
    const detail = (await desk.get(`/name/${name}`)).json;
    expect(detail).toMatchObject({
      as_of: { height, hash: block.hash },
      state: 'registered',
      resolves: true,
      registered_by_owner: true,
      owner: { address: ann.address },
      registered: { height, time: new Date(block.time * 1000).toISOString(), estimated: false },
      expiry: {
        height: expiry,
        time: new Date((block.time + Math.round(20 * interval)) * 1000).toISOString(),
        estimated: true,
      },
      grace_ends: { height: expiry + 8 },
      premium_ends: { height: expiry + 18 },
    });
    expect(detail.history.items[0]).toMatchObject({
      kind: 'register',
      valid: true,
      paid: '0.10000000',
      expiry,
    });
    expect((await desk.service.get(`/api/v1/search?q=${name}`)).json.items).toEqual([
      { kind: 'name', id: name, path: `/api/vns/v1/name/${name}` },
    ]);
    const suggested = { kind: 'name', id: name, label: name, path: `/api/vns/v1/name/${name}` };
    for (const [start, found] of [
      [name.slice(0, 6).toUpperCase(), [suggested]],
      [name, [suggested]],
      [`${name}x`, []],
      ['%', []],
    ] as const) {
      const path = `/api/v1/search/suggestions?q=${encodeURIComponent(start)}`;
      expect((await desk.service.get(path)).json.items).toEqual(found);
    }

    // Only its owner moves it, by a signature over everything, and by one payload.
    const transfer = { kind: 'transfer', toVout: 1, name } as const;
    await desk.mine(
      signOperation(ben, transfer),
      signOperation(ann, transfer, { to: cat, sighash: SINGLE_ANYONECANPAY }),
      signOperation(ann, transfer, { to: cat, again: true }),
      signOperation(ann, { ...transfer, toVout: 0 }, { to: cat }),
      signOperation(ann, { ...transfer, toVout: 9 }, { to: cat }),
      signOperation(ann, transfer, { to: ben }),
    );
    expect(await lastReasons(6)).toEqual([
      'not_owner',
      'sender_sighash',
      'several_payloads',
      'output_is_carrier',
      'output_missing',
      null,
    ]);
    expect((await desk.get(`/resolve/${name}`)).json.address).toBe(ben.address);
    expect((await desk.get(`/address/${ann.address}`)).json.items).toEqual([]);
    expect((await desk.get(`/address/${ben.address}`)).json.items).toMatchObject([
      { name, state: 'registered', resolves: true, registered_by_owner: false },
    ]);
    const history = (await desk.get(`/name/${name}`)).json.history.items;
    expect(history.map(({ kind, reason }: { kind: string; reason: string }) => [kind, reason])).toEqual([
      ['transfer', null],
      ['transfer', 'output_missing'],
      ['transfer', 'output_is_carrier'],
      ['transfer', 'sender_sighash'],
      ['transfer', 'not_owner'],
      ['register', null],
      ['register', 'fee_too_low'],
      ['register', 'periods_too_many'],
      ['register', 'commit_missing'],
      ['register', 'commit_immature'],
    ]);

    // The last block in which it resolves, and the first in which it does not.
    await desk.mineTo(expiry - 1);
    expect((await desk.get(`/resolve/${name}`)).status).toBe(200);
    await desk.mine(signOperation(ben, transfer, { to: ann }), signOperation(cat, commitTo(cat, name)));
    const unresolved = await desk.get(`/resolve/${name}`);
    expect([unresolved.status, unresolved.json.code]).toEqual([404, 'name_not_resolved']);
    expect(unresolved.json.detail).toContain(`expired at height ${expiry}`);
    expect((await desk.get(`/name/${name}`)).json).toMatchObject({ state: 'grace', resolves: false });
    expect((await desk.get(`/availability/${name}`)).json).toMatchObject({
      available: false,
      status: 'grace',
      available_from: { height: expiry + 8, estimated: true },
      premium_decay: {
        start_amount: '10.00000000',
        starts: { height: expiry + 8 },
        ends: { height: expiry + 18 },
      },
      if_committed_now: {
        register_from: { height: expiry + 8 },
        premium: '10.00000000',
        total: '10.10000000',
      },
    });
    expect((await desk.get(`/address/${ben.address}`)).json.items).toMatchObject([
      { name, state: 'grace', resolves: false },
    ]);
    await desk.mineTo(expiry + 2);
    // A stranger renews it, in its grace, for its owner.
    await desk.mine(
      signOperation(cat, registerOf(name), { paid: PRICE * 200n }),
      signOperation(cat, { kind: 'renew', periods: 1, name }, { paid: PRICE }),
    );
    expect(await lastReasons(3)).toEqual([null, 'name_in_grace', null]);
    expect((await desk.get(`/resolve/${name}`)).json).toMatchObject({
      address: ben.address,
      expiry: { height: expiry + 20 },
    });

    // It lapses: whoever comes pays the premium, which falls.
    const free = expiry + 28;
    await desk.mineTo(free - 5);
    await desk.mine(signOperation(cat, commitTo(cat, name)));
    await desk.mineTo(free - 1);
    expect((await desk.get(`/availability/${name}`)).json).toMatchObject({
      available: true,
      status: 'premium',
      height: free,
      cost: { premium: '10.00000000', total: '10.10000000' },
    });
    await desk.mine(
      signOperation(ben, { kind: 'renew', periods: 1, name }, { paid: PRICE }),
      signOperation(cat, registerOf(name), { paid: PRICE * 101n - 1n }),
    );
    expect(await lastReasons(2)).toEqual(['name_lapsed', 'fee_too_low']);
    expect((await desk.get(`/availability/${name}`)).json.cost.premium).toBe('9.00000000');
    const again = await desk.mine(signOperation(cat, registerOf(name), { paid: PRICE * 91n }));
    expect((await desk.get(`/name/${name}`)).json).toMatchObject({
      state: 'registered',
      owner: { address: cat.address },
      registered_by_owner: true,
      registered: { height: again },
      expiry: { height: again + 20 },
    });

    // Its life, newest first: what lies ahead, what was done, and what became of it meanwhile.
    const events = [];
    let cursor: string | null = null;
    do {
      const page = await desk.get(
        `/name/${name}/timeline?limit=1${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      events.push(...page.json.items);
      cursor = page.json.next_cursor;
    } while (cursor !== null);
    expect(
      events.map(({ kind, at, owner }) => [kind, at.height, at.estimated, owner?.address ?? null]),
    ).toEqual([
      ['lapsed', again + 38, true, null],
      ['released', again + 28, true, null],
      ['expired', again + 20, true, null],
      ['registered', again, false, cat.address],
      ['released', expiry + 28, false, null],
      ['expired', expiry + 20, false, null],
      ['renewed', expiry + 3, false, null],
      ['expired', expiry, false, null],
      ['transferred', height + 1, false, ben.address],
      ['registered', height, false, ann.address],
    ]);
    expect(events.at(-2)).toMatchObject({ sender: { address: ann.address }, expiry, periods: null });
    expect((await desk.get(`/name/${name}/timeline`)).json).toMatchObject({
      items: events,
      next_cursor: null,
    });
    expect((await desk.get(`/name/never-${name}/timeline`)).json.code).toBe('name_not_found');
  });

  test('belongs to the first of two valid reveals; the loser is told why', async () => {
    const name = nameOf('race');
    await desk.mine(signOperation(ann, commitTo(ann, name)), signOperation(ben, commitTo(ben, name)));
    await desk.mineTo((await node.rpc<number>('getblockcount')) + 2);
    await desk.mine(
      signOperation(ben, registerOf(name), { paid: PRICE }),
      signOperation(ann, registerOf(name), { paid: PRICE }),
    );
    expect(await lastReasons(2)).toEqual([null, 'name_taken']);
    expect((await desk.get(`/resolve/${name}`)).json.address).toBe(ben.address);
  });

  test('is paid by its name, for as long as it resolves', async () => {
    const name = nameOf('shop');
    await register(ann, name);
    const merchant = await createTestMerchant(desk.service, database);
    const pay = (recipient: string) => merchant.post('/api/v1/payments', { amount: '0.5', recipient });
    const payment = await pay(name);
    expect(payment.status).toBe(201);
    expect(payment.json).toMatchObject({ recipient: name, address: ann.address, status: 'open' });
    expect((await pay(nameOf('nobody'))).json.code).toBe('recipient_unresolved');
    expect((await pay('Upper.coin')).json.code).toBe('recipient_unresolved');
  });

  test('goes with its block when that is replaced, and with it everything that is read', async () => {
    const name = nameOf('fork');
    const before = (await desk.get('/status')).json;
    const height = await register(ann, name);
    const after = (await desk.get('/status')).json;
    expect(after.totals).toMatchObject({
      names: before.totals.names + 1,
      operations: before.totals.operations + 2,
    });
    expect((await desk.get('/series')).json).toEqual({
      as_of: after.as_of,
      points: expect.arrayContaining([
        { height: 0, time: expect.any(String), registered: 0, names: 0 },
        { height, time: expect.any(String), registered: after.totals.registered, names: after.totals.names },
      ]),
    });
    expect((await desk.get('/series?points=2')).json.points).toHaveLength(2);
    const { points } = (await desk.get('/series')).json;
    const within = points.filter(
      (point: { height: number }) => point.height >= before.as_of.height - 40 && point.height < height,
    );
    const [{ height: from }, { height: to }] = [within[0], within.at(-1)];
    expect(within.length).toBeGreaterThan(2);
    expect((await desk.get(`/series?from_height=${from}&to_height=${to}`)).json.points).toEqual(within);
    expect((await desk.get('/series?range=1d&to_height=9')).json.code).toBe('invalid_parameter');
    const hash = await node.rpc<string>('getblockhash', height);
    await node.rpc('invalidateblock', hash);
    await desk.mine();
    expect((await desk.get(`/resolve/${name}`)).json.code).toBe('name_not_resolved');
    expect((await desk.get(`/name/${name}`)).json.code).toBe('name_not_found');
    const other = (await desk.get('/status')).json;
    expect((await desk.get('/series')).json.points.at(-1)).toMatchObject({
      height: other.as_of.height,
      registered: other.totals.registered,
      names: before.totals.names,
    });
    expect(other.totals).toMatchObject({
      names: before.totals.names,
      operations: before.totals.operations + 1,
    });
    expect(other.chain_hash).not.toBe(after.chain_hash);
    await node.rpc('invalidateblock', await node.rpc<string>('getbestblockhash'));
    await node.rpc('reconsiderblock', hash);
    await desk.service.waitForTip(hash);
    expect((await desk.get('/status')).json).toEqual(after);
    const hashes = (await desk.get(`/hashes/${height}`)).json;
    expect(hashes).toMatchObject({ block_hash: hash, chain_hash: after.chain_hash });
    expect((await desk.get(`/hashes/${height + 1}`)).json.code).toBe('block_not_found');
  });

  test('lists are read page by page, each item once', async () => {
    const readAll = async (
      path: string,
      pick: (json: ServiceAnswer['json']) => { items: unknown[]; next_cursor: string | null },
    ) => {
      const items: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { json } = await desk.get(`${path}?limit=2${cursor && `&cursor=${cursor}`}`);
        const page = pick(json);
        expect(page.items.length).toBeLessThanOrEqual(2);
        items.push(...page.items);
        cursor = page.next_cursor;
      }
      return items;
    };
    const name = nameOf('life');
    const whole = (await desk.get(`/name/${name}?limit=100`)).json.history.items;
    expect(await readAll(`/name/${name}`, ({ history }) => history)).toEqual(whole);
    const all = (await desk.get('/operations?limit=100')).json.items;
    expect(await readAll('/operations', (json) => json)).toEqual(all);
    for (const label of ['one', 'two', 'three']) await register(ben, nameOf(label));
    const owned = (await desk.get(`/address/${ben.address}`)).json.items;
    expect(owned.map((each: { name: string }) => each.name)).toEqual(
      ['one', 'race', 'three', 'two'].map(nameOf),
    );
    expect(await readAll(`/address/${ben.address}`, (json) => json)).toEqual(owned);
    expect((await desk.get(`/address/${ann.address}?cursor=AAAA`)).json.code).toBe('invalid_cursor');
  });

  test('that is none is refused with the rule that it breaks', async () => {
    for (const [text, reason] of [
      ['Alice.coin', 'label_characters'],
      ['ab.coin', 'label_length'],
      ['alice.com', 'name_tld'],
      ['alice', 'name_form'],
      ['xn--abc.coin', 'label_hyphens'],
    ] as const) {
      for (const path of ['availability', 'resolve', 'name']) {
        const answer = await desk.get(`/${path}/${text}`);
        expect([answer.status, answer.json.code]).toEqual([400, 'name_invalid']);
        expect(answer.json.detail).toContain(reason);
      }
    }
    expect((await desk.get('/address/nonsense')).json.code).toBe('address_invalid');
  });

  test('was registered by its owner also after a transfer to itself, and not once another had it', async () => {
    const name = nameOf('self');
    const isRegistrant = async () => (await desk.get(`/name/${name}`)).json.registered_by_owner;
    await register(ann, name);
    const transfer = { kind: 'transfer', toVout: 1, name } as const;
    await desk.mine(
      signOperation(ann, transfer, { to: ann }),
      signOperation(ben, { kind: 'renew', periods: 1, name }, { paid: PRICE }),
    );
    expect(await lastReasons(2)).toEqual([null, null]);
    expect(await isRegistrant()).toBe(true);
    await desk.mine(signOperation(ann, transfer, { to: ben }), signOperation(ben, transfer, { to: ann }));
    expect(await lastReasons(2)).toEqual([null, null]);
    expect(await isRegistrant()).toBe(false);
  });
});
