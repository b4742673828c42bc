import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signBip137, signBip322, singleKeyLock } from '@coinfront/protocol/testing/message-signer.ts';
import { tokenIdOf } from '@coinfront/protocol/tokens/token-id.ts';
import { encodeTokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiDocument, makeHostileRequests } from '../../service/src/testing/hostile-requests.ts';
import { findFaults } from '../../service/src/testing/send-hostile.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { runAdmin } from '../harness/merchant.ts';
import { startService, type TestService } from '../harness/service.ts';
import { createSigner, fundSigners, type Signer } from '../harness/signing-wallet.ts';
import { CREATE_FEE, profile, signOperation, TERMS, tokenContext } from './token-traffic.ts';

const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

let node: TestNode;
let issuer: Signer;
let legacy: Signer;

beforeAll(async () => {
  node = await startNode();
  await node.mine(110);
  issuer = createSigner('issuer', profile);
  legacy = createSigner('legacy issuer', profile, 'p2pkh');
  await fundSigners(node, [issuer, legacy], 20);
});
afterAll(() => node?.stop());

/** Mines the creation of a token; gives its id and the block. */
async function createToken(signer: Signer): Promise<{ tokenId: string; block: string; hex: string }> {
  const operation = { kind: 'create', terms: { ...TERMS, ticker: 'MEADOW' } } as const;
  const { hex, tx } = signOperation(signer, operation, { fee: CREATE_FEE });
  await node.rpc('sendrawtransaction', hex);
  const [block] = await node.mine(1);
  const payload = encodeTokenOperation(operation, tokenContext.rules.marker);
  const tokenId = tokenIdOf(tx.inputs[0]!, payload, tokenContext.genesisPrefix);
  return { tokenId: Buffer.from(tokenId).toString('hex'), block: block!, hex };
}

