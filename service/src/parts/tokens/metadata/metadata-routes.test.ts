import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { TokenMetadataJson } from '@coinfront/api/token-metadata.ts';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { writeCanonicalJson } from '@coinfront/protocol/canonical-json.ts';
import { findPrivateKeyInJson } from '@coinfront/protocol/private-key.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import {
  multisigLock,
  signBip137,
  signBip322,
  singleKeyKinds,
  singleKeyLock,
  type TestLock,
} from '@coinfront/protocol/testing/message-signer.ts';
import { writeMetadataMessage } from '@coinfront/protocol/tokens/metadata-message.ts';
import pino from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forEachEngine } from '../../../../../test/harness/engines.ts';
import { createClientNames } from '../../../clients/client-names.ts';
import { openPrecious, type Precious } from '../../../db/precious.ts';
import { createHttpMetrics } from '../../../http/http-metrics.ts';
import { createServer } from '../../../http/server.ts';
import { preciousMigrations } from '../../../migrations.ts';
import { requireStrictResponses } from '../../../testing/strict-responses.ts';
import { challengeBounds, challengeMs } from './challenge-route.ts';
import type { TokenMetadataContext } from './metadata-context.ts';
import { createTokenMetadataPart } from './metadata-part.ts';
import type { MetadataTables } from './metadata-tables.ts';
import { createFindReviewedMetadata } from './reviewed-metadata.ts';
import { approveSubmission, rejectSubmission, withdrawMetadata } from './submission-store.ts';
import { reviewBounds } from './submit-metadata.ts';

const profile = getShippedProfile('regtest');
const other = getShippedProfile('bitcoin');
const key = new Uint8Array(32).fill(9);
const START = Date.UTC(2026, 10, 20, 12);
const secretText = 'Grazing rights of the north meadow';

const metadata: TokenMetadataJson = {
  name: 'Meadow',
  description: secretText,
  website: 'https://meadow.example',
  links: [{ label: 'Map', url: 'https://meadow.example/map' }],
};

const sha256 = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex');
const makeLogo = (): Promise<Buffer> =>
  sharp(randomBytes(30 * 30 * 3), { raw: { width: 30, height: 30, channels: 3 } })
    .png()
    .toBuffer();

function createApp(precious: Precious, overrides: Partial<TokenMetadataContext> = {}) {
  const issuers = new Map<string, Uint8Array>();
  const clock = { nowMs: START };
  const { app } = createServer({
    logger: pino({ level: 'silent' }),
    metrics: createHttpMetrics(),
    findPrivateKey: (value) => findPrivateKeyInJson(value, profile),
    corsOrigins: '*',
    rateLimitPerMinute: undefined,
    trustedProxies: ['loopback'],
  });
  requireStrictResponses(app);
  createTokenMetadataPart({
    precious,
    profile,
    publicUrl: 'https://coin.example:8443/base',
    findToken: async (tokenId) => {
      const issuerScript = issuers.get(tokenId);
      return issuerScript && { issuerScript };
    },
    nameClient: createClientNames(precious),
    submissionsPerClient: undefined,
    now: () => clock.nowMs,
    ...overrides,
  }).register(app);
  const request = async (method: 'GET' | 'POST', path: string, body?: object, client = '192.0.2.1') => {
    const answer = await app.inject({
      method,
      url: `/api/v1${path}`,
      headers: { 'x-forwarded-for': client },
      ...(body === undefined ? {} : { payload: body }),
    });
    const isJson = answer.headers['content-type']?.includes('json') === true;
    return { status: answer.statusCode, answer, json: isJson ? answer.json() : undefined };
  };
  const makeToken = (lock: Pick<TestLock, 'script'>): string => {
    const tokenId = randomBytes(32).toString('hex');
    issuers.set(tokenId, lock.script);
    return tokenId;
  };
  return {
    app,
    issuers,
    clock,
    request,
    makeToken,
    challenge: (tokenId: string, body: object, client?: string) =>
      request('POST', `/tokens/${tokenId}/metadata/challenge`, body, client),
    submit: (tokenId: string, body: object, client?: string) =>
      request('POST', `/tokens/${tokenId}/metadata/submissions`, body, client),
  };
}

