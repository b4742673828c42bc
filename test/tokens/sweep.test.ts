import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { MAX_SWEPT } from '@coinfront/protocol/tokens/token-sweep.ts';
import { Transaction } from '@scure/btc-signer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findMismatches } from '../../service/src/testing/document-schemas.ts';
import { forEachEngine, openEngines } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { mineSigned } from '../harness/signed-blocks.ts';
import { createSigner, fundSigners, type Signed, type Signer } from '../harness/signing-wallet.ts';
import { CREATE_FEE, profile, signOperation, TERMS } from './token-traffic.ts';

/** Three more than one sweep moves. */
const TOKENS = MAX_SWEPT + 3;

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(120);
});
afterAll(() => node.stop());

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, and a wrong field fails its expectation
type Answer = any;

forEachEngine('a sweep of tokens', (engine) => {
  let service: TestService;
  let owner: Signer;
  let heir: Signer;
  let stranger: Signer;
  let document: Answer;
  /** Ids of the owner's tokens, in the order of their creation. */
  let ids: string[] = [];

  const mine = async (signed: readonly Signed[]) => {
    const block = await mineSigned(node, signed);
    await service.waitForTip(toDisplayHash(block.hash));
    await service.waitForMempool();
    return block;
  };
  const read = async (path: string): Promise<Answer> => {
    const { status, json } = await service.get(`/api/v1${path}`);
    expect([path, status]).toEqual([path, 200]);
    return json;
  };
  const readPages = async (path: string): Promise<Answer[]> => {
    const items = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Answer = await read(`${path}${cursor && `&cursor=${cursor}`}`);
      items.push(...page.items);
      cursor = page.next_cursor;
    }
    return items;
  };
  const post = async (path: string, body: object): Promise<Answer> => {
    const { status, json } = await service.post(`/api/v1/tok/${path}`, body);
    expect([path, status, json.detail]).toEqual([path, 200, undefined]);
    const { schema } = document.paths[`/tok/${path}`].post.responses['200'].content['application/json'];
    expect(findMismatches(schema, document, json)).toEqual([]);
    return json;
  };
  const encode = (body: object) => post('encode/sweep', body);
  const preflight = ({ hex }: Pick<Signed, 'hex'>) => post('preflight', { raw_tx: hex });
  const checkOf = ({ checks }: Answer, name: string) =>
    checks.find((check: Answer) => check.name === name).reason;
  const balancesOf = async ({ address }: Signer, query = ''): Promise<[string, string][]> =>
    (await readPages(`/addresses/${address}/tokens?limit=100${query}`)).map(({ token_id, balance }) => [
      token_id,
      balance,
    ]);
  const sweepTo = (from: Signer, to: Signer) =>
    signOperation(from, { kind: 'sweep', toVout: 1 }, { to: [to] });
  const codesOf = ({ warnings }: Answer) => warnings.map(({ code }: Answer) => code);

  beforeAll(async () => {
    [owner, heir, stranger] = ['owner', 'heir', 'stranger'].map((name) =>
      createSigner(`${engine.kind} sweep ${name}`, profile),
    ) as [Signer, Signer, Signer];
    await fundSigners(node, [owner, heir, stranger], 60);
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
    document = (await service.get('/api/v1/tok/openapi.json')).json;
    const create = (i: number) =>
      signOperation(owner, { kind: 'create', terms: { ...TERMS, ticker: `T${i}` } }, { fee: CREATE_FEE });
    for (let i = 0; i < TOKENS; i += 20)
      await mine(Array.from({ length: Math.min(20, TOKENS - i) }, (_, j) => create(i + j)));
    ids = (await balancesOf(owner)).map(([id]) => id);
    expect(ids).toHaveLength(TOKENS);
  });
  afterAll(() => service.stop());

  test('is refused where no block could have it, and not built where the next one cannot', async () => {
    const bad = async (body: object) => (await service.post('/api/v1/tok/encode/sweep', body)).json;
    expect(await bad({ to: owner.address, address: owner.address })).toMatchObject({
      code: 'invalid_body',
      detail: expect.stringContaining('to itself'),
    });
    expect((await bad({ to: 'nowhere' })).code).toBe('address_invalid');
    expect((await bad({})).code).toBe('invalid_body');
    const none = await encode({ to: heir.address, address: stranger.address });
    expect(none).toMatchObject({
      ...{ operation: 'SWEEP', token_id: null, transaction: null },
      next_block: { valid: false, reason: 'nothing_to_sweep' },
      sweep: { moved: [], leaves_more: false },
      transaction_refused: { code: 'not_valid_now' },
    });
    const forced = await encode({ to: heir.address, address: stranger.address, force: 'prepare' });
    expect(forced.transaction.psbt).toEqual(expect.any(String));
    expect(await encode({ to: heir.address })).toMatchObject({ next_block: null, sweep: null });
  });

  test('judges what its sender has in the mempool, and what others of it are judged by', async () => {
    const transfer = (index: number, amount: bigint) => {
      const tokenId = Buffer.from(ids[index]!, 'hex');
      return signOperation(
        owner,
        { kind: 'transfer', tokenId, shares: [{ toVout: 1, amount }] },
        { to: [stranger] },
      );
    };
    const first = transfer(0, 1_000n);
    await node.rpc('sendrawtransaction', first.hex);
    await service.waitForMempool();
    const sweep = sweepTo(owner, heir);
    const judged = await preflight(sweep);
    expect(judged).toMatchObject({
      ...{ ok: true, valid: true, reason: null, effect: null, pending: null },
      operation: { kind: 'SWEEP', token_id: null, amount: null, sender: { address: owner.address } },
    });
    // At the tip the transfer is not there yet.
    expect(judged.sweep.leaves_more).toBe(true);
    expect(judged.sweep.moved.map(({ token_id }: Answer) => token_id)).toEqual(ids.slice(0, MAX_SWEPT));
    await node.rpc('sendrawtransaction', sweep.hex);
    await service.waitForMempool();
    // Behind the sweep that waits the owner has nothing of these, and keeps the last two: the transfer made room for one.
    for (const [index, reason] of [
      [1, 'balance_too_low'],
      [MAX_SWEPT, 'balance_too_low'],
      [MAX_SWEPT + 1, null],
    ] as const) {
      const coins = [...owner.coins];
      const next = await preflight(transfer(index, 1n));
      owner.coins.splice(0, owner.coins.length, ...coins);
      expect([index, next.valid, checkOf(next, 'pending')]).toEqual([index, true, reason]);
      expect(next.pending.operations).toBe(reason === null ? 0 : 1);
    }
    // Two sweeps in a row are fine, a third finds nothing.
    const second = sweepTo(owner, heir);
    expect((await preflight(second)).ok).toBe(true);
    await node.rpc('sendrawtransaction', second.hex);
    await service.waitForMempool();
    const coins = [...owner.coins];
    const third = await preflight(sweepTo(owner, heir));
    owner.coins.splice(0, owner.coins.length, ...coins);
    expect([third.ok, third.valid, checkOf(third, 'pending')]).toEqual([false, true, 'nothing_to_sweep']);
    await mine([first, sweep, second]);
    expect(await balancesOf(owner)).toEqual(ids.map((id) => [id, '0.00']));
    expect(await balancesOf(heir)).toEqual(ids.slice(1).map((id) => [id, '10.00']));
    // Those who hold nothing may mint still: they are listed as what the owner issued.
    await mine([sweepTo(heir, owner), sweepTo(heir, owner)]);
    expect(await balancesOf(owner)).toEqual(ids.map((id, i) => [id, i === 0 ? '0.00' : '10.00']));
  });

  test('moves the oldest tokens, is listed once for each, and is undone with its block', async () => {
    const before = await read('/tok/stats');
    const { height } = await read('/tok/status').then(({ as_of }) => as_of);
    const wanted = ids.slice(1, MAX_SWEPT + 1);
    const planned = await encode({ to: heir.address, address: owner.address });
    expect(planned.next_block).toEqual({ valid: true, reason: null });
    expect(planned.sweep.moved.map(({ token_id, amount }: Answer) => [token_id, amount])).toEqual(
      wanted.map((id) => [id, '10.00']),
    );
    expect([planned.sweep.leaves_more, codesOf(planned)]).toEqual([true, ['sweep_leaves_more']]);
    const tx = Transaction.fromPSBT(Buffer.from(planned.transaction.psbt, 'base64'), {
      allowUnknownOutputs: true,
    });
    tx.sign(owner.privateKey);
    tx.finalize();
    const judged = await preflight(tx);
    expect([judged.ok, judged.sweep]).toEqual([true, planned.sweep]);
    expect((await service.post('/api/v1/broadcast', { raw_tx: tx.hex })).status).toBe(200);
    const [hash] = await node.mine(1);
    await service.waitForTip(hash!);

    const expectDone = async () => {
      expect(await balancesOf(owner)).toEqual(ids.map((id, i) => [id, i > MAX_SWEPT ? '10.00' : '0.00']));
      expect(await balancesOf(heir)).toEqual(wanted.map((id) => [id, '10.00']));
      expect(await balancesOf(heir, `&height=${height}`)).toEqual([]);
      expect(await balancesOf(heir, `&height=${height + 1}`)).toEqual(wanted.map((id) => [id, '10.00']));
      const feed = await readPages(`/tok/events?limit=7&from_height=${height + 1}`);
      expect(feed.map(({ kind, token_id }) => [kind, token_id])).toEqual(wanted.map((id) => ['SWEEP', id]));
      expect(feed[0]).toMatchObject({
        ...{ valid: true, txid: tx.id, ticker: 'T1', amount: '10.00', sender: { address: owner.address } },
        recipients: [{ address: heir.address, amount: '10.00' }],
      });
      for (const { address } of [owner, heir]) {
        const own = await readPages(`/addresses/${address}/events?limit=5`);
        const swept = own.filter(({ txid }) => txid === tx.id);
        expect(swept.map(({ token_id }) => token_id)).toEqual(wanted.toReversed());
      }
      const [latest] = (await read(`/tokens/${wanted[0]}/events`)).items;
      expect(latest).toMatchObject({ kind: 'SWEEP', txid: tx.id, amount: '10.00' });
      expect((await read(`/tokens/${wanted[0]}/holders`)).items).toMatchObject([{ address: heir.address }]);
      const { events, events_by_kind, holders } = await read('/tok/stats');
      // A sweep is one operation, however much it moves, and makes no holder more or less.
      expect([events, events_by_kind.SWEEP, holders]).toEqual([
        before.events + 1,
        before.events_by_kind.SWEEP + 1,
        before.holders,
      ]);
    };
    await expectDone();
    const { chain_hash } = await read('/tok/status');

    await node.rpc('invalidateblock', hash);
    const address = await node.newAddress();
    for (let i = 0; i < 2; i++) await node.rpc('generateblock', address, []);
    await service.waitForTip();
    expect(await balancesOf(heir)).toEqual([]);
    expect(await readPages(`/tok/events?from_height=${height + 1}`)).toEqual([]);
    expect((await read('/tok/stats')).events_by_kind).toEqual(before.events_by_kind);
    await node.rpc('invalidateblock', await node.rpc<string>('getblockhash', height + 1));
    await node.rpc('reconsiderblock', hash);
    await service.waitForTip(hash!);
    await expectDone();
    expect((await read('/tok/status')).chain_hash).toBe(chain_hash);
    owner.coins.length = 0;
  });

  test('that is invalid is listed with its reason', async () => {
    const { height } = await read('/tok/status').then(({ as_of }) => as_of);
    await mine([
      signOperation(heir, { kind: 'sweep', toVout: 9 }, { to: [stranger] }),
      signOperation(heir, { kind: 'sweep', toVout: 0 }, { to: [stranger] }),
      signOperation(heir, { kind: 'sweep', toVout: 1 }, { to: [heir] }),
    ]);
    const listed = await readPages(`/tok/events?include=invalid&from_height=${height + 1}&limit=2`);
    expect(listed.map(({ kind, reason, token_id, amount }) => [kind, reason, token_id, amount])).toEqual([
      ['SWEEP', 'output_missing', null, null],
      ['SWEEP', 'output_is_carrier', null, null],
      ['SWEEP', 'sweep_to_sender', null, null],
    ]);
  });
});

