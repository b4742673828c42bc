import { randomBytes } from 'node:crypto';
import { findWorkKind } from '@coinfront/sdk/verify/proof-of-work.ts';
import { readOts, verifyOts } from '@coinfront/sdk/verify/verify-ots.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { awaitRoomInDay } from '../harness/await-room-in-day.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { flip, MARKER, verifyOffline } from './leaf-proof.ts';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(120);
});
afterAll(() => node?.stop());

const someDigests = (count: number) => Array.from({ length: count }, () => randomBytes(32).toString('hex'));

forEachEngine('the calendar', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({
      nodeUrl: node.url,
      database: await engine.openUrl(),
      settings: {
        COINFRONT_ANCHOR_WALLET: 'main',
        COINFRONT_CALENDAR_INTERVAL: '1',
        COINFRONT_CALENDAR_DAILY: '20000',
        COINFRONT_CALENDAR_DAILY_PER_CLIENT: '9000',
      },
    });
  });
  afterAll(() => service?.stop());

  const take = (sha256: string[]) => service.post('/api/v1/proof/batch', { sha256 });
  const takeOne = (sha256: string) => service.post('/api/v1/proof/anchor', { sha256, form: 'calendar' });
  const findLeaf = async (digest: string) => {
    const answer = await service.get(`/api/v1/proof/leaf/${digest}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };
  const waitForState = async (digest: string, state: string) => {
    await waitUntil(`the leaf is ${state}`, async () => (await findLeaf(digest)).state === state);
    return await findLeaf(digest);
  };
  const mine = async (count = 1) => {
    const hashes = await node.mine(count);
    await service.waitForTip(hashes.at(-1)!);
    return hashes;
  };

  test('knows nothing of a digest that it never took', async () => {
    const [digest] = someDigests(1);
    expect(await findLeaf(digest!)).toEqual({
      sha256: digest,
      state: 'unknown',
      accepted_at: null,
      leaf: null,
      primary: null,
      pending: [],
    });
  });

  /** The proof as a file of OpenTimestamps leads to the block, and to no other. */
  const expectOtsFile = async (digest: string, hash: string) => {
    const genesisHash = await node.rpc<string>('getblockhash', 0);
    const answer = await fetch(`${service.origin}/api/v1/proof/ots/${digest}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
    const file = new Uint8Array(await answer.arrayBuffer());
    const { height } = await node.rpc<{ height: number }>('getblockheader', hash);
    const read = readOts(file, genesisHash);
    expect(read).toMatchObject({
      ok: true,
      value: { digest, hash: 'sha256', blocks: [{ height }], others: 0 },
    });
    const header = await node.rpc<string>('getblockheader', hash, false);
    const other = await node.rpc<string>('getblockheader', genesisHash, false);
    const options = { genesisHash, height, work: findWorkKind(genesisHash) };
    expect(verifyOts(digest, file, { ...options, headers: [header] })).toMatchObject({
      ok: true,
      blockHash: hash,
      workChecked: true,
    });
    expect(verifyOts(digest, file, { ...options, headers: [other] })).toMatchObject({ code: 'root_differs' });
    expect(verifyOts(flip(digest), file, { ...options, headers: [header] })).toMatchObject({
      code: 'digest_differs',
    });
    expect(verifyOts(digest, file, { ...options, height: height + 1, headers: [header] })).toMatchObject({
      code: 'block_missing',
    });
    expect(verifyOts(digest, file.subarray(1), { ...options, headers: [header] })).toMatchObject({
      code: 'ots_malformed',
    });
  };

  test('takes a digest at once, and leads it by one transaction from pending to final with a proof', async () => {
    await awaitRoomInDay();
    const before = (await service.get('/api/v1/proof/status')).json;
    expect(before.calendar).toMatchObject({
      enabled: true,
      interval_seconds: 1,
      daily_limit: 20_000,
      daily_limit_per_client: 9_000,
    });
    const [digest, ...others] = someDigests(3_000);
    const first = await takeOne(digest!);
    expect([first.status, first.json.result, first.json.txid]).toEqual([202, 'leaf', null]);
    expect(first.json.leaf).toMatchObject({ sha256: digest, batch: null });
    const again = (await takeOne(digest!.toUpperCase())).json.leaf;
    expect(again.accepted_at ?? again.batch).not.toBeNull();

    const many = await take(others);
    expect(many.status, many.text).toBe(200);
    expect(many.json.items.map(({ sha256 }: { sha256: string }) => sha256)).toEqual(others);
    const asked = [digest!, others[0]!, others[1_500]!, others.at(-1)!];
    for (const each of asked) {
      const seen = await waitForState(each, 'mempool');
      expect(seen).toMatchObject({ accepted_at: null, primary: null });
      expect(seen.pending).toHaveLength(1);
    }
    const txids = new Set<string>();
    for (const each of asked) txids.add((await findLeaf(each)).pending[0].txid);
    // The first may have been alone in a tree; the others are in one with more than one part, or in two.
    expect(txids.size).toBeLessThanOrEqual(3);
    for (const txid of txids)
      expect(await node.rpc<string>('getrawtransaction', txid)).toMatch(new RegExp(`6a24${MARKER}`));

    const [hash] = await mine();
    for (const each of asked) {
      const leaf = await findLeaf(each);
      expect(leaf).toMatchObject({ state: 'confirmed', pending: [] });
      expect(verifyOffline(each, leaf)).toBe(hash);
      expect(verifyOffline(flip(each), leaf)).toBe('path_invalid');
      const root = await service.get(`/api/v1/proof/lookup/${leaf.leaf.root}`);
      expect(root.json.primary.txid).toBe(leaf.primary.txid);
    }
    await expectOtsFile(digest!, hash!);
    const known = await take(asked);
    for (const item of known.json.items) expect(item).toMatchObject({ accepted_at: null });
    await waitUntil('none waits by the status, which counts once a second', async () => {
      const { calendar } = (await service.get('/api/v1/proof/status')).json;
      expect(calendar.left_today).toBe(before.calendar.left_today - 3_000);
      return calendar.waiting === 0;
    });
    expect((await takeOne(digest!)).status).toBe(200);
    await mine(5);
    expect((await findLeaf(digest!)).state).toBe('final');
    // What the service anchors of its own takes nothing from those who anchor one digest each.
    expect((await service.get('/api/v1/proof/status')).json.wallet).toEqual(before.wallet);
  });

  test('writes the file of the block that had the digest first, whoever anchors it later', async () => {
    const [digest] = someDigests(1);
    await takeOne(digest!);
    await waitForState(digest!, 'mempool');
    const [first] = await mine();
    const { payload } = (await service.get(`/api/v1/proof/lookup/${digest}`)).json.script.match(
      /^6a24(?<payload>.*)$/,
    ).groups;
    const raw = await node.rpc<string>('createrawtransaction', [], [{ data: payload }]);
    const { hex } = await node.rpc<{ hex: string }>('fundrawtransaction', raw);
    const signed = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', hex);
    await node.rpc('sendrawtransaction', signed.hex);
    await mine();
    expect((await service.get(`/api/v1/proof/lookup/${digest}`)).json.state).toBe('confirmed');
    await expectOtsFile(digest!, first!);
  });

  test('leads a digest back to pending when its block goes, and into another block', async () => {
    const [digest] = someDigests(1);
    await takeOne(digest!);
    await waitForState(digest!, 'mempool');
    const early = await service.get(`/api/v1/proof/ots/${digest}`);
    expect([early.status, early.json.code]).toEqual([409, 'timestamp_unavailable']);
    const [hash] = await mine();
    expect(verifyOffline(digest!, await findLeaf(digest!))).toBe(hash);
    // Another branch is longer and has nothing of the mempool.
    await node.rpc('invalidateblock', hash);
    const address = await node.newAddress();
    const branch: string[] = [];
    for (let i = 0; i < 2; i++)
      branch.push((await node.rpc<{ hash: string }>('generateblock', address, [])).hash);
    await service.waitForTip(branch.at(-1)!);
    const left = await waitForState(digest!, 'mempool');
    expect(left.primary).toBeNull();
    const [later] = await mine();
    expect(verifyOffline(digest!, await findLeaf(digest!))).toBe(later);
  });

  test('anchors a root anew when its transaction can never be mined', async () => {
    const [digest] = someDigests(1);
    await takeOne(digest!);
    const { pending, leaf } = await waitForState(digest!, 'mempool');
    const dead = pending[0].txid;
    const tx = await node.rpc<{ vin: { txid: string; vout: number }[] }>('getrawtransaction', dead, true);
    // The same coins go elsewhere in a block of the miner's own.
    const address = await node.newAddress();
    const inputs = tx.vin.map(({ txid, vout }) => ({ txid, vout }));
    const blank = await node.rpc<string>('createrawtransaction', inputs, [{ [address]: 0.001 }]);
    const { hex } = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', blank);
    const { hash } = await node.rpc<{ hash: string }>('generateblock', address, [hex]);
    await service.waitForTip(hash);
    expect((await findLeaf(digest!)).state).toBe('pending');
    // Given up once the other is final.
    await mine(6);
    await waitUntil(
      'another transaction carries it',
      async () => {
        const now = await findLeaf(digest!);
        return now.pending.length === 1 && now.pending[0].txid !== dead;
      },
      60_000,
    );
    const [last] = await mine();
    const anew = await findLeaf(digest!);
    expect(anew.leaf).toEqual(leaf);
    expect(verifyOffline(digest!, anew)).toBe(last);
  }, 120_000);

  test('refuses what is no batch, and more than a client has a day', async () => {
    for (const sha256 of [[], ['ab'], someDigests(4_001), 'ab'.repeat(32), [1]])
      expect((await service.post('/api/v1/proof/batch', { sha256 })).status).toBe(400);
    await awaitRoomInDay();
    const { left_today: left } = (await service.get('/api/v1/proof/status')).json.calendar;
    const answers = [await take(someDigests(4_000)), await take(someDigests(4_000))];
    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    expect(answers[1]!.json.code).toBe('digests_exhausted');
    expect(Number(answers[1]!.headers.get('retry-after'))).toBeGreaterThan(0);
    // What was refused as a whole took nothing.
    expect((await service.get('/api/v1/proof/status')).json.calendar.left_today).toBe(left - 4_000);
  });

  test('where there is no wallet nothing is taken, and the status says so', async () => {
    const without = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
    const [digest] = someDigests(1);
    for (const answer of [
      await without.post('/api/v1/proof/anchor', { sha256: digest, form: 'calendar' }),
      await without.post('/api/v1/proof/batch', { sha256: [digest] }),
    ])
      expect([answer.status, answer.json.code]).toEqual([503, 'calendar_off']);
    expect((await without.get('/api/v1/proof/status')).json.calendar.enabled).toBe(false);
    expect((await without.get(`/api/v1/proof/leaf/${digest}`)).json.state).toBe('unknown');
    // The direct form answers as ever.
    const direct = await without.post('/api/v1/proof/anchor', { sha256: digest });
    expect(direct.json).toMatchObject({ result: 'script', reason: 'no_wallet', leaf: null });
    const raw = await node.rpc<string>('createrawtransaction', [], [{ data: direct.json.payload }]);
    const { hex } = await node.rpc<{ hex: string }>('fundrawtransaction', raw);
    const signed = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', hex);
    await node.rpc('sendrawtransaction', signed.hex);
    const [hash] = await mine();
    await expectOtsFile(digest!, hash!);
    await without.stop();
  });
});