forEachEngine('descriptions of tokens', (engine) => {
  let precious: Precious;
  let desk: ReturnType<typeof createApp>;
  const lock = singleKeyLock(key, 'p2wpkh');
  const sign = (message: string, by: TestLock = lock) => signBip322(by, message, { form: 'simple' });

  beforeAll(async () => {
    const location = await engine.openUrl();
    precious = await openPrecious(
      location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'front.db') } : location,
      preciousMigrations,
    );
  });
  afterAll(() => precious.close());
  beforeEach(async () => {
    desk = createApp(precious);
    const tables = precious.query<MetadataTables>();
    for (const table of [
      'token_metadata',
      'metadata_logo',
      'metadata_submission',
      'metadata_challenge',
    ] as const)
      await tables.deleteFrom(table).execute();
  });

  async function countChallenges(): Promise<number> {
    const { count } = await precious
      .query<MetadataTables>()
      .selectFrom('metadata_challenge')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** Everything up to the submission. */
  async function prepare({ by = lock, logo = undefined as Buffer | undefined, text = metadata } = {}) {
    const tokenId = desk.makeToken(by);
    const { status, json } = await desk.challenge(tokenId, {
      metadata: text,
      logo_sha256: logo ? sha256(logo) : null,
    });
    expect(status, JSON.stringify(json)).toBe(200);
    const body = {
      nonce: json.nonce as string,
      signature: sign(json.message, by),
      metadata: text,
      logo: logo ? logo.toString('base64') : null,
    };
    return { tokenId, challenge: json, body };
  }

  /** Everything up to the review. */
  async function submit(tokenId: string, text: TokenMetadataJson, logo?: Buffer): Promise<string> {
    const { json } = await desk.challenge(tokenId, {
      metadata: text,
      logo_sha256: logo ? sha256(logo) : null,
    });
    const { status, json: made } = await desk.submit(tokenId, {
      nonce: json.nonce,
      signature: sign(json.message),
      metadata: text,
      logo: logo ? logo.toString('base64') : null,
    });
    expect(status, JSON.stringify(made)).toBe(202);
    return made.id;
  }

  const findShown = async (tokenId: string) =>
    (await createFindReviewedMetadata(precious)([tokenId])).get(tokenId);
  const expectRefused = async (tokenId: string, body: object, status: number, code: string) => {
    const refused = await desk.submit(tokenId, body);
    expect([refused.status, refused.json.code], refused.json.detail).toEqual([status, code]);
    const { count } = await precious
      .query<MetadataTables>()
      .selectFrom('metadata_submission')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('token_id', '=', tokenId)
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(0);
    return refused.json.detail as string;
  };

  test('are signed as a text that binds service, network, token, hashes, nonce and time', async () => {
    const logo = await makeLogo();
    const tokenId = desk.makeToken(lock);
    const { json } = await desk.challenge(tokenId.toUpperCase(), { metadata, logo_sha256: sha256(logo) });
    expect(json.message).toBe(
      writeMetadataMessage({
        domain: 'coin.example:8443',
        genesisHash: profile.genesisHash,
        tokenId,
        issuer: encodeAddress(lock.script, profile)!,
        metadataSha256: sha256(writeCanonicalJson(metadata)),
        logoSha256: sha256(logo),
        nonce: json.nonce,
        issuedAtMs: START,
        expiresAtMs: START + 900_000,
      }),
    );
    for (const part of [
      'coin.example:8443',
      profile.genesisHash,
      tokenId,
      json.nonce,
      '2026-11-20T12:15:00Z',
    ])
      expect(json.message).toContain(part);
    expect(json.nonce).toMatch(/^[0-9a-f]{64}$/);
    const again = await desk.challenge(tokenId, { metadata, logo_sha256: null });
    expect(again.json.nonce).not.toBe(json.nonce);
    expect(again.json.message).toContain('Logo SHA-256: none');
  });

  describe('by issuers of every kind', () => {
    const keys = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
    const signers: [string, TestLock, (message: string) => string][] = [
      ...singleKeyKinds.map((kind): [string, TestLock, (message: string) => string] => {
        const own = singleKeyLock(key, kind);
        const form = kind === 'p2wpkh' || kind === 'p2tr' ? 'simple' : 'full';
        return [kind, own, (message) => signBip322(own, message, { form })];
      }),
      ['p2pkh by BIP-137', singleKeyLock(key, 'p2pkh'), (message) => signBip137(key, message, profile)],
      ...(['p2sh', 'p2wsh', 'p2sh-p2wsh'] as const).map(
        (kind): [string, TestLock, (message: string) => string] => {
          const own = multisigLock(keys, kind, [0, 2]);
          return [`2 of 3 in ${kind}`, own, (message) => signBip322(own, message, { form: 'full' })];
        },
      ),
    ];
    test.each(signers)('%s', async (_, own, signMessage) => {
      const tokenId = desk.makeToken(own);
      const { json } = await desk.challenge(tokenId, { metadata, logo_sha256: null });
      const body = { nonce: json.nonce, metadata, logo: null };
      const refused = await desk.submit(tokenId, { ...body, signature: signMessage(`${json.message} `) });
      expect(refused.json.code).toBe('signature_invalid');
      const { status, json: made } = await desk.submit(tokenId, {
        ...body,
        signature: signMessage(json.message),
      });
      expect([status, made.state]).toEqual([202, 'pending']);
    });
  });

  test('are held, then shown once approved; a later approval takes the place of the earlier', async () => {
    const logo = await makeLogo();
    const tokenId = desk.makeToken(lock);
    const first = await submit(tokenId, metadata, logo);
    expect(await findShown(tokenId)).toBeUndefined();
    expect((await desk.request('GET', `/tokens/${tokenId}/logo`)).json.code).toBe('logo_not_found');

    expect(await approveSubmission(precious, first, START + 1_000)).toBe(true);
    const shown = await findShown(tokenId);
    expect(shown).toMatchObject({ ...metadata, approved_at: new Date(START + 1_000).toISOString() });
    const served = await desk.request('GET', shown!.logo!.path.slice('/api/v1'.length));
    expect(served.status).toBe(200);
    expect(sha256(served.answer.rawPayload)).toBe(shown!.logo!.sha256);
    expect(served.answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${shown!.logo!.sha256}"`,
    });
    const plain = await desk.request('GET', `/tokens/${tokenId}/logo`);
    expect(plain.answer.headers['cache-control']).toBe('public, max-age=2');
    expect((await desk.request('GET', `/tokens/${tokenId}/logo?sha256=${sha256(logo)}`)).json.code).toBe(
      'logo_not_found',
    );

    const second = await submit(tokenId, { ...metadata, name: 'Meadow II' });
    expect((await findShown(tokenId))?.name).toBe('Meadow');
    await approveSubmission(precious, second, START + 2_000);
    expect(await findShown(tokenId)).toMatchObject({ name: 'Meadow II', logo: null });
    expect((await desk.request('GET', `/tokens/${tokenId}/logo`)).status).toBe(404);
    const states = await Promise.all(
      [first, second].map(
        async (id) => (await desk.request('GET', `/tokens/${tokenId}/metadata/submissions/${id}`)).json.state,
      ),
    );
    expect(states).toEqual(['replaced', 'approved']);
    expect(await precious.query<MetadataTables>().selectFrom('metadata_logo').selectAll().execute()).toEqual(
      [],
    );

    expect(await withdrawMetadata(precious, tokenId, 'Asked for.', START + 3_000)).toBe(true);
    expect(await findShown(tokenId)).toBeUndefined();
    expect(await withdrawMetadata(precious, tokenId, 'Asked for.', START + 3_000)).toBe(false);
  });

  test('are decided once, also when two decide at once', async () => {
    const tokenId = desk.makeToken(lock);
    const id = await submit(tokenId, metadata, await makeLogo());
    const outcomes = await Promise.all([
      approveSubmission(precious, id, START),
      rejectSubmission(precious, id, 'No.', START),
      approveSubmission(precious, id, START),
    ]);
    expect(outcomes.filter((each) => each)).toHaveLength(1);
    expect((await findShown(tokenId)) !== undefined).toBe(outcomes[0] || outcomes[2]);
    expect(await approveSubmission(precious, 'tms_0000000000000000000000', START)).toBe(false);
  });

  test('are not public when nobody reviewed them, or they were rejected: in no route', async () => {
    const logo = await makeLogo();
    const tokenId = desk.makeToken(lock);
    const pending = await submit(tokenId, metadata, logo);
    const rejected = await submit(tokenId, metadata, logo);
    await rejectSubmission(precious, rejected, 'The website is not yours.', START + 5_000);
    const { json } = await desk.challenge(tokenId, { metadata, logo_sha256: sha256(logo) });
    const answers = [
      ...(await Promise.all(
        [pending, rejected].map((id) => desk.request('GET', `/tokens/${tokenId}/metadata/submissions/${id}`)),
      )),
      await desk.request('GET', `/tokens/${tokenId}/logo`),
      await desk.request('GET', `/tokens/${tokenId}/logo?sha256=${sha256(logo)}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404]);
    expect(answers[0]!.json).toEqual({
      id: pending,
      token_id: tokenId,
      state: 'pending',
      reason: null,
      submitted_at: new Date(START).toISOString(),
      decided_at: null,
    });
    expect(answers[1]!.json).toMatchObject({ state: 'rejected', reason: 'The website is not yours.' });
    const all = [...answers.map(({ answer }) => answer.body), JSON.stringify(json)].join();
    expect(all).not.toContain(secretText);
    expect(all).not.toContain('meadow.example');
    expect(await findShown(tokenId)).toBeUndefined();
    const foreign = await desk.request(
      'GET',
      `/tokens/${desk.makeToken(lock)}/metadata/submissions/${pending}`,
    );
    expect(foreign.json.code).toBe('submission_not_found');
  });

  test('vanish with the token that a reorganisation undid', async () => {
    const logo = await makeLogo();
    const tokenId = desk.makeToken(lock);
    await approveSubmission(precious, await submit(tokenId, metadata, logo), START);
    const { body } = await prepare();
    desk.issuers.clear();
    expect((await desk.request('GET', `/tokens/${tokenId}/logo`)).json.code).toBe('token_not_found');
    expect((await desk.challenge(tokenId, { metadata, logo_sha256: null })).json.code).toBe(
      'token_not_found',
    );
    await expectRefused(randomBytes(32).toString('hex'), body, 404, 'token_not_found');
    desk.issuers.set(tokenId, lock.script);
    expect((await desk.request('GET', `/tokens/${tokenId}/logo`)).status).toBe(200);
  });

  test('are refused once the challenge expired', async () => {
    const { tokenId, body } = await prepare();
    desk.clock.nowMs = START + challengeMs;
    await expectRefused(tokenId, body, 410, 'challenge_expired');
    desk.clock.nowMs = START + challengeMs - 1;
    expect((await desk.submit(tokenId, body)).status).toBe(202);
  });

  test('are refused when the challenge was used: of many at once exactly one is taken', async () => {
    const { tokenId, body } = await prepare({ logo: await makeLogo() });
    const answers = await Promise.all(Array.from({ length: 8 }, () => desk.submit(tokenId, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(7).fill(409)]);
    expect(answers.find(({ status }) => status === 409)?.json.code).toBe('challenge_used');
    expect((await desk.submit(tokenId, body)).json.code).toBe('challenge_used');
  });

  test('are refused with the challenge of another token, or with none', async () => {
    const { body } = await prepare();
    await expectRefused(desk.makeToken(lock), body, 404, 'challenge_not_found');
    const nonce = randomBytes(32).toString('hex');
    await expectRefused(desk.makeToken(lock), { ...body, nonce }, 404, 'challenge_not_found');
  });

  test('are refused when the signed text names another service, network, token, hash or time', async () => {
    const logo = await makeLogo();
    const { tokenId, challenge, body } = await prepare({ logo });
    const message = challenge.message as string;
    const changed = [
      message.replaceAll('coin.example:8443', 'evil.example'),
      message.replace(profile.genesisHash, other.genesisHash),
      message.replace(tokenId, randomBytes(32).toString('hex')),
      message.replace(challenge.metadata_sha256, sha256('other')),
      message.replace(challenge.logo_sha256, 'none'),
      message.replace(challenge.nonce, randomBytes(32).toString('hex')),
      message.replace('12:15:00Z', '13:15:00Z'),
      message.replaceAll('\n', '\r\n'),
      `${message}\n`,
      '',
    ];
    expect(new Set([...changed, message]).size).toBe(changed.length + 1);
    for (const text of changed)
      await expectRefused(tokenId, { ...body, signature: sign(text) }, 422, 'signature_invalid');
    expect((await desk.submit(tokenId, body)).status).toBe(202);
  });

  test('that were asked for under another domain or network are refused by this one', async () => {
    for (const overrides of [
      { publicUrl: 'https://other.example' },
      { profile: { ...profile, genesisHash: other.genesisHash } },
    ]) {
      const { tokenId, body } = await prepare();
      const there = createApp(precious, overrides);
      there.issuers.set(tokenId, lock.script);
      expect((await there.submit(tokenId, body)).json.code).toBe('signature_invalid');
    }
  });

  test('are refused when another has signed', async () => {
    const { tokenId, challenge, body } = await prepare();
    const stranger = singleKeyLock(new Uint8Array(32).fill(8), 'p2wpkh');
    const detail = await expectRefused(
      tokenId,
      { ...body, signature: sign(challenge.message, stranger) },
      422,
      'signature_invalid',
    );
    expect(detail).toContain(challenge.issuer);
    const otherKind = signBip137(key, challenge.message, profile);
    await expectRefused(tokenId, { ...body, signature: otherKind }, 422, 'signature_invalid');
    const timelocked = signBip322(lock, challenge.message, {
      form: 'full',
      edit: (tx) => ({ ...tx, locktime: 500_000 }),
    });
    await expectRefused(tokenId, { ...body, signature: timelocked }, 422, 'signature_invalid');
    for (const signature of ['x', 'smp', '====', 'ful'.repeat(5_000)])
      await expectRefused(tokenId, { ...body, signature }, 422, 'signature_invalid');
  });

  test('are refused when metadata or logo are not those of the challenge', async () => {
    const logo = await makeLogo();
    const { tokenId, body } = await prepare({ logo });
    for (const change of [
      { metadata: { ...metadata, name: 'Meadow.' } },
      { metadata: { ...metadata, website: null } },
      { metadata: { ...metadata, links: [] } },
      { logo: (await makeLogo()).toString('base64') },
      { logo: null },
    ])
      await expectRefused(tokenId, { ...body, ...change }, 422, 'metadata_mismatch');
    const without = await prepare();
    await expectRefused(
      without.tokenId,
      { ...without.body, logo: logo.toString('base64') },
      422,
      'metadata_mismatch',
    );
    // The order of the fields is no part of what is signed.
    const turned = Object.fromEntries(Object.entries(metadata).reverse());
    expect((await desk.submit(tokenId, { ...body, metadata: turned })).status).toBe(202);
  });

  test('with a bad logo are refused, and the challenge stays good', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    const { tokenId, body } = await prepare({ logo: svg });
    expect(await expectRefused(tokenId, body, 422, 'logo_invalid')).toContain('no PNG, JPEG or WebP');
    expect(await expectRefused(tokenId, body, 422, 'logo_invalid')).toContain('no PNG, JPEG or WebP');
    for (const text of ['*', 'AAA', 'AAA=\n', 'AB==', ' AAAA'])
      await expectRefused(tokenId, { ...body, logo: text }, 422, 'logo_invalid');
    const large = await desk.submit(tokenId, { ...body, logo: 'A'.repeat(349_540) });
    expect([large.status, large.json.code]).toEqual([400, 'invalid_body']);
    const huge = await desk.submit(tokenId, { ...body, logo: 'A'.repeat(600_000) });
    expect([huge.status, huge.json.code]).toEqual([413, 'body_too_large']);
  });

  test('that nobody should read are refused before anything is signed', async () => {
    const tokenId = desk.makeToken(lock);
    const hostile: [object, string][] = [
      [{ ...metadata, name: 'abc\u202egnp' }, 'metadata_invalid'],
      [{ ...metadata, website: 'javascript:alert(1)' }, 'metadata_invalid'],
      [{ ...metadata, website: 'http://meadow.example' }, 'metadata_invalid'],
      [{ ...metadata, description: 'x'.repeat(1_001) }, 'invalid_body'],
      [{ ...metadata, name: '' }, 'invalid_body'],
      [{ ...metadata, more: 1 }, 'invalid_body'],
      [{ ...metadata, links: Array(9).fill(metadata.links[0]) }, 'invalid_body'],
      [{ ...metadata, links: [{ ...metadata.links[0], icon: 'x' }] }, 'invalid_body'],
      [{ name: 'x' }, 'invalid_body'],
      [[], 'invalid_body'],
    ];
    for (const [text, code] of hostile) {
      const refused = await desk.challenge(tokenId, { metadata: text, logo_sha256: null });
      expect([refused.status, refused.json.code]).toEqual([400, code]);
    }
    for (const logo_sha256 of ['', 'zz', 'A'.repeat(64), 7])
      expect((await desk.challenge(tokenId, { metadata, logo_sha256 })).json.code).toBe('invalid_body');
    expect((await desk.challenge(tokenId, { metadata })).json.code).toBe('invalid_body');
    expect((await desk.challenge('00', { metadata, logo_sha256: null })).json.code).toBe('invalid_parameter');
  });

  test('cannot be signed for a script without address, or a service without a public address', async () => {
    const bare = desk.makeToken({
      script: Uint8Array.of(0x51, 0x21, ...new Uint8Array(33).fill(2), 0x51, 0xae),
    });
    const refused = await desk.challenge(bare, { metadata, logo_sha256: null });
    expect([refused.status, refused.json.code]).toEqual([422, 'issuer_cannot_sign']);
    const nameless = createApp(precious, { publicUrl: undefined });
    const answer = await nameless.challenge(nameless.makeToken(lock), { metadata, logo_sha256: null });
    expect([answer.status, answer.json.code]).toEqual([503, 'metadata_unavailable']);
  });

  test('have a bound of open challenges of a client; for one token the latest count', async () => {
    const tokenId = desk.makeToken(lock);
    const ask = async (client: string, token = tokenId) =>
      (await desk.challenge(token, { metadata, logo_sha256: null }, client)).status;
    const asked = await Promise.all(Array.from({ length: 12 }, () => ask('192.0.2.9')));
    expect(asked).toEqual(Array(12).fill(200));
    expect(await countChallenges()).toBe(challengeBounds.ofClientAndToken);
    for (let i = challengeBounds.ofClientAndToken; i < challengeBounds.ofClient; i++)
      expect(await ask('192.0.2.9', desk.makeToken(lock))).toBe(200);
    expect(await ask('192.0.2.9', desk.makeToken(lock))).toBe(429);
    expect(await ask('192.0.2.10', desk.makeToken(lock))).toBe(200);
    desk.clock.nowMs += challengeMs;
    expect(await ask('192.0.2.9')).toBe(200);
    // What is long past is forgotten bit by bit.
    desk.clock.nowMs += 2 * 86_400_000;
    for (let i = 0; i < 10; i++) await ask(`192.0.2.${20 + i}`);
    expect(await countChallenges()).toBe(10);
  });

  test('have a bound of open challenges of a token, and its issuer keeps the one that it has', async () => {
    const tokenId = desk.makeToken(lock);
    const ask = (client: string) => desk.challenge(tokenId, { metadata, logo_sha256: null }, client);
    const issuers = await ask('198.51.100.1');
    // A /48, and single addresses, that have five each.
    const strangers = Array.from({ length: 41 }, (_, i) =>
      i < 12 ? `2001:db8:1:${i.toString(16)}00::1` : `192.0.2.${i}`,
    );
    for (const stranger of strangers)
      for (let i = 0; i < 5; i++) {
        desk.clock.nowMs += 1_000;
        expect((await ask(stranger)).status).toBe(200);
      }
    expect(await countChallenges()).toBe(challengeBounds.ofToken);
    const { nonce, message } = issuers.json;
    const body = { nonce, signature: sign(message), metadata, logo: null };
    expect((await desk.submit(tokenId, body)).status).toBe(202);
    expect((await ask('198.51.100.2')).status).toBe(200);
  });

  test('are submitted so often a day by one client, whatever tokens it makes', async () => {
    desk = createApp(precious, { submissionsPerClient: 2 });
    const send = async (client: string) => {
      const tokenId = desk.makeToken(lock);
      const { json } = await desk.challenge(tokenId, { metadata, logo_sha256: null }, client);
      const body = { nonce: json.nonce, signature: sign(json.message), metadata, logo: null };
      return await desk.submit(tokenId, body, client);
    };
    expect([(await send('192.0.2.9')).status, (await send('192.0.2.9')).status]).toEqual([202, 202]);
    const refused = await send('192.0.2.9');
    expect([refused.status, refused.json.code]).toEqual([409, 'review_queue_full']);
    expect((await send('192.0.2.10')).status).toBe(202);
    desk.clock.nowMs += 86_400_000;
    expect((await send('192.0.2.9')).status).toBe(202);
  });

  test('have a bound of submissions that await review; the challenge stays good', async () => {
    const tokenId = desk.makeToken(lock);
    const held: string[] = [];
    for (let i = 0; i < reviewBounds.token; i++) held.push(await submit(tokenId, metadata));
    const { json } = await desk.challenge(tokenId, { metadata, logo_sha256: null });
    const body = { nonce: json.nonce, signature: sign(json.message), metadata, logo: null };
    const refused = await desk.submit(tokenId, body);
    expect([refused.status, refused.json.code]).toEqual([409, 'review_queue_full']);
    await rejectSubmission(precious, held[0]!, 'No.', START);
    expect((await desk.submit(tokenId, body)).status).toBe(202);
  });
});
