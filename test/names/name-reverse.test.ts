import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { createStateHasher } from '@coinfront/protocol/hash-chain.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { createSigner, fundSigners, type Signer } from '../harness/signing-wallet.ts';
import { commitTo, type NameDesk, openNameDesk, registerOf, signOperation } from './name-desk.ts';
import { shortLivedProfile } from './name-profile.ts';

// Maturity 3, lifetime 12, period 20, at most 3 periods, grace 8, premium 10 coins over 10 blocks.
const PRICE = 10_000_000n;

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(130);
});
afterAll(() => node.stop());

forEachEngine('the name that an address is shown with', (engine) => {
  const { kind } = engine;
  const ann = createSigner(`ann reverse ${kind}`, shortLivedProfile);
  const ben = createSigner(`ben reverse ${kind}`, shortLivedProfile, 'p2pkh');
  const nameOf = (label: string) => `${label}-${kind}.coin`;
  const reverse = (name: string) => ({ kind: 'reverse', name }) as const;
  const transfer = (name: string) => ({ kind: 'transfer', toVout: 1, name }) as const;
  let desk: NameDesk;

  beforeAll(async () => {
    await fundSigners(node, [ann, ben], 60);
    desk = await openNameDesk(node, await engine.openUrl());
  });
  afterAll(() => desk.stop());

  const lastReasons = async (count: number): Promise<(string | null)[]> => {
    const { json } = await desk.get(`/operations?limit=${count}`);
    return json.items.map(({ reason }: { reason: string | null }) => reason).reverse();
  };
  const register = async (signer: Signer, name: string, periods = 1): Promise<number> => {
    const height = await desk.mine(signOperation(signer, commitTo(signer, name)));
    await desk.mineTo(height + 2);
    const paid = PRICE * BigInt(periods);
    return await desk.mine(signOperation(signer, registerOf(name, periods), { paid }));
  };
  const shownAs = async ({ address }: Signer) => {
    const { json } = await desk.get(`/reverse/${address}`);
    expect(json.address).toBe(address);
    return [json.name, json.reason];
  };
  /** The state page by page has the hash that the service says it has; gives whose reverse records are in it. */
  const readReverseRows = async () => {
    const hasher = createStateHasher();
    const rows: { key: string; script: string }[] = [];
    let height = 0;
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await desk.get(`/state?limit=2${cursor && `&cursor=${cursor}`}`);
      for (const row of json.items) {
        hasher.add({ kind: row.kind, key: getHexBytes(row.key), value: getHexBytes(row.value) });
        if (row.kind === 3) rows.push(row);
      }
      cursor = json.next_cursor;
      height = json.as_of.height;
    }
    const { json } = await desk.get(`/hashes/${height}?state=true`);
    expect(Buffer.from(hasher.finish()).toString('hex')).toBe(json.state_hash);
    // The other engine's owners are on the same chain.
    const own = [ann, ben].map(({ script }) => Buffer.from(script).toString('hex'));
    return rows.map(({ script }) => script).filter((script) => own.includes(script));
  };

  test('is set by its owner alone, and ends with the ownership', async () => {
    const name = nameOf('shown');
    expect(await shownAs(ann)).toEqual([null, 'none']);
    await register(ann, name, 3);
    expect(await shownAs(ann)).toEqual([null, 'none']);
    await desk.mine(
      signOperation(ben, reverse(name)),
      signOperation(ann, reverse(nameOf('never'))),
      signOperation(ann, reverse('Shown.coin')),
      signOperation(ann, reverse(name)),
    );
    expect(await lastReasons(4)).toEqual(['not_owner', 'name_not_registered', 'label_characters', null]);
    expect(await shownAs(ann)).toEqual([name, null]);
    expect(await shownAs(ben)).toEqual([null, 'none']);
    expect((await desk.get(`/name/${name}`)).json).toMatchObject({ is_reverse: true, resolves: true });
    expect((await desk.get(`/address/${ann.address}`)).json.items).toMatchObject([
      { name, is_reverse: true },
    ]);
    expect(await readReverseRows()).toEqual([Buffer.from(ann.script).toString('hex')]);
    const { items } = (await desk.get(`/name/${name}/timeline`)).json;
    expect(items[3]).toMatchObject({ kind: 'shown', sender: { address: ann.address }, owner: null });
    expect(items.slice(0, 3).map((each: { kind: string }) => each.kind)).toEqual([
      'lapsed',
      'released',
      'expired',
    ]);

    // To oneself it is no change of owner; to another it is, and being given the name back is not consent.
    await desk.mine(signOperation(ann, transfer(name), { to: ann }));
    expect(await shownAs(ann)).toEqual([name, null]);
    await desk.mine(signOperation(ann, transfer(name), { to: ben }));
    expect(await shownAs(ann)).toEqual([null, 'none']);
    expect(await shownAs(ben)).toEqual([null, 'none']);
    await desk.mine(signOperation(ben, transfer(name), { to: ann }));
    expect(await shownAs(ann)).toEqual([null, 'none']);
    expect((await desk.get(`/name/${name}`)).json.is_reverse).toBe(false);
    expect(await readReverseRows()).toEqual([]);
  });

  test('is one at a time, and can be none', async () => {
    const [first, second] = [nameOf('first'), nameOf('second')];
    await register(ann, first, 3);
    await register(ann, second, 3);
    await desk.mine(signOperation(ann, reverse(first)), signOperation(ann, reverse(second)));
    expect(await shownAs(ann)).toEqual([second, null]);
    const flags = (await desk.get(`/address/${ann.address}`)).json.items.map(
      (each: { name: string; is_reverse: boolean }) => [each.name, each.is_reverse],
    );
    expect(flags).toContainEqual([first, false]);
    expect(flags).toContainEqual([second, true]);
    // Of a name that is not shown, a transfer ends nothing.
    await desk.mine(signOperation(ann, transfer(first), { to: ben }));
    expect(await shownAs(ann)).toEqual([second, null]);
    await desk.mine(signOperation(ann, reverse('')), signOperation(ann, reverse('')));
    expect(await lastReasons(2)).toEqual([null, null]);
    expect(await shownAs(ann)).toEqual([null, 'none']);
    expect((await desk.get('/operations?limit=1')).json.items).toMatchObject([
      { kind: 'reverse', name: null, valid: true },
    ]);
  });

  test('does not count in grace, counts again once renewed, and ends with what comes after', async () => {
    const name = nameOf('lapse');
    const height = await register(ben, name);
    const expiry = height + 20;
    await desk.mine(signOperation(ben, reverse(name)));
    await desk.mineTo(expiry - 1);
    expect(await shownAs(ben)).toEqual([name, null]);
    await desk.mineTo(expiry);
    expect(await shownAs(ben)).toEqual([null, 'expired']);
    expect(await readReverseRows()).toHaveLength(1);
    await desk.mine(
      signOperation(ben, reverse(name)),
      signOperation(ann, { kind: 'renew', periods: 1, name }, { paid: PRICE }),
    );
    expect(await lastReasons(2)).toEqual(['name_expired', null]);
    expect(await shownAs(ben)).toEqual([name, null]);
    // Behind the grace nothing can bring it back: it is no part of the state.
    await desk.mineTo(expiry + 20 + 7);
    expect(await readReverseRows()).toEqual([]);
    await desk.mine(signOperation(ann, commitTo(ann, name)));
    await desk.mineTo(expiry + 20 + 8 + 10);
    await desk.mine(signOperation(ann, registerOf(name), { paid: PRICE }));
    expect((await desk.get(`/name/${name}`)).json).toMatchObject({
      owner: { address: ann.address },
      is_reverse: false,
    });
    expect(await shownAs(ben)).toEqual([null, 'none']);
    expect(await shownAs(ann)).toEqual([null, 'none']);
  });

  test('goes with its block when that is replaced, and comes back with it', async () => {
    const [name, other] = [nameOf('fork'), nameOf('prong')];
    await register(ann, name, 3);
    await register(ann, other, 3);
    await desk.mine(signOperation(ann, reverse(name)));
    const height = await desk.mine(
      signOperation(ann, reverse(other)),
      signOperation(ann, transfer(other), { to: ben }),
    );
    const after = (await desk.get('/status')).json;
    expect(await shownAs(ann)).toEqual([null, 'none']);
    const stateHash = async (at: number) => (await desk.get(`/hashes/${at}?state=true`)).json.state_hash;
    const wanted = await stateHash(height);
    const hash = await node.rpc<string>('getblockhash', height);
    await node.rpc('invalidateblock', hash);
    await desk.mine();
    expect(await shownAs(ann)).toEqual([name, null]);
    expect((await desk.get(`/resolve/${other}`)).json.address).toBe(ann.address);
    expect(await stateHash(height)).not.toBe(wanted);
    await node.rpc('invalidateblock', await node.rpc<string>('getbestblockhash'));
    await node.rpc('reconsiderblock', hash);
    await desk.service.waitForTip(hash);
    expect((await desk.get('/status')).json).toEqual(after);
    expect(await stateHash(height)).toBe(wanted);
    expect(await shownAs(ann)).toEqual([null, 'none']);
  });

  test('is read for many addresses of one block, or refused as a whole', async () => {
    const name = nameOf('many');
    await register(ben, name, 3);
    await desk.mine(signOperation(ben, reverse(name)));
    const addresses = [ann.address, ben.address, ann.address];
    const { status, json } = await desk.post('/reverse', { addresses });
    expect(status).toBe(200);
    const singles = [];
    for (const address of addresses) singles.push((await desk.get(`/reverse/${address}`)).json);
    expect(json).toEqual({
      as_of: singles[0].as_of,
      items: singles.map(({ as_of: _, ...rest }) => rest),
    });
    expect(json.items[1]).toMatchObject({ name, reason: null });
    const refused = await desk.post('/reverse', { addresses: [ann.address, 'nonsense'] });
    expect([refused.status, refused.json.code]).toEqual([400, 'address_invalid']);
    expect(refused.json.detail).toContain('addresses.1');
    for (const bad of [[], Array.from({ length: 101 }, () => ann.address), [1], 'x']) {
      const answer = await desk.post('/reverse', { addresses: bad });
      expect([answer.status, answer.json.code]).toEqual([400, 'invalid_body']);
    }
    expect((await desk.get('/reverse/nonsense')).json.code).toBe('address_invalid');
    const host = (await desk.service.get('/.well-known/coin-names')).json;
    expect(host.reverse).toBe('/api/vns/v1/reverse/{address}');
    expect((await desk.get('/status')).json.rules.reverse_activation_height).toBe(0);
  });

  test('is prepared for its owner, with what speaks against it', async () => {
    const name = nameOf('paper');
    await register(ann, name, 3);
    const encode = async (body: object) => (await desk.post('/encode/reverse', body)).json;
    const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);
    const plan = await encode({ name, address: ann.address });
    expect(plan).toMatchObject({
      operation: 'reverse',
      name,
      payload: `564e533105${Buffer.from(name).toString('hex')}`,
      cost: null,
      next_block: { valid: true, reason: null },
      warnings: [],
      transaction_refused: null,
    });
    expect(plan.transaction.psbt).toEqual(expect.any(String));
    const foreign = await encode({ name, address: ben.address });
    expect(foreign).toMatchObject({
      next_block: { valid: false, reason: 'not_owner' },
      transaction: null,
      transaction_refused: { code: 'not_valid_now' },
    });
    expect(codes(foreign)).toEqual(['not_owner']);
    const forced = await encode({ name, address: ben.address, force: 'prepare' });
    expect(forced.transaction.psbt).toEqual(expect.any(String));
    const unsent = await encode({ name });
    expect([unsent.next_block, codes(unsent)]).toEqual([null, ['owner_unchecked']]);
    const none = await encode({ name: null, address: ann.address });
    expect(none).toMatchObject({ name: null, payload: '564e533105', next_block: { valid: true } });
    expect(codes(none)).toEqual(['reverse_none']);
    await desk.mine(signOperation(ann, reverse(name)));
    expect(codes(await encode({ name, address: ann.address }))).toEqual(['reverse_known']);
    const given = (await desk.post('/encode/transfer', { name, to: ben.address, address: ann.address })).json;
    expect(codes(given)).toEqual(['reverse_ends']);
    for (const [body, code] of [
      [{ name: 'Nope.coin', address: ann.address }, 'name_invalid'],
      [{ address: ann.address }, 'invalid_body'],
      [{ name: '', address: ann.address }, 'invalid_body'],
    ] as const)
      expect(await encode(body)).toMatchObject({ status: 400, code });
  });
});
