import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { createTokenLedger } from '@coinfront/protocol/testing/token-ledger.ts';
import type { TokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../scripts/traffic/random.ts';
import { findMismatches } from '../../service/src/testing/document-schemas.ts';
import { forEachEngine } from '../harness/engines.ts';
import { howMany } from '../harness/how-many.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { mineSigned, rememberCoins } from '../harness/signed-blocks.ts';
import { createSigner, fundSigners, type Signed, type Signer } from '../harness/signing-wallet.ts';
import {
  CREATE_FEE,
  connectToLedger,
  listTokenIds,
  profile,
  signOperation,
  signRandomOf,
  TERMS,
  tokenContext,
} from './token-traffic.ts';

const SIGNERS = 40;
/** Blocks of one transaction of each signer. */
const BLOCKS = howMany(12, 25);

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(150);
});
afterAll(() => node.stop());

type Check = { name: string; result: string; reason: string | null };

forEachEngine('the preflight', (engine) => {
  let service: TestService;
  let signers: Signer[];
  // biome-ignore lint/suspicious/noExplicitAny: a document has any shape
  let document: any;
  const ids: Uint8Array[] = [];
  const ledger = createTokenLedger(tokenContext);

  beforeAll(async () => {
    signers = Array.from({ length: SIGNERS }, (_, i) =>
      createSigner(`${engine.kind} preflight ${i}`, profile, i % 5 === 1 ? 'p2pkh' : 'p2wpkh'),
    );
    await fundSigners(node, signers, 40);
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
    document = (await service.get('/api/v1/tok/openapi.json')).json;
    const created = signers.map((signer) =>
      signOperation(signer, { kind: 'create', terms: { ...TERMS, cap: 1_100n } }, { fee: CREATE_FEE }),
    );
    for (const entry of await mine(created)) {
      if ('event' in entry) ids.push(...listTokenIds(entry.event));
    }
    expect(ids.length).toBe(SIGNERS);
  });
  afterAll(() => service.stop());

  const mine = async (signed: readonly Signed[]) => {
    const block = await mineSigned(node, signed);
    await service.waitForTip(toDisplayHash(block.hash));
    return connectToLedger(ledger, block);
  };
  const preflight = async (rawTx: string) => {
    const { status, json } = await service.post('/api/v1/tok/preflight', { raw_tx: rawTx });
    expect(status).toBe(200);
    return json;
  };
  const results = (json: { checks: Check[] }) =>
    Object.fromEntries(json.checks.map(({ name, result, reason }) => [name, reason ?? result]));

  test('says of every random signed transaction what the index says when it is mined', async () => {
    const random = createRandom(engine.kind === 'sqlite' ? 21 : 22);
    const kinds: TokenOperation['kind'][] = ['create', 'mint', 'mint', 'transfer', 'transfer', 'burn'];
    const seen = new Map<string, number>();
    let judged = 0;
    for (let round = 0; round < BLOCKS; round++) {
      const shift = random.pick([0, 0, 0, 1, 7]);
      // Each token is named once a block: no transaction changes what another one was judged on.
      const signed = signers.map((signer, i) =>
        signRandomOf(random, random.pick(kinds), signer, signers, ids[(i + shift) % SIGNERS]),
      );
      const verdicts: Awaited<ReturnType<typeof preflight>>[] = [];
      for (const { hex } of signed) verdicts.push(await preflight(hex));
      await mine(signed);
      for (const [i, { txid }] of signed.entries()) {
        const path = `/api/v1/addresses/${signers[i]!.address}/events?include=invalid&limit=5`;
        const { items } = (await service.get(path)).json;
        const event = items.find((item: { txid: string }) => item.txid === toDisplayHash(txid));
        const verdict = verdicts[i]!;
        expect([verdict.valid, verdict.reason]).toEqual([event.valid, event.reason]);
        if (event.valid) {
          expect(verdict.operation).toMatchObject({
            kind: event.kind,
            token_id: event.token_id,
            amount: event.amount,
          });
          // Nodes take what is valid, signed and pays.
          expect(verdict.ok, JSON.stringify(verdict.checks)).toBe(true);
          expect(verdict.pending.operations).toBe(0);
        } else expect(verdict.ok).toBe(false);
        const key = event.reason ?? event.kind;
        seen.set(key, (seen.get(key) ?? 0) + 1);
        judged++;
      }
      // The predicted balances are those that are there.
      const [{ effect, operation }] = verdicts;
      for (const { address, after } of effect?.balances ?? []) {
        const { items } = (await service.get(`/api/v1/addresses/${address}/tokens?limit=100`)).json;
        const now = items.find((item: { token_id: string }) => item.token_id === operation.token_id);
        expect(Number(now?.balance ?? 0)).toBe(Number(after));
      }
      const { schema } = document.paths['/tok/preflight'].post.responses['200'].content['application/json'];
      expect(findMismatches(schema, document, verdicts[0])).toEqual([]);
    }
    expect(judged).toBe(BLOCKS * SIGNERS);
    for (const each of ['CREATE', 'MINT', 'TRANSFER', 'BURN', 'balance_too_low', 'cap_exceeded'])
      expect(seen.get(each), each).toBeGreaterThan(0);
  });

  test('refuses a signature that does not verify, bytes that are nothing, and unknown inputs', async () => {
    const [signer] = signers as [Signer];
    const goBack = rememberCoins(signers);
    const { hex, tx } = signOperation(signer, { kind: 'burn', tokenId: ids[0]!, amount: 1n });
    const signature = bytesToHex(tx.inputs[0]!.witness[0]!);
    const forged = `${signature.slice(0, 20)}${signature[20] === '0' ? '1' : '0'}${signature.slice(21)}`;
    const bad = await preflight(hex.replace(signature, forged));
    expect(bad.ok).toBe(false);
    expect(results(bad).mempool).toBe('script_failed');
    goBack();

    const nothing = await preflight('00ff');
    expect(results(nothing)).toMatchObject({ parse: 'undecodable', payload: 'skipped', mempool: 'skipped' });
    expect([nothing.ok, nothing.valid, nothing.txid]).toEqual([false, null, null]);

    const coins = [...signer.coins];
    signer.coins.splice(0, coins.length, { txid: new Uint8Array(32).fill(7), vout: 0, value: 100_000n });
    const orphan = await preflight(signOperation(signer, { kind: 'burn', tokenId: ids[0]!, amount: 1n }).hex);
    signer.coins.splice(0, signer.coins.length, ...coins);
    expect(results(orphan)).toMatchObject({ sender: 'prevout_missing', mempool: 'missing_inputs' });
    expect([orphan.ok, orphan.valid]).toEqual([false, null]);
  });

  /** A new token of a hundred units, and what gives some of them to somebody else. */
  const issueToken = async () => {
    const token = { kind: 'create', terms: { ...TERMS, premine: 100n, cap: undefined } } as const;
    const [issuer, other] = signers as [Signer, Signer];
    const [entry] = await mine([signOperation(issuer, token, { fee: CREATE_FEE })]);
    const tokenId = 'event' in entry! ? listTokenIds(entry.event)[0]! : undefined!;
    const give = (amount: bigint) =>
      signOperation(issuer, { kind: 'transfer', tokenId, shares: [{ toVout: 1, amount }] }, { to: [other] });
    return { issuer, give };
  };

  test('counts what its sender has in the mempool, and never sends anything', async () => {
    const { issuer, give } = await issueToken();
    const first = give(60n);
    await node.rpc('sendrawtransaction', first.hex);
    await service.waitForMempool();
    const coins = [...issuer.coins];
    const fits = await preflight(give(40n).hex);
    issuer.coins.splice(0, issuer.coins.length, ...coins);
    expect(fits).toMatchObject({
      ok: true,
      pending: { operations: 1, debits: '0.60', available: '0.40', complete: true },
    });
    const tooMuch = await preflight(give(41n).hex);
    issuer.coins.splice(0, issuer.coins.length, ...coins);
    // On the confirmed state alone it would pass.
    expect(tooMuch).toMatchObject({ ok: false, valid: true, effect: { holders: { before: 1, after: 2 } } });
    expect(results(tooMuch)).toMatchObject({ operation: 'passed', pending: 'balance_too_low' });
    // What is in the mempool already does not stand in its own way.
    expect(await preflight(first.hex)).toMatchObject({ valid: true, pending: { operations: 0 } });
    expect(await node.rpc('getrawmempool')).toEqual([toDisplayHash(first.txid)]);
    await mine([first]);
    const done = await preflight(first.hex);
    expect(results(done).operation).toBe('confirmed');
    expect([done.ok, done.valid]).toEqual([false, null]);
  });

  test('does not count what goes with what it replaces, or what builds upon it', async () => {
    const { issuer, give } = await issueToken();
    // One coin, so that the second transaction spends the change of the first.
    issuer.coins.splice(0, issuer.coins.length - 1);
    const coins = [...issuer.coins];
    const first = give(30n);
    await node.rpc('sendrawtransaction', first.hex);
    const second = give(60n);
    expect(second.tx.inputs[0]!.prevTxid).toEqual(first.txid);
    await node.rpc('sendrawtransaction', second.hex);
    await service.waitForMempool();
    // In the mempool it comes before what spends its change, which could not have the 60 otherwise.
    const known = await preflight(first.hex);
    expect(known).toMatchObject({ ok: true, pending: { operations: 0 } });
    const rest = [...issuer.coins];
    issuer.coins.splice(0, issuer.coins.length, ...coins);
    const replacement = await preflight(give(90n).hex);
    issuer.coins.splice(0, issuer.coins.length, ...rest);
    expect(replacement).toMatchObject({ valid: true, pending: { operations: 0, available: '1.00' } });
    expect(results(replacement).pending).toBe('passed');
    await mine([first, second]);
  });

  test('says what a CREATE pays, and what it must pay', async () => {
    const [, signer] = signers as [Signer, Signer];
    const goBack = rememberCoins(signers);
    const cheap = await preflight(
      signOperation(signer, { kind: 'create', terms: TERMS }, { fee: CREATE_FEE - 1n }).hex,
    );
    goBack();
    expect(cheap).toMatchObject({
      ok: false,
      valid: false,
      reason: 'fee_too_low',
      create_fee: { paid: '0.99999999', required: '1.00000000', required_after: '1.00000000' },
    });
    expect(results(cheap)).toMatchObject({ operation: 'passed', create_fee: 'fee_too_low' });
  });
});
