import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { carrierOutput } from '@coinfront/protocol/testing/spends.ts';
import { tokenIdOf } from '@coinfront/protocol/tokens/token-id.ts';
import type { TokenOperation, TokenTerms } from '@coinfront/protocol/tokens/token-operation.ts';
import { encodeTokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findMismatches } from '../../service/src/testing/document-schemas.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { mineSigned } from '../harness/signed-blocks.ts';
import { createSigner, fundSigners, type Signed, type Signer } from '../harness/signing-wallet.ts';
import { CREATE_FEE, profile, signOperation, TERMS, tokenContext } from './token-traffic.ts';

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(110);
});
afterAll(() => node.stop());

/** The id that a signed CREATE gives its token. */
function idOf({ tx }: Signed, terms: TokenTerms): Uint8Array {
  const payload = encodeTokenOperation({ kind: 'create', terms }, tokenContext.rules.marker);
  return tokenIdOf(tx.inputs[0]!, payload, tokenContext.genesisPrefix);
}

forEachEngine('a token', (engine) => {
  let service: TestService;
  let issuer: Signer;
  let ann: Signer;
  let ben: Signer;
  let tokenId: Uint8Array;
  let id: string;
  const terms: TokenTerms = {
    ...TERMS,
    ticker: engine.kind === 'sqlite' ? 'GOLD' : 'TIN',
    premine: 1_000n,
    cap: 1_500n,
  };

  beforeAll(async () => {
    [issuer, ann, ben] = ['issuer', 'ann', 'ben'].map((name) =>
      createSigner(`${engine.kind} ${name}`, profile),
    ) as [Signer, Signer, Signer];
    await fundSigners(node, [issuer, ann, ben], 100);
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
  });
  afterAll(() => service.stop());

  const read = async (path: string) => {
    const { status, json } = await service.get(`/api/v1${path}`);
    expect([path, status]).toEqual([path, 200]);
    return json;
  };
  const mine = async (...signed: Signed[]) => {
    const { hash, height } = await mineSigned(node, signed);
    await service.waitForTip(toDisplayHash(hash));
    return height;
  };
  const detail = async () => (await read(`/tokens/${id}`)).token;
  const holders = async () =>
    (await read(`/tokens/${id}/holders`)).items.map(
      ({ address, balance }: { address: string; balance: string }) => [address, balance],
    );
  /** The verdicts on the latest operations of the token, oldest first. */
  const verdicts = async (count: number) => {
    const { items } = await read(`/tokens/${id}/events?include=invalid&limit=${count}`);
    return items.map(({ kind, reason }: { kind: string; reason: string | null }) => reason ?? kind).reverse();
  };
  const transfer = (...shares: [number, bigint][]): TokenOperation => ({
    kind: 'transfer',
    tokenId,
    shares: shares.map(([toVout, amount]) => ({ toVout, amount })),
  });
  const mint = (amount: bigint, closes = false): TokenOperation => ({
    kind: 'mint',
    tokenId,
    closes,
    toVout: 1,
    amount,
  });

  test('is created only for the fee', async () => {
    const cheap = signOperation(issuer, { kind: 'create', terms }, { fee: CREATE_FEE - 1n });
    await mine(cheap);
    expect((await service.get(`/api/v1/tokens/${bytesToHex(idOf(cheap, terms))}`)).json.code).toBe(
      'token_not_found',
    );
    const refused = (await read(`/addresses/${issuer.address}/events?include=invalid`)).items[0];
    expect(refused).toMatchObject({ kind: 'CREATE', valid: false, reason: 'fee_too_low', token_id: null });

    const created = signOperation(issuer, { kind: 'create', terms }, { fee: CREATE_FEE });
    tokenId = idOf(created, terms);
    id = bytesToHex(tokenId);
    // Her id is known before she is sent: who names it too early is refused, and listed.
    await mine(signOperation(ann, mint(1n)), signOperation(ben, transfer([1, 1n])));
    const height = await mine(created);
    expect(await verdicts(5)).toEqual(['token_unknown', 'token_unknown', 'CREATE']);
    const early = await read(`/tokens/${id}/events?include=invalid&limit=2`);
    expect(early.items.map(({ kind }: { kind: string }) => kind)).toEqual(['CREATE', 'TRANSFER']);
    const rest = await read(`/tokens/${id}/events?include=invalid&limit=2&cursor=${early.next_cursor}`);
    expect(rest.items).toMatchObject([
      { kind: 'MINT', reason: 'token_unknown', sender: { address: ann.address } },
    ]);
    expect((await read(`/tokens/${id}/events`)).items).toHaveLength(1);
    expect(await detail()).toMatchObject({
      token_id: id,
      ticker: terms.ticker,
      decimals: 2,
      issuer: { address: issuer.address, script: bytesToHex(issuer.script) },
      supply: {
        circulating: '10.00',
        minted: '10.00',
        burned: '0.00',
        premine: '10.00',
        cap: '15.00',
        mintable: '5.00',
      },
      minting_open: true,
      holders: 1,
      events: 1,
      created: { txid: toDisplayHash(created.txid), height, position: 1 },
      metadata: null,
    });
    expect(await holders()).toEqual([[issuer.address, '10.00']]);
  });

  test('is minted to the cap by its issuer alone, never in part, until minting is closed', async () => {
    await mine(
      signOperation(ann, mint(100n), { to: [ann] }),
      signOperation(issuer, mint(501n), { to: [ann] }),
      signOperation(issuer, mint(200n), { to: [ann] }),
      signOperation(issuer, mint(301n), { to: [ann] }),
      signOperation(issuer, mint(300n), { to: [ben] }),
      signOperation(issuer, mint(1n), { to: [ben] }),
      signOperation(issuer, mint(0n, true), { to: [ben] }),
      signOperation(issuer, mint(0n, true), { to: [ben] }),
    );
    expect(await verdicts(8)).toEqual([
      'not_issuer',
      'cap_exceeded',
      'MINT',
      'cap_exceeded',
      'MINT',
      'cap_exceeded',
      'MINT',
      'minting_closed',
    ]);
    expect((await detail()).supply).toMatchObject({ minted: '15.00', mintable: null });
    expect(await holders()).toEqual([
      [issuer.address, '10.00'],
      [ben.address, '3.00'],
      [ann.address, '2.00'],
    ]);
    expect((await read(`/tokens/${id}/events?limit=1`)).items[0]).toMatchObject({
      kind: 'MINT',
      amount: '0.00',
      recipients: [],
      closes_minting: true,
    });
  });

  test('is split by a transfer, never spent beyond the balance, and burned', async () => {
    const height = await mine(
      signOperation(issuer, transfer([1, 100n], [2, 250n]), { to: [ann, ben] }),
      signOperation(ann, transfer([1, 301n]), { to: [ben] }),
      signOperation(ann, transfer([1, 200n], [2, 101n]), { to: [ben, issuer] }),
      signOperation(ann, { kind: 'burn', tokenId, amount: 301n }),
      signOperation(ann, { kind: 'burn', tokenId, amount: 300n }),
    );
    expect(await verdicts(5)).toEqual([
      'TRANSFER',
      'balance_too_low',
      'balance_too_low',
      'balance_too_low',
      'BURN',
    ]);
    expect(await holders()).toEqual([
      [issuer.address, '6.50'],
      [ben.address, '5.50'],
    ]);
    expect(await detail()).toMatchObject({
      supply: { circulating: '12.00', minted: '15.00', burned: '3.00' },
      holders: 2,
      events: 6,
      transfers: 1,
    });
    const { items } = await read(`/tokens/${id}/events?limit=2`);
    expect(items[1]).toMatchObject({
      kind: 'TRANSFER',
      valid: true,
      height,
      confirmations: 1,
      sender: { address: issuer.address },
      amount: '3.50',
      recipients: [
        { address: ann.address, amount: '1.00' },
        { address: ben.address, amount: '2.50' },
      ],
    });
  });

  test('does not move by a signature that could be moved, by a stranger, or by two payloads', async () => {
    const before = await holders();
    const give = transfer([1, 1n]);
    const second = carrierOutput(encodeTokenOperation(give, tokenContext.rules.marker));
    await mine(
      signOperation(issuer, give, { to: [ann], sighash: 0x83 }),
      signOperation(issuer, give, { to: [ann], sighash: 0x81 }),
      signOperation(ann, give, { to: [ann] }),
      signOperation(issuer, give, { to: [ann], more: [second] }),
    );
    expect(await holders()).toEqual(before);
    // What carries two payloads names no token.
    expect(await verdicts(3)).toEqual(['sender_sighash', 'sender_sighash', 'balance_too_low']);
    const [last] = (await read(`/addresses/${issuer.address}/events?include=invalid&limit=1`)).items;
    expect(last).toMatchObject({ kind: null, token_id: null, reason: 'several_payloads' });
  });

  test('is found by ticker, by digits of its id, by its issuer, and by the search', async () => {
    const ids = async (query: string) =>
      (await read(`/tokens?${query}`)).items.map(({ token_id }: { token_id: string }) => token_id);
    expect(await ids(`q=${terms.ticker.toLowerCase()}`)).toEqual([id]);
    expect(await ids(`q=${terms.ticker.slice(0, 2)}`)).toEqual([id]);
    expect((await read(`/search?q=${terms.ticker.slice(0, 2)}`)).items).toMatchObject([{ id }]);
    expect((await read(`/search/suggestions?q=${terms.ticker.slice(0, 2)}`)).items).toMatchObject([
      { kind: 'token', id, label: terms.ticker },
    ]);
    expect(await ids(`q=${id.slice(0, 14)}`)).toEqual([id]);
    const { tokens } = await read('/tok/stats');
    const { as_of, points } = await read('/tok/series');
    expect(points[0]).toMatchObject({ height: 0, tokens: 0 });
    expect(points).toContainEqual(
      expect.objectContaining({ height: (await read(`/tokens/${id}`)).token.created.height, tokens }),
    );
    expect(points.at(-1)).toMatchObject({ height: as_of.height, tokens });
    expect((await read('/tok/series?points=2')).points).toEqual([points[0], points.at(-1)]);
    expect((await read('/tok/series?range=1d')).points.at(-1)).toEqual(points.at(-1));
    const [second, last] = [points[1], points.at(-2)];
    expect((await read(`/tok/series?from_height=${second.height}&to_height=${last.height}`)).points).toEqual(
      points.slice(1, -1),
    );
    expect((await service.get('/api/v1/tok/series?from_height=9&to_height=8')).json.detail).toContain(
      'begin at or below it',
    );
    expect(await ids(`q=${issuer.address}`)).toEqual([id]);
    expect(await ids(`q=${ann.address}`)).toEqual([]);
    expect((await ids('sort=newest'))[0]).toBe(id);
    expect((await ids('sort=oldest')).at(-1)).toBe(id);
    expect(await ids(`q=${terms.ticker}&sort=holders`)).toEqual([id]);
    expect((await service.get('/api/v1/tokens?q=no%20such')).json.code).toBe('invalid_parameter');
    const hit = { kind: 'token', id, path: `/api/v1/tokens/${id}` };
    expect((await read(`/search?q=${id}`)).items).toEqual([hit]);
    expect((await read(`/search?q=${terms.ticker}`)).items).toEqual([hit]);
  });

  test('stands with its addresses: balance, role, activity, page by page', async () => {
    expect(await read(`/addresses/${ben.address}/tokens`)).toMatchObject({
      address: ben.address,
      items: [{ token_id: id, balance: '5.50', is_issuer: false, mintable: null }],
      next_cursor: null,
    });
    expect((await read(`/addresses/${issuer.address}/tokens`)).items).toMatchObject([
      { token_id: id, is_issuer: true, balance: '6.50', mintable: null },
    ]);
    for (const path of [
      `/addresses/${ben.address}/events`,
      `/tokens/${id}/events`,
      `/tokens/${id}/holders`,
    ]) {
      const all = (await read(`${path}?limit=100`)).items;
      expect(all.length).toBeGreaterThan(1);
      const paged: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await read(`${path}?limit=1${cursor && `&cursor=${cursor}`}`);
        paged.push(...page.items);
        cursor = page.next_cursor;
      }
      expect(paged).toEqual(all);
    }
  });

  test('is not hidden by a token whose ticker is made of the first digits of its id', async () => {
    const ticker = id.slice(0, 10).toUpperCase();
    const terms = { ...TERMS, ticker };
    const made = [0, 1].map(() => signOperation(ann, { kind: 'create', terms }, { fee: CREATE_FEE }));
    await mine(...made);
    const read = async (query: string) => (await service.get(`/api/v1/tokens?q=${ticker}${query}`)).json;
    const { items, next_cursor } = await read('&limit=2');
    expect(items.map(({ token_id }: { token_id: string }) => token_id)[0]).toBe(id);
    expect(items).toMatchObject([{ token_id: id }, { ticker }]);
    const rest = await read(`&limit=2&cursor=${next_cursor}`);
    expect(rest).toMatchObject({ items: [{ ticker }], next_cursor: null });
    expect(rest.items[0].token_id).not.toBe(items[1].token_id);
    expect((await read('&limit=1')).items).toMatchObject([{ ticker }]);
  });

  test('has pages of holders that go on after a block, and expire when their block is replaced', async () => {
    const path = `/tokens/${id}/holders?limit=1`;
    await mine();
    const shown = await read(path);
    const next = `/api/v1${path}&cursor=${shown.next_cursor}`;
    await mine();
    expect((await service.get(next)).json.items).toMatchObject([{ address: ben.address }]);
    await node.rpc('invalidateblock', shown.as_of.hash);
    await node.mine(3);
    await service.waitForTip();
    expect((await service.get(next)).json.code).toBe('cursor_expired');
  });

  test('goes back with its blocks: balances, events and hashes of before', async () => {
    const status = await read('/tok/status');
    expect(status.indexer).toEqual({ state: 'ready', lag_blocks: 0 });
    const stats = await read('/tok/stats');
    const kept = { holders: await holders(), events: (await read(`/tokens/${id}/events`)).items };
    const coins = [...issuer.coins];
    const { hash } = await mineSigned(node, [
      signOperation(issuer, transfer([1, 650n]), { to: [ann] }),
      signOperation(ann, { kind: 'burn', tokenId, amount: 650n }),
    ]);
    await service.waitForTip(toDisplayHash(hash));
    expect(await holders()).toEqual([[ben.address, '5.50']]);
    const gone = (await read('/tok/status')).chain_hash;

    await node.rpc('invalidateblock', toDisplayHash(hash));
    issuer.coins.splice(0, issuer.coins.length, ...coins);
    await node.rpc('generateblock', await node.newAddress(), []);
    await service.waitForTip();
    expect(await holders()).toEqual(kept.holders);
    expect((await read(`/tokens/${id}/events`)).items.map(({ txid }: { txid: string }) => txid)).toEqual(
      kept.events.map(({ txid }: { txid: string }) => txid),
    );
    expect((await read('/tok/stats')).events).toBe(stats.events);
    const after = await read('/tok/status');
    expect(after.chain_hash).not.toBe(gone);
    const at = await read(`/tok/hashes/${status.as_of.height}`);
    expect(at.as_of).toEqual(after.as_of);
    expect(at.chain_hash).toBe(status.chain_hash);
    expect(at.block_hash).toBe(status.as_of.hash);
    expect((await read(`/tok/hashes/${after.as_of.height}`)).chain_hash).toBe(after.chain_hash);
  });

  test('is answered as the document says', async () => {
    const document = await read('/tok/openapi.json');
    for (const [template, { get }] of Object.entries<Record<string, never>>(document.paths)) {
      if (get === undefined || template.includes('metadata') || template.includes('logo')) continue;
      const path = template
        .replace('{token_id}', id)
        .replace('{address}', issuer.address)
        .replace('{height}', '100');
      const json = await read(path);
      // biome-ignore lint/suspicious/noExplicitAny: a document has any shape
      const { schema } = (get as any).responses['200'].content['application/json'];
      expect(findMismatches(schema, document, json)).toEqual([]);
    }
  });
});
