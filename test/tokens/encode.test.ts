import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { Transaction } from '@scure/btc-signer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findMismatches } from '../../service/src/testing/document-schemas.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { createSigner, fundSigners, type Signer } from '../harness/signing-wallet.ts';
import { profile } from './token-traffic.ts';

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(110);
});
afterAll(() => node.stop());

forEachEngine('what is encoded', (engine) => {
  let service: TestService;
  let issuer: Signer;
  let legacy: Signer;
  let nested: Signer;
  let taproot: Signer;
  let id = '';
  // biome-ignore lint/suspicious/noExplicitAny: a document has any shape
  let document: any;

  beforeAll(async () => {
    issuer = createSigner(`${engine.kind} issuer`, profile);
    legacy = createSigner(`${engine.kind} legacy`, profile, 'p2pkh');
    nested = createSigner(`${engine.kind} nested`, profile, 'p2sh-p2wpkh');
    taproot = createSigner(`${engine.kind} taproot`, profile, 'p2tr');
    await fundSigners(node, [issuer, legacy, nested, taproot], 20);
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
    document = (await service.get('/api/v1/tok/openapi.json')).json;
  });
  afterAll(() => service.stop());

  const encode = async (kind: string, body: object) => {
    const { status, json } = await service.post(`/api/v1/tok/encode/${kind}`, body);
    expect([kind, status, json.detail]).toEqual([kind, 200, undefined]);
    const { schema } =
      document.paths[`/tok/encode/${kind}`].post.responses['200'].content['application/json'];
    expect(findMismatches(schema, document, json)).toEqual([]);
    return json;
  };
  const refusal = async (kind: string, body: object) =>
    (await service.post(`/api/v1/tok/encode/${kind}`, body)).json.code;
  /** Signs a PSBT as a wallet does, sends it, and mines it. */
  const sendSigned = async (psbt: string, signer: Signer) => {
    const tx = Transaction.fromPSBT(Buffer.from(psbt, 'base64'), { allowUnknownOutputs: true });
    tx.sign(signer.privateKey);
    tx.finalize();
    const checked = (await service.post('/api/v1/tok/preflight', { raw_tx: tx.hex })).json;
    expect(checked.ok, JSON.stringify(checked.checks)).toBe(true);
    const sent = await service.post('/api/v1/broadcast', { raw_tx: tx.hex });
    expect(sent.status).toBe(200);
    await service.waitForTip((await node.mine(1))[0]!);
    return checked;
  };
  const token = async () => (await service.get(`/api/v1/tokens/${id}`)).json.token;
  const create = { ticker: 'ORE', decimals: 3, premine: '10', mintable: true, cap: '25.5' };

  test('as a CREATE is that token, with the id that was told before it was signed', async () => {
    const blind = await encode('create', create);
    expect(blind).toMatchObject({ token_id: null, transaction: null, next_block: { valid: true } });
    expect(blind.outputs.map(({ purpose, amount }: Record<string, string>) => [purpose, amount])).toEqual([
      ['carrier', '0.00000000'],
      ['fee', '1.00000000'],
    ]);
    const planned = await encode('create', { ...create, address: issuer.address, fee_rate: '0.0002' });
    expect(planned.payload).toBe(blind.payload);
    expect(planned.warnings.map(({ code }: { code: string }) => code)).toContain('keep_first_input');
    id = planned.token_id;
    const checked = await sendSigned(planned.transaction.psbt, issuer);
    expect(checked.operation).toMatchObject({ kind: 'CREATE', token_id: id });
    expect(await token()).toMatchObject({
      ticker: 'ORE',
      issuer: { address: issuer.address },
      supply: { minted: '10.000', cap: '25.500', mintable: '15.500' },
    });
    const again = await encode('create', create);
    expect(again.warnings.map(({ code }: { code: string }) => code)).toContain('ticker_taken');
  });

  test('as a MINT, a TRANSFER and a BURN does what it says, for each kind of address', async () => {
    const mint = await encode('mint', {
      token_id: id,
      amount: '15.5',
      close: true,
      to: legacy.address,
      address: issuer.address,
    });
    expect(mint).toMatchObject({ next_block: { valid: true, reason: null }, token_id: id });
    await sendSigned(mint.transaction.psbt, issuer);
    expect(await token()).toMatchObject({ supply: { minted: '25.500' }, minting_open: false });

    const transfer = await encode('transfer', {
      token_id: id,
      recipients: [
        { to: issuer.address, amount: '0.001' },
        { to: nested.address, amount: '5' },
      ],
      address: legacy.address,
    });
    await sendSigned(transfer.transaction.psbt, legacy);

    const noKey = await encode('burn', { token_id: id, amount: '1', address: nested.address });
    expect(noKey).toMatchObject({
      transaction: null,
      transaction_refused: { code: 'public_key_needed' },
      next_block: { valid: true },
    });
    const burn = await encode('burn', {
      token_id: id,
      amount: '1',
      address: nested.address,
      public_key: bytesToHex(nested.publicKey),
    });
    await sendSigned(burn.transaction.psbt, nested);
    const onwards = await encode('transfer', {
      token_id: id,
      recipients: [{ to: taproot.address, amount: '1.5' }],
      address: nested.address,
      public_key: bytesToHex(nested.publicKey),
    });
    await sendSigned(onwards.transaction.psbt, nested);
    const back = await encode('transfer', {
      token_id: id,
      recipients: [{ to: nested.address, amount: '1.5' }],
      address: taproot.address,
      public_key: bytesToHex(taproot.internalKey!),
    });
    await sendSigned(back.transaction.psbt, taproot);
    const { items } = (await service.get(`/api/v1/tokens/${id}/holders`)).json;
    expect(items.map(({ address, balance }: Record<string, string>) => [address, balance])).toEqual([
      [legacy.address, '10.499'],
      [issuer.address, '10.001'],
      [nested.address, '4.000'],
    ]);
    expect((await token()).supply).toMatchObject({ burned: '1.000', circulating: '24.500' });
  });

  test('is told to be invalid before it is paid for, and refused where it can be nothing', async () => {
    const mine = { token_id: id, address: issuer.address };
    const above = await encode('burn', { ...mine, amount: '10.002' });
    expect(above).toMatchObject({
      next_block: { valid: false, reason: 'balance_too_low' },
      transaction: null,
      transaction_refused: { code: 'not_valid_now' },
    });
    expect(above.transaction_refused.text).toContain('lower than the sum');
    const share = { recipients: [{ to: legacy.address, amount: '10.002' }] };
    for (const [kind, body, reason] of [
      ['transfer', { ...mine, ...share }, 'balance_too_low'],
      ['mint', { ...mine, amount: '1' }, 'minting_closed'],
      ['mint', { token_id: id, amount: '1', to: legacy.address, address: legacy.address }, 'not_issuer'],
    ] as const) {
      const refused = await encode(kind, body);
      expect(refused).toMatchObject({ next_block: { reason }, transaction: null });
      expect(refused.transaction_refused.code).toBe('not_valid_now');
      const forced = await encode(kind, { ...body, force: 'prepare' });
      expect(forced).toMatchObject({ next_block: { reason }, transaction_refused: null });
      expect(forced.transaction.psbt).toMatch(/^cHNidP/);
    }
    expect(await refusal('burn', { ...mine, amount: '1', force: 'sign' })).toBe('invalid_body');
    expect(await encode('burn', { token_id: id, amount: '1' })).toMatchObject({
      next_block: null,
      warnings: [{ code: 'burn_is_final' }, { code: 'sender_unchecked' }],
    });
    // No state makes these valid: nothing is handed out, forced or not, with a sender or without.
    for (const extra of [{}, { address: issuer.address }, { address: issuer.address, force: 'prepare' }]) {
      expect(await refusal('create', { ...create, premine: '26', ...extra })).toBe('amount_invalid');
      const fixed = { ticker: 'ORE', decimals: 3, premine: '0', mintable: false };
      expect(await refusal('create', { ...fixed, ...extra })).toBe('amount_invalid');
      expect(await refusal('burn', { token_id: id, amount: '0', ...extra })).toBe('amount_invalid');
      expect(await refusal('burn', { token_id: id, amount: '25.501', ...extra })).toBe('amount_invalid');
      const nothing = { token_id: id, recipients: [{ to: legacy.address, amount: '0' }], ...extra };
      expect(await refusal('transfer', nothing)).toBe('amount_invalid');
      const all = { to: legacy.address, amount: '15' };
      expect(await refusal('transfer', { ...nothing, recipients: [all, all] })).toBe('amount_invalid');
      const mint = { token_id: id, to: legacy.address, ...extra };
      expect(await refusal('mint', { ...mint, amount: '0' })).toBe('amount_invalid');
      expect(await refusal('mint', { ...mint, amount: '15.501' })).toBe('amount_invalid');
    }
    const poor = createSigner(`${engine.kind} poor`, profile);
    expect(await encode('create', { ...create, address: poor.address })).toMatchObject({
      transaction: null,
      transaction_refused: { code: 'insufficient_funds' },
    });
    expect(await refusal('burn', { ...mine, amount: '1.0001' })).toBe('amount_invalid');
    expect(await refusal('burn', { ...mine, amount: '9999999999999999' })).toBe('amount_invalid');
    expect(await refusal('burn', { ...mine, token_id: 'ab'.repeat(32), amount: '1' })).toBe(
      'token_not_found',
    );
    expect(await refusal('burn', { ...mine, amount: '1', address: 'nobody' })).toBe('address_invalid');
    expect(await refusal('burn', { ...mine, amount: '1', fee_rate: '0' })).toBe('invalid_body');
    expect(await refusal('burn', { ...mine, amount: '1', secret: 'x' })).toBe('invalid_body');
    expect(await refusal('create', { ...create, ticker: 'ore' })).toBe('invalid_body');
    const crowd = Array.from({ length: 21 }, () => ({ to: issuer.address, amount: '1' }));
    expect(await refusal('transfer', { ...mine, recipients: crowd })).toBe('invalid_body');
  });
});
