import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../sdk/client/create-client.ts';
import { getNameRecords } from '../../sdk/names/get-name-records.ts';
import { verifyNameRecords } from '../../sdk/verify/verify-name-records.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { createSigner, fundSigners, type Signer } from '../harness/signing-wallet.ts';
import { commitTo, type NameDesk, openNameDesk, registerOf, signOperation } from './name-desk.ts';
import { shortLivedProfile } from './name-profile.ts';

// Maturity 3, lifetime 12, period 20, at most 3 periods, grace 8.
const PRICE = 10_000_000n;

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(130);
});
afterAll(() => node.stop());

/** The document as the page of the protocol says it, written here once more. */
function documentOf(name: string, records: Record<string, string>): string {
  const sorted = Object.fromEntries(Object.entries(records).sort(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify({ name, records: sorted, version: 1 });
}
const hashOf = (name: string, records: Record<string, string>) =>
  createHash('sha256').update(documentOf(name, records)).digest('hex');

forEachEngine('text records', (engine) => {
  const { kind } = engine;
  const ann = createSigner(`ann records ${kind}`, shortLivedProfile);
  const ben = createSigner(`ben records ${kind}`, shortLivedProfile, 'p2pkh');
  const nameOf = (label: string) => `${label}-${kind}.coin`;
  const setHash = (name: string, hash: string) =>
    ({ kind: 'records', hash: new Uint8Array(Buffer.from(hash, 'hex')), name }) as const;
  const removal = '00'.repeat(32);
  let desk: NameDesk;
  let other: NameDesk;

  beforeAll(async () => {
    await fundSigners(node, [ann, ben], 50);
    const databases: DatabaseLocation[] = [await engine.openUrl(), await engine.openUrl()];
    [desk, other] = (await Promise.all(databases.map((each) => openNameDesk(node, each)))) as [
      NameDesk,
      NameDesk,
    ];
  });
  afterAll(() => Promise.all([desk, other].map((each) => each?.stop())));

  const register = async (signer: Signer, name: string, periods = 3): Promise<number> => {
    const height = await desk.mine(signOperation(signer, commitTo(signer, name)));
    await desk.mineTo(height + 2);
    return await desk.mine(
      signOperation(signer, registerOf(name, periods), { paid: PRICE * BigInt(periods) }),
    );
  };
  const read = async (name: string, from = desk) => (await from.get(`/name/${name}/records`)).json;
  const give = (name: string, records: object, to = desk) =>
    to.service.send('PUT', `/api/vns/v1/name/${name}/records`, { records });
  const lastReasons = async (count: number): Promise<(string | null)[]> => {
    const { json } = await desk.get(`/operations?limit=${count}`);
    return json.items.map(({ reason }: { reason: string | null }) => reason).reverse();
  };

  test('are on the chain by their hash, unknown until somebody gives them, and then checked by whoever reads', async () => {
    const name = nameOf('said');
    expect((await read(name)).code).toBe('name_not_found');
    await register(ann, name);
    expect(await read(name)).toMatchObject({
      name,
      state: 'none',
      hash: null,
      document: null,
      records: null,
    });
    const records = { url: 'https://ann.example/', email: 'ann@ann.example', 'address.btc': 'bc1qexample' };
    const early = await give(name, records);
    expect([early.status, early.json.code]).toEqual([409, 'records_mismatch']);
    const hash = hashOf(name, records);
    await desk.mine(
      signOperation(ben, setHash(name, hash)),
      signOperation(ann, setHash(nameOf('never'), hash)),
      signOperation(ann, setHash(name, hash)),
    );
    expect(await lastReasons(3)).toEqual(['not_owner', 'name_not_registered', null]);
    expect(await read(name)).toMatchObject({ state: 'unknown', hash, document: null, records: null });
    expect((await desk.get(`/name/${name}`)).json.records_hash).toBe(hash);

    // Nothing but the document of the hash is taken, from anybody.
    for (const wrong of [
      { ...records, email: 'mallory@ann.example' },
      { url: records.url },
      { ...records, more: 'x' },
    ]) {
      const refused = await give(name, wrong);
      expect([refused.status, refused.json.code]).toEqual([409, 'records_mismatch']);
    }
    expect(await read(name)).toMatchObject({ state: 'unknown' });
    const given = await give(name, records);
    expect(given.status).toBe(200);
    const known = await read(name);
    expect(known).toEqual(given.json);
    expect(known).toMatchObject({ state: 'known', hash, document: documentOf(name, records), records });
    expect(createHash('sha256').update(known.document).digest('hex')).toBe(hash);

    // Another service has the same hash from the chain alone, and takes the same document.
    await other.service.waitForTip();
    expect(await read(name, other)).toMatchObject({ state: 'unknown', hash });
    expect((await give(name, records, other)).status).toBe(200);
    const client = createClient({ baseUrl: other.service.origin });
    expect(verifyNameRecords(await getNameRecords(client, { name }), hash)).toEqual(records);
    const { items } = (await desk.get(`/name/${name}/timeline`)).json;
    expect(items[3]).toMatchObject({ kind: 'described', sender: { address: ann.address }, owner: null });
  });

  test('end with the ownership and by a removal, and do not count while the name does not resolve', async () => {
    const name = nameOf('ends');
    const records = { description: 'Ünïcödé <b>"text"</b> 日本' };
    const height = await register(ann, name, 1);
    await desk.mine(signOperation(ann, setHash(name, hashOf(name, records))));
    expect((await give(name, records)).status).toBe(200);
    const transfer = { kind: 'transfer', toVout: 1, name } as const;
    await desk.mine(signOperation(ann, transfer, { to: ann }));
    expect(await read(name)).toMatchObject({ state: 'known', records });
    await desk.mine(signOperation(ann, transfer, { to: ben }));
    expect(await read(name)).toMatchObject({ state: 'none', hash: null, records: null });
    await desk.mine(signOperation(ben, transfer, { to: ann }));
    expect(await read(name)).toMatchObject({ state: 'none' });
    await desk.mine(signOperation(ann, setHash(name, hashOf(name, records))));
    // The document is here still.
    expect(await read(name)).toMatchObject({ state: 'known', records });
    await desk.mineTo(height + 20);
    expect(await read(name)).toMatchObject({ state: 'expired', hash: null, document: null, records: null });
    const late = await give(name, records);
    expect([late.status, late.json.code]).toEqual([409, 'records_mismatch']);
    await desk.mine(
      signOperation(ann, setHash(name, removal)),
      signOperation(ben, { kind: 'renew', periods: 1, name }, { paid: PRICE }),
    );
    expect(await lastReasons(2)).toEqual(['name_expired', null]);
    expect(await read(name)).toMatchObject({ state: 'known', records });
    await desk.mine(signOperation(ann, setHash(name, removal)));
    expect(await read(name)).toMatchObject({ state: 'none', hash: null });
  });

  test('go and come back with their block, and of the earlier ones the four newest are kept', async () => {
    const name = nameOf('many');
    await register(ann, name);
    const version = (i: number) => ({ number: String(i) });
    const heights: number[] = [];
    for (let i = 0; i < 6; i++) {
      heights.push(await desk.mine(signOperation(ann, setHash(name, hashOf(name, version(i))))));
      expect((await give(name, version(i))).status).toBe(200);
      // The same once more is the same.
      expect((await give(name, version(i))).status).toBe(200);
    }
    const status = (await desk.get('/status')).json;
    const hash = await node.rpc<string>('getblockhash', heights[3]);
    await node.rpc('invalidateblock', hash);
    await desk.mine();
    expect(await read(name)).toMatchObject({ state: 'known', records: version(2) });
    const late = await give(name, version(5));
    expect([late.status, late.json.code]).toEqual([409, 'records_mismatch']);
    await node.rpc('invalidateblock', await node.rpc<string>('getbestblockhash'));
    await node.rpc('reconsiderblock', hash);
    await desk.service.waitForTip(await node.rpc<string>('getblockhash', heights[5]));
    expect(await read(name)).toMatchObject({ state: 'known', records: version(5) });
    expect((await desk.get('/status')).json).toEqual(status);
    // The first two gave way to those that came later.
    for (const [i, state] of [
      [1, 'unknown'],
      [2, 'known'],
    ] as const) {
      await desk.mine(signOperation(ann, setHash(name, hashOf(name, version(i)))));
      expect(await read(name)).toMatchObject({ state, hash: hashOf(name, version(i)) });
    }
  });

  test('are refused where they break the form, and are prepared for the owner of the name', async () => {
    const name = nameOf('form');
    await register(ann, name);
    for (const [records, code] of [
      [{}, 'invalid_body'],
      [{ url: '' }, 'invalid_body'],
      [{ url: 7 }, 'invalid_body'],
      [Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`k${i}`, 'x'])), 'invalid_body'],
      [{ URL: 'x' }, 'records_invalid'],
      [{ [`k${'y'.repeat(32)}`]: 'x' }, 'records_invalid'],
      [{ a: 'two\nlines' }, 'records_invalid'],
      [{ a: 'turned \u202e around' }, 'records_invalid'],
      [{ a: 'e\u0301' }, 'records_invalid'],
      [{ a: 'ü'.repeat(300) }, 'records_invalid'],
      [
        Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, 'x'.repeat(500)])),
        'records_invalid',
      ],
    ] as const) {
      const refused = await give(name, records);
      expect([records, refused.status, refused.json.code]).toEqual([records, 400, code]);
    }
    const encode = async (body: object) => (await desk.post('/encode/records', { name, ...body })).json;
    const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);
    const records = { avatar: 'https://ann.example/face.png' };
    const plan = await encode({ records, address: ann.address });
    const hash = hashOf(name, records);
    expect(plan).toMatchObject({
      operation: 'records',
      records_hash: hash,
      payload: `564e533106${hash}${Buffer.from(name).toString('hex')}`,
      cost: null,
      next_block: { valid: true, reason: null },
      warnings: [],
    });
    expect(plan.transaction.psbt).toEqual(expect.any(String));
    expect(await encode({ hash, address: ann.address })).toMatchObject({ payload: plan.payload });
    expect(await encode({ records, address: ben.address })).toMatchObject({
      next_block: { valid: false, reason: 'not_owner' },
      transaction: null,
      transaction_refused: { code: 'not_valid_now' },
    });
    const none = await encode({ hash: null, address: ann.address });
    expect([none.records_hash, codes(none)]).toEqual([removal, ['records_none']]);
    await desk.mine(signOperation(ann, setHash(name, hash)));
    expect(codes(await encode({ records, address: ann.address }))).toEqual(['records_known']);
    const given = (await desk.post('/encode/transfer', { name, to: ben.address, address: ann.address })).json;
    expect(codes(given)).toEqual(['records_end']);
    for (const [body, code] of [
      [{}, 'invalid_body'],
      [{ records, hash }, 'invalid_body'],
      [{ hash: 'zz' }, 'invalid_body'],
      [{ records: { 'a b': 'x' } }, 'records_invalid'],
      [{ name: 'No.coin', records }, 'name_invalid'],
    ] as const)
      expect(await encode({ ...body, address: ann.address })).toMatchObject({ status: 400, code });
  });
});