describe('a coin whose sweeps begin later, or never', () => {
  const start = async (sweepHeight: number | undefined) => {
    const file = new URL('../../protocol/profiles/regtest.json', import.meta.url);
    const coin = JSON.parse(await readFile(file, 'utf8'));
    const { sweep_activation_height: _, ...tokens } = coin.tokens;
    const later = sweepHeight === undefined ? tokens : { ...tokens, sweep_activation_height: sweepHeight };
    const path = join(tmpdir(), `coinfront-sweep-${process.pid}-${sweepHeight}.json`);
    await writeFile(path, JSON.stringify({ ...coin, tokens: later }));
    const database = await openEngines()[0]!.openUrl();
    const service = await startService({ nodeUrl: node.url, database, settings: { COINFRONT_COIN: path } });
    await service.waitForTip();
    return service;
  };

  test('knows no opcode 07 before, says so, and builds nothing that pays for nothing', async () => {
    const holder = createSigner('late holder', profile);
    const heir = createSigner('late heir', profile);
    await fundSigners(node, [holder, heir], 5);
    const next = (await node.rpc<number>('getblockcount')) + 1;
    const [later, never] = [await start(next + 2), await start(undefined)];
    try {
      const body = { to: heir.address, address: holder.address };
      expect((await later.post('/api/v1/tok/encode/sweep', body)).json).toMatchObject({
        next_block: { valid: false, reason: null },
        transaction: null,
        warnings: expect.arrayContaining([expect.objectContaining({ code: 'sweep_inactive' })]),
      });
      const refused = await never.post('/api/v1/tok/encode/sweep', body);
      expect([refused.status, refused.json.code]).toEqual([400, 'invalid_body']);
      const terms = { ...TERMS, ticker: 'LATE' };
      await mineSigned(node, [signOperation(holder, { kind: 'create', terms }, { fee: CREATE_FEE })]);
      const early = await mineSigned(node, [
        signOperation(holder, { kind: 'sweep', toVout: 1 }, { to: [heir] }),
      ]);
      const timely = await mineSigned(node, [
        signOperation(holder, { kind: 'sweep', toVout: 1 }, { to: [heir] }),
      ]);
      const tip = toDisplayHash(timely.hash);
      const reasons = async (service: TestService) => {
        await service.waitForTip(tip);
        const path = `/api/v1/tok/events?include=invalid&from_height=${early.height}`;
        const { items } = (await service.get(path)).json;
        return items.map(({ height, reason }: Answer) => [height - early.height, reason]);
      };
      expect(await reasons(later)).toEqual([
        [0, 'unknown_opcode'],
        [1, null],
      ]);
      expect(await reasons(never)).toEqual([
        [0, 'unknown_opcode'],
        [1, 'unknown_opcode'],
      ]);
      const statusOf = async (service: TestService) => (await service.get('/api/v1/tok/status')).json;
      const [first, second] = [await statusOf(later), await statusOf(never)];
      expect(first.sweep_activation_height).toBe(next + 2);
      expect(second.sweep_activation_height).toBeNull();
      expect(first.rules_id).not.toBe(second.rules_id);
      expect(first.chain_hash).not.toBe(second.chain_hash);
    } finally {
      await later.stop();
      await never.stop();
    }
  });
});