forEachEngine('the description of a token', (engine) => {
  let service: TestService;
  let database: DatabaseLocation;
  const admin = async (...args: string[]) => await runAdmin(database, ['tokens', ...args]);

  beforeAll(async () => {
    database = await engine.openUrl();
    service = await startService({
      nodeUrl: node.url,
      database,
      settings: { COINFRONT_PUBLIC_URL: 'https://coin.example' },
    });
  });
  afterAll(() => service.stop());

  /** Both steps as an issuer's wallet makes them. */
  async function submit(
    tokenId: string,
    metadata: object,
    logo: Buffer | undefined,
    sign: (message: string) => string,
  ) {
    const path = `/api/v1/tokens/${tokenId}/metadata`;
    const asked = await service.post(`${path}/challenge`, {
      metadata,
      logo_sha256: logo ? sha256(logo) : null,
    });
    expect(asked.status, asked.text).toBe(200);
    expect(asked.json.message).toContain('Domain: coin.example\n');
    const body = {
      nonce: asked.json.nonce,
      signature: sign(asked.json.message),
      metadata,
      logo: logo ? logo.toString('base64') : null,
    };
    return await service.post(`${path}/submissions`, body);
  }

  test('goes from the issuer over the operator to everybody, and vanishes with its token', async () => {
    const { tokenId, block, hex } = await createToken(issuer);
    await service.waitForTip(block);
    const secret = `Berths of harbour ${randomBytes(8).toString('hex')}`;
    const metadata = { name: 'Harbour', description: secret, website: null, links: [] };
    const logo = await sharp(randomBytes(600 * 600 * 3), { raw: { width: 600, height: 600, channels: 3 } })
      .jpeg({ quality: 40 })
      .toBuffer();
    expect(logo.length).toBeGreaterThan(65_536);
    const lock = singleKeyLock(issuer.privateKey, 'p2wpkh');
    const sign = (message: string) => signBip322(lock, message, { form: 'simple' });
    const held = await submit(tokenId, metadata, logo, sign);
    expect([held.status, held.json.state], held.text).toEqual([202, 'pending']);
    const { id } = held.json;
    const replay = await service.post(`/api/v1/tokens/${tokenId}/metadata/submissions`, {
      nonce: '00'.repeat(32),
      signature: sign('x'),
      metadata,
      logo: null,
    });
    expect(replay.json.code).toBe('challenge_not_found');

    // Nothing of it is anywhere before somebody approved it.
    for (const path of [
      `/api/v1/tokens/${tokenId}`,
      `/api/v1/tokens/${tokenId}/events`,
      '/api/v1/tokens?limit=100',
      `/api/v1/tokens/${tokenId}/logo`,
      `/api/v1/tokens/${tokenId}/metadata/submissions/${id}`,
      `/api/v1/addresses/${issuer.address}/tokens`,
      `/api/v1/search?q=${tokenId}`,
    ]) {
      expect((await service.get(path)).text, path).not.toContain('harbour');
    }
    expect((await service.get(`/api/v1/tokens/${tokenId}/logo`)).status).toBe(404);

    const listed = await admin('review');
    expect(listed.stdout).toContain(id);
    const folder = await mkdtemp(join(tmpdir(), 'coinfront-logo-'));
    const shown = await admin('review', 'show', id, '--logo', join(folder, 'logo.png'));
    expect([shown.code, shown.stderr]).toEqual([0, '']);
    for (const part of [secret, tokenId, issuer.address, '256 x 256']) expect(shown.stdout).toContain(part);
    const reviewed = await readFile(join(folder, 'logo.png'));
    expect((await admin('review', 'show', id, '--logo', join(folder, 'logo.png'))).code).toBe(1);
    await rm(folder, { recursive: true });

    expect((await admin('review', 'approve', id)).code).toBe(0);
    const again = await admin('review', 'reject', id, '--reason', 'Late.');
    expect([again.code, again.stderr]).toEqual([1, `${id} was decided already: it is approved.\n`]);
    expect((await admin('review', 'list')).stdout).not.toContain(id);
    const state = await service.get(`/api/v1/tokens/${tokenId}/metadata/submissions/${id}`);
    expect(state.json).toMatchObject({ state: 'approved', reason: null });
    const detail = (await service.get(`/api/v1/tokens/${tokenId}`)).json.token;
    expect(detail.metadata).toMatchObject({ ...metadata, logo: { width: 256, height: 256 } });
    expect((await service.get(detail.metadata.logo.path)).headers.get('cache-control')).toContain(
      'immutable',
    );
    expect((await service.get('/api/v1/tokens?q=MEADOW')).text).toContain(secret);
    const response = await fetch(`${service.origin}/api/v1/tokens/${tokenId}/logo`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    });
    const served = Buffer.from(await response.arrayBuffer());
    expect(served.equals(reviewed)).toBe(true);
    expect((await sharp(served).metadata()).width).toBe(256);

    // A reorganisation takes the token away, and gives it back.
    await node.rpc('invalidateblock', block);
    const empty = await node.rpc<{ hash: string }>('generateblock', await node.newAddress(), []);
    await service.waitForTip(empty.hash);
    expect((await service.get(`/api/v1/tokens/${tokenId}/logo`)).json.code).toBe('token_not_found');
    expect((await service.get(`/api/v1/tokens/${tokenId}`)).status).toBe(404);
    expect((await service.get('/api/v1/tokens?limit=100')).text).not.toContain(secret);
    const late = await service.post(`/api/v1/tokens/${tokenId}/metadata/challenge`, {
      metadata,
      logo_sha256: null,
    });
    expect(late.json.code).toBe('token_not_found');
    const back = await node.rpc<{ hash: string }>('generateblock', await node.newAddress(), [hex]);
    await service.waitForTip(back.hash);
    expect((await service.get(`/api/v1/tokens/${tokenId}/logo`)).status).toBe(200);

    expect((await admin('withdraw', tokenId, '--reason', 'Asked for.')).code).toBe(0);
    expect((await service.get(`/api/v1/tokens/${tokenId}/logo`)).json.code).toBe('logo_not_found');
    expect((await service.get(`/api/v1/tokens/${tokenId}`)).json.token.metadata).toBeNull();
  });

  test('is refused whatever else is sent for a token that is there, and the service is as well as before', async () => {
    const { tokenId, block } = await createToken(issuer);
    await service.waitForTip(block);
    const document = (await service.get('/api/v1/tok/openapi.json')).json as ApiDocument;
    const paths = Object.fromEntries(
      Object.entries(document.paths).filter(([path]) => /metadata|logo/.test(path)),
    );
    expect(Object.keys(paths)).toHaveLength(4);
    const requests = makeHostileRequests({ ...document, paths }, { token_id: tokenId });
    expect(await findFaults(service.origin, requests)).toEqual([]);
    expect(service.printed()).not.toContain('"level":50');
  });

  test('can be signed by BIP-137 with P2PKH, is rejected with a reason, and misused commands say why', async () => {
    const { tokenId, block } = await createToken(legacy);
    await service.waitForTip(block);
    const metadata = { name: 'Meadow', description: '', website: 'https://meadow.example', links: [] };
    const sign = (message: string) => signBip137(legacy.privateKey, message, profile);
    const wrong = await submit(tokenId, metadata, undefined, (message) =>
      signBip137(issuer.privateKey, message, profile),
    );
    expect([wrong.status, wrong.json.code]).toEqual([422, 'signature_invalid']);
    const { json, status } = await submit(tokenId, metadata, undefined, sign);
    expect(status).toBe(202);
    expect((await admin('review', 'reject', json.id)).stderr).toContain('--reason');
    expect((await admin('review', 'reject', json.id, '--reason', 'Not your website.')).code).toBe(0);
    const state = await service.get(`/api/v1/tokens/${tokenId}/metadata/submissions/${json.id}`);
    expect(state.json).toMatchObject({ state: 'rejected', reason: 'Not your website.' });
    expect((await admin('review', 'approve', 'tms_x')).code).toBe(1);
    expect((await admin('review', 'approve')).code).toBe(2);
    expect((await admin('review', 'burn')).code).toBe(2);
    expect((await admin('withdraw', tokenId, '--reason', 'x')).code).toBe(1);
  });

  test('a private key beside it is refused, and not kept', async () => {
    const { tokenId, block } = await createToken(issuer);
    await service.waitForTip(block);
    const wif = await node.rpc<string>('dumpprivkey', await node.newAddress());
    const answer = await service.post(`/api/v1/tokens/${tokenId}/metadata/challenge`, {
      metadata: { name: 'x', description: wif, website: null, links: [] },
      logo_sha256: null,
    });
    expect(answer.json.code).toBe('private_key_refused');
  });
});
