import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { nameCommitment } from '@coinfront/protocol/names/name-commitment.ts';
import { encodeNameOperation } from '@coinfront/protocol/names/name-operation.ts';
import { Transaction } from '@scure/btc-signer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findMismatches } from '../../service/src/testing/document-schemas.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import type { ServiceAnswer } from '../harness/service.ts';
import { createSigner, fundSigners, type Signer } from '../harness/signing-wallet.ts';
import { commitTo, type NameDesk, openNameDesk, registerOf, signOperation } from './name-desk.ts';
import { shortLivedContext, shortLivedProfile } from './name-profile.ts';

const SALT = '2f9d0c41b7e85a6390c4d1e2f3a4b5c6';
const PRICE = 10_000_000n;
const { rules, genesisPrefix } = shortLivedContext;

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(130);
});
afterAll(() => node.stop());

forEachEngine('an operation that the service builds', (engine) => {
  const { kind } = engine;
  const ann = createSigner(`ann encodes ${kind}`, shortLivedProfile);
  const ben = createSigner(`ben encodes ${kind}`, shortLivedProfile, 'p2sh-p2wpkh');
  const cat = createSigner(`cat encodes ${kind}`, shortLivedProfile, 'p2pkh');
  const dan = createSigner(`dan encodes ${kind}`, shortLivedProfile, 'p2tr');
  /** Signs without the service: her coins are known to the test alone. */
  const eve = createSigner(`eve encodes ${kind}`, shortLivedProfile);
  const everyone = [ann, ben, cat, dan, eve];
  let desk: NameDesk;
  let document: ServiceAnswer['json'];

  beforeAll(async () => {
    for (let i = 0; i < 2; i++) await fundSigners(node, everyone, 30);
    desk = await openNameDesk(node, await engine.openUrl());
    document = (await desk.get('/openapi.json')).json;
  });
  afterAll(() => desk.stop());

  const nameOf = (label: string) => `${label}-${kind}.coin`;
  const tipHeight = () => node.rpc<number>('getblockcount');
  const encode = async (operation: string, body: unknown) => {
    const answer = await desk.post(`/encode/${operation}`, body);
    expect([answer.status, answer.json.detail]).toEqual([200, undefined]);
    const { schema } =
      document.paths[`/encode/${operation}`].post.responses['200'].content['application/json'];
    expect(findMismatches(schema, document, answer.json)).toEqual([]);
    return answer.json;
  };
  const codes = ({ warnings }: ServiceAnswer['json']) => warnings.map(({ code }: { code: string }) => code);
  /** As a wallet does it: from the PSBT alone, and the key. */
  const sign = (psbt: string, { privateKey }: Signer): string => {
    const tx = Transaction.fromPSBT(Buffer.from(psbt, 'base64'), { allowUnknownOutputs: true });
    tx.sign(privateKey);
    tx.finalize();
    return tx.hex;
  };
  /** Sent as any wallet sends it, so that the node's relay policy has a say, and mined. */
  const send = async (encoded: ServiceAnswer['json'], signer: Signer): Promise<number> => {
    expect(encoded.transaction_refused).toBe(null);
    const sent = await desk.service.post('/api/v1/broadcast', {
      raw_tx: sign(encoded.transaction.psbt, signer),
    });
    expect([sent.status, sent.json.detail]).toEqual([200, undefined]);
    await desk.service.waitForTip((await node.mine(1))[0]!);
    return await tipHeight();
  };

  test('is signed from its PSBT, mined, and does what was said: commit, register, transfer, renewal', async () => {
    const name = nameOf('whole');
    const commit = await encode('commit', { name, salt: SALT, address: ann.address });
    const commitment = nameCommitment(
      { ownerScript: ann.script, salt: getHexBytes(SALT), name },
      genesisPrefix,
    );
    expect(commit).toMatchObject({
      operation: 'commit',
      commitment: bytesToHex(commitment),
      payload: bytesToHex(encodeNameOperation({ kind: 'commit', commitment }, rules.marker)),
      cost: null,
      next_block: { valid: true, reason: null },
      warnings: [],
      latest: null,
    });
    expect(commit.earliest.height).toBe((await tipHeight()) + 1);
    const committed = await send(commit, ann);

    const body = { name, salt: SALT, periods: 2, address: ann.address };
    const early = await encode('register', body);
    expect(early).toMatchObject({
      earliest: { height: committed + 3 },
      latest: { height: committed + 12 },
      next_block: { valid: false, reason: 'commit_immature' },
      cost: { per_period: '0.10000000', periods: 2, premium: '0.00000000', total: '0.20000000' },
    });
    expect(codes(early)).toEqual(['commit_immature']);
    // Mined too early it would pay its price for nothing: it is prepared only for who insists.
    expect(early).toMatchObject({ transaction: null, transaction_refused: { code: 'not_valid_now' } });
    expect(early.transaction_refused.text).toContain(`block ${committed + 3} can have it`);
    const forced = await encode('register', { ...body, force: 'prepare' });
    expect(forced).toMatchObject({ next_block: { valid: false }, transaction_refused: null });
    expect(forced.transaction.psbt).toMatch(/^cHNidP/);
    expect(early.outputs.map(({ purpose, amount }: Record<string, string>) => [purpose, amount])).toEqual([
      ['carrier', '0.00000000'],
      ['fee', '0.20000000'],
    ]);
    await desk.mineTo(committed + 2);
    const register = await encode('register', body);
    expect(register.payload).toBe(early.payload);
    expect(register).toMatchObject({ next_block: { valid: true }, warnings: [] });
    const registered = await send(register, ann);
    expect(registered).toBe(register.earliest.height);
    expect((await desk.get(`/name/${name}`)).json).toMatchObject({
      state: 'registered',
      owner: { address: ann.address },
      expiry: { height: registered + 40 },
    });

    const transfer = await encode('transfer', { name, to: ben.address, address: ann.address });
    expect(transfer).toMatchObject({
      next_block: { valid: true },
      latest: { height: registered + 39 },
      cost: null,
      outputs: [{ purpose: 'carrier' }, { purpose: 'recipient', address: ben.address, amount: '0.00005460' }],
    });
    await send(transfer, ann);
    expect((await desk.get(`/resolve/${name}`)).json.address).toBe(ben.address);

    // By strangers, of P2TR and P2PKH; then on by its owner, whose P2SH needs a public key.
    const renewal = await encode('renew', { name, periods: 2, address: dan.address, fee_rate: '0.0001' });
    expect(renewal).toMatchObject({
      next_block: { valid: false, reason: 'periods_too_many' },
      transaction: null,
      transaction_refused: { code: 'not_valid_now' },
    });
    expect(codes(renewal)).toEqual(['periods_too_many', 'renews_for_other']);
    const possible = renewal.earliest.height;
    expect(possible).toBe(registered + 40 + 40 - 60);
    await desk.mineTo(possible - 1);
    const renew = { name, periods: 2, address: cat.address };
    const allowed = await encode('renew', renew);
    expect(allowed).toMatchObject({ next_block: { valid: true } });
    expect(codes(allowed)).toEqual(['renews_for_other']);
    await send(allowed, cat);
    expect((await desk.get(`/resolve/${name}`)).json).toMatchObject({
      address: ben.address,
      expiry: { height: registered + 80 },
    });
    const keyless = await encode('transfer', { name, to: dan.address, address: ben.address });
    expect(keyless).toMatchObject({
      transaction: null,
      transaction_refused: { code: 'public_key_needed' },
      next_block: { valid: true },
    });
    const on = { name, to: dan.address, address: ben.address, public_key: bytesToHex(ben.publicKey) };
    await send(await encode('transfer', { ...on, amount: '0.5', fee_rate: '0.00002' }), ben);
    expect((await desk.get(`/resolve/${name}`)).json.address).toBe(dan.address);
    const key = bytesToHex(dan.internalKey!);
    const back = { name, to: ann.address, address: dan.address, public_key: key };
    await send(await encode('transfer', back), dan);
    expect((await desk.get(`/resolve/${name}`)).json.address).toBe(ann.address);
  });

  test('can be built without telling who sends it, or which name it is about', async () => {
    const commitment = 'ab'.repeat(32);
    expect(await encode('commit', { commitment })).toMatchObject({
      name: null,
      commitment,
      sender: null,
      transaction: null,
      transaction_refused: null,
      next_block: { valid: true },
      payload: `564e533101${commitment}`,
      script: `6a25564e533101${commitment}`,
    });
    const name = nameOf('secret');
    const register = await encode('register', { name, salt: SALT, periods: 1 });
    expect(register).toMatchObject({ commitment: null, next_block: null, transaction: null });
    expect(codes(register)).toEqual(['commit_unchecked']);
    const transfer = await encode('transfer', { name: nameOf('whole'), to: ben.address });
    expect(codes(transfer)).toEqual(['owner_unchecked']);
  });

  test('warns of what would make it invalid, as the rules then say', async () => {
    const name = nameOf('warned');
    const body = { name, salt: SALT, periods: 1, address: ann.address };
    expect(codes(await encode('register', body))).toEqual(['commit_missing']);
    expect(codes(await encode('transfer', { name, to: ben.address }))).toEqual(['name_not_registered']);
    expect((await encode('renew', { name, periods: 1 })).next_block).toEqual({
      valid: false,
      reason: 'name_not_registered',
    });
    expect(codes(await encode('commit', { name, salt: '00'.repeat(16), owner: ann.address }))).toEqual([
      'salt_weak',
    ]);
    // Ann and Eve want the same name.
    const commit = await encode('commit', { name, salt: SALT, address: ann.address });
    await desk.service.post('/api/v1/broadcast', { raw_tx: sign(commit.transaction.psbt, ann) });
    await desk.service.waitForMempool();
    expect(codes(await encode('register', body))).toEqual(['commit_pending']);
    await desk.mine(sign(commit.transaction.psbt, ann), signOperation(eve, commitTo(eve, name)));
    const committed = await tipHeight();
    expect(codes(await encode('commit', { name, salt: SALT, address: ann.address }))).toEqual([
      'commit_known',
    ]);
    await desk.mineTo(committed + 2);
    const rival = signOperation(eve, registerOf(name), { paid: PRICE });
    await node.rpc('sendrawtransaction', rival.hex);
    await desk.service.waitForMempool();
    const raced = await encode('register', body);
    expect(raced.next_block.valid).toBe(true);
    expect(codes(raced)).toEqual(['race_pending']);
    // The rival is first: the loser is told afterwards that the name is taken.
    await desk.mine(rival, sign(raced.transaction.psbt, ann));
    expect((await desk.get('/operations?limit=2')).json.items).toMatchObject([
      { valid: false, reason: 'name_taken', sender: { address: ann.address } },
      { valid: true, sender: { address: eve.address } },
    ]);
    const taken = await encode('register', body);
    expect(taken).toMatchObject({ earliest: null, latest: null, next_block: { reason: 'name_taken' } });
    expect(codes(taken)).toEqual(['commit_ends_before_free', 'name_registered']);
    expect(codes(await encode('transfer', { name, to: ben.address, address: ann.address }))).toEqual([
      'not_owner',
    ]);

    const { expiry } = (await desk.get(`/name/${name}`)).json;
    await desk.mineTo(committed + 12);
    expect(codes(await encode('register', body))).toEqual(['commit_expired', 'name_registered']);
    await desk.mineTo(expiry.height - 2);
    const late = { name, to: ben.address, address: eve.address };
    expect(codes(await encode('transfer', late))).toEqual(['name_expires_soon']);
    await desk.mineTo(expiry.height - 1);
    expect(await encode('transfer', late)).toMatchObject({
      next_block: { valid: false, reason: 'name_expired' },
      earliest: null,
    });
    expect(codes(await encode('renew', { name, periods: 1 }))).toEqual(['name_in_grace']);
    const wait = await encode('commit', { name, salt: SALT, owner: ann.address });
    expect(codes(wait)).toEqual(['name_in_grace', 'premium_decaying']);
    await desk.mine(signOperation(eve, commitTo(ann, name)));
    await desk.mineTo(expiry.height + 7);
    const lapsed = await encode('renew', { name, periods: 1 });
    // The state is that of `as_of`; the next block, in which the grace is over, is what `/availability` tells of.
    expect((await desk.get(`/name/${name}`)).json).toMatchObject({
      state: 'grace',
      as_of: { height: expiry.height + 7 },
    });
    expect((await desk.get(`/availability/${name}`)).json.status).toBe('premium');
    expect(lapsed).toMatchObject({ next_block: { reason: 'name_lapsed' }, earliest: null });
    const paying = { name, periods: 1, address: cat.address };
    expect(await encode('renew', paying)).toMatchObject({
      next_block: { reason: 'name_lapsed' },
      transaction: null,
      transaction_refused: { code: 'not_valid_now' },
    });
    expect(await encode('renew', { ...paying, force: 'prepare' })).toMatchObject({
      next_block: { valid: false },
      transaction: { inputs: [{}] },
    });
    expect(codes(lapsed)).toEqual(['name_lapsed']);
    const premium = await encode('register', { ...body, salt: '09'.repeat(16) });
    expect(premium).toMatchObject({
      cost: { premium: '10.00000000', total: '10.10000000' },
      next_block: { valid: true },
      latest: { height: expiry.height + 12 },
    });
    expect(codes(premium)).toEqual(['salt_weak', 'premium_decaying', 'race_possible']);
    await send(premium, ann);
    expect((await desk.get(`/resolve/${name}`)).json.address).toBe(ann.address);
  });

  test('says what is missing for a transaction, and takes no key', async () => {
    const poor = createSigner(`poor ${kind}`, shortLivedProfile);
    const answer = await encode('renew', { name: nameOf('whole'), periods: 1, address: poor.address });
    expect(answer).toMatchObject({ transaction: null, transaction_refused: { code: 'insufficient_funds' } });
    const refuse = async (operation: string, body: unknown) => {
      const { status, json } = await desk.post(`/encode/${operation}`, body);
      return [status, json.code];
    };
    const name = nameOf('whole');
    expect(await refuse('commit', { name })).toEqual([400, 'invalid_body']);
    expect(await refuse('commit', { name, salt: SALT })).toEqual([400, 'invalid_body']);
    expect(await refuse('commit', { commitment: 'ab'.repeat(32), salt: SALT })).toEqual([
      400,
      'invalid_body',
    ]);
    expect(await refuse('register', { name, salt: SALT, periods: 4 })).toEqual([400, 'invalid_body']);
    expect(await refuse('register', { name, salt: SALT, periods: 0 })).toEqual([400, 'invalid_body']);
    expect(await refuse('renew', { name, periods: 4 })).toEqual([400, 'invalid_body']);
    expect(await refuse('renew', { name, periods: 1, fee_rate: '0.0001' })).toEqual([400, 'invalid_body']);
    expect(await refuse('renew', { name, periods: 1, address: ann.address, fee_rate: '0.0000001' })).toEqual([
      400,
      'invalid_body',
    ]);
    expect(await refuse('renew', { name: 'No.coin', periods: 1 })).toEqual([400, 'name_invalid']);
    expect(await refuse('transfer', { name, to: 'nowhere' })).toEqual([400, 'address_invalid']);
    expect(await refuse('transfer', { name, to: ann.address, amount: '0.00005459' })).toEqual([
      400,
      'invalid_body',
    ]);
    expect(await refuse('transfer', { name, to: ann.address, private_key: '11'.repeat(32) })).toEqual([
      400,
      'invalid_body',
    ]);
    const wif = await node.rpc<string>('dumpprivkey', await node.newAddress());
    expect(await refuse('transfer', { name, to: ann.address, address: wif })).toEqual([
      400,
      'private_key_refused',
    ]);
  });

  test('and all else is documented: each answer fits its schema', async () => {
    const paths = [
      ['/status', '/status'],
      ['/hashes/{height}', '/hashes/100'],
      ['/availability/{name}', `/availability/${nameOf('whole')}`],
      ['/availability/{name}', `/availability/${nameOf('never')}`],
      ['/resolve/{name}', `/resolve/${nameOf('whole')}`],
      ['/name/{name}', `/name/${nameOf('warned')}`],
      ['/name/{name}/timeline', `/name/${nameOf('warned')}/timeline`],
      ['/names', '/names?limit=100'],
      ['/names', '/names?state=registered&limit=100'],
      ['/expiring', '/expiring?within=100000&ends=grace'],
      ['/address/{address}', `/address/${ann.address}`],
      ['/name/{name}/records', `/name/${nameOf('warned')}/records`],
      ['/reverse/{address}', `/reverse/${ann.address}`],
      ['/operations', '/operations?limit=100'],
      ['/series', '/series?range=all'],
    ] as const;
    for (const [template, path] of paths) {
      const answer = await desk.get(path);
      expect(answer.status).toBe(200);
      const { schema } = document.paths[template].get.responses['200'].content['application/json'];
      expect(findMismatches(schema, document, answer.json)).toEqual([]);
    }
    expect(Object.keys(document.paths).sort()).toEqual([
      '/address/{address}',
      '/availability/{name}',
      '/encode/commit',
      '/encode/records',
      '/encode/register',
      '/encode/renew',
      '/encode/reverse',
      '/encode/transfer',
      '/expiring',
      '/hashes/{height}',
      '/name/{name}',
      '/name/{name}/records',
      '/name/{name}/timeline',
      '/names',
      '/openapi.json',
      '/operations',
      '/resolve/{name}',
      '/reverse',
      '/reverse/{address}',
      '/series',
      '/state',
      '/status',
    ]);
  });
});
