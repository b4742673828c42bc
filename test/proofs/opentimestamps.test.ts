import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { blockTagOf } from '@coinfront/protocol/ots/ots-attestations.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';

/** Debian's, which has its packages. */
const PYTHON = '/usr/bin/python3';
const judge = fileURLToPath(new URL('reference-library.py', import.meta.url));
const isThere = spawnSync(PYTHON, ['-c', 'import opentimestamps']).status === 0;
if (!isThere) console.warn('python3-opentimestamps is not installed; the suite that asks it is skipped.');

type Attested = { kind: string; tag: string; message: string; uri?: string; height?: number };
type Answer = { file: string; attested: Attested[]; reason: string; time: number; height: number };

function ask(command: string, request: Record<string, string>): Answer {
  const input = JSON.stringify({ command, ...request });
  const { status, stdout, stderr } = spawnSync(PYTHON, [judge], { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const vectors = new URL('../../docs/protocols/vectors/proofs.json', import.meta.url);
const PUBLIC = 'https://coin.example';
const someDigest = () => randomBytes(32).toString('hex');

describe.skipIf(!isThere)('the reference library of OpenTimestamps', () => {
  test.each([
    ['Bitcoin', '0588960d73d71901'],
    ['Litecoin', '06869a0d73d71b45'],
  ])('verifies our files against headers of %s, and no other header', (_, wanted) => {
    const { tree } = JSON.parse(readFileSync(vectors, 'utf8'));
    const file: string = tree.ots.find(({ tag }: { tag: string }) => tag === wanted).file;
    const { header } = tree.anchor;
    const time = Buffer.from(header, 'hex').readUInt32LE(68);
    expect(ask('verify', { file, header })).toMatchObject({ time });
    const other = header.replace(/(?<=^.{72}).{2}/, (byte: string) => (byte === '00' ? '01' : '00'));
    expect(() => ask('verify', { file, header: other })).toThrow('VerificationError');
  });

  test('reads our files as they are, of other chains, too', () => {
    const { tree } = JSON.parse(readFileSync(vectors, 'utf8'));
    for (const { file } of tree.ots) expect(ask('read', { file }).file).toBe(file);
  });

  let node: TestNode;
  beforeAll(async () => {
    node = await startNode();
    await node.mine(120);
  });
  afterAll(() => node?.stop());

  forEachEngine('as a client of the calendar', (engine) => {
    let service: TestService;
    let calendar: string;
    beforeAll(async () => {
      service = await startService({
        nodeUrl: node.url,
        database: await engine.openUrl(),
        settings: {
          COINFRONT_ANCHOR_WALLET: 'main',
          COINFRONT_CALENDAR_INTERVAL: '1',
          COINFRONT_PUBLIC_URL: PUBLIC,
        },
      });
      calendar = `${service.origin}/ots/`;
    });
    afterAll(() => service?.stop());

    const mine = async (count: number) => {
      const hashes = await node.mine(count);
      await service.waitForTip(hashes.at(-1)!);
      return hashes;
    };
    const waitForMempool = (digest: string) =>
      waitUntil('its root waits for a block', async () => {
        const { json } = await service.get(`/api/v1/proof/leaf/${digest}`);
        return json.state === 'mempool';
      });

    test('stamps at once, waits until it is final, and upgrades to the block that the node has', async () => {
      const digest = someDigest();
      const { file } = ask('submit', { calendar, digest });
      const pending = { kind: 'PendingAttestation', message: digest, uri: `${PUBLIC}/ots/` };
      expect(ask('read', { file }).attested).toMatchObject([pending]);
      expect((await service.get('/api/v1/proof/status')).json.calendar.opentimestamps).toBe(pending.uri);
      // The same file, for who has only the digest.
      const given = await fetch(`${service.origin}/api/v1/proof/ots/${digest}?pending=true`);
      expect(Buffer.from(await given.arrayBuffer()).toString('hex')).toBe(file);

      await waitForMempool(digest);
      expect(ask('upgrade', { calendar, file }).reason).toMatch(/^Pending, the commitment waits for a block/);
      const [hash] = await mine(1);
      expect(ask('upgrade', { calendar, file }).reason).toMatch(/^Pending, 1 of 6 confirmations/);
      await mine(5);
      const upgraded = ask('upgrade', { calendar, file }).file;
      const { attested } = ask('read', { file: upgraded });
      const { merkleroot } = await node.rpc<{ merkleroot: string }>('getblockheader', hash);
      expect(attested).toHaveLength(2);
      expect(attested).toContainEqual(expect.objectContaining(pending));
      // A chain of ours has no tag of the format, and what it attests is the block all the same.
      const block = attested.find(({ kind }) => kind !== pending.kind)!;
      expect(block).toMatchObject({
        tag: blockTagOf(await node.rpc<string>('getblockhash', 0)),
        message: Buffer.from(merkleroot, 'hex').reverse().toString('hex'),
      });
      const whole = await fetch(`${service.origin}/api/v1/proof/ots/${digest}`);
      const own = ask('read', { file: Buffer.from(await whole.arrayBuffer()).toString('hex') });
      expect(own.attested).toEqual([block]);
    });

    test('stamps digests of other lengths by their hash, and asks for nothing that was never promised', async () => {
      const [long] = ask('submit', { calendar, digest: randomBytes(64).toString('hex') }).attested;
      expect(long!.message).toHaveLength(64);
      await waitUntil('the hash is known', async () => {
        const { json } = await service.get(`/api/v1/proof/leaf/${long!.message}`);
        return json.state !== 'unknown';
      });
      for (const [commitment, status, text] of [
        [someDigest(), 404, 'This calendar never took this commitment'],
        ['ab', 404, 'This calendar never took this commitment'],
        ['abc', 400, 'A commitment is 1 to 64 bytes in hex'],
        ['00'.repeat(65), 400, 'A commitment is 1 to 64 bytes in hex'],
      ] as const) {
        const answer = await fetch(`${calendar}timestamp/${commitment}`);
        expect([answer.status, answer.headers.get('content-type')]).toEqual([
          status,
          'text/plain; charset=utf-8',
        ]);
        expect(await answer.text()).toContain(text);
      }
    });

    test('what is no digest is refused, also a private key', async () => {
      const send = async (body: string | Uint8Array<ArrayBuffer>) => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const answer = await fetch(`${calendar}digest`, { method: 'POST', body, headers });
        return [answer.status, await answer.text()] as const;
      };
      expect((await send(''))[0]).toBe(400);
      expect((await send(new Uint8Array(65)))[0]).toBe(413);
      const [status, text] = await send('KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn');
      expect([status, text.includes('private key')]).toEqual([400, true]);
      expect((await fetch(`${calendar}digest`)).status).toBe(405);
    });

    test('without a public address nothing is taken, since a file could not name the calendar', async () => {
      const nameless = await startService({
        nodeUrl: node.url,
        database: await engine.openUrl(),
        settings: { COINFRONT_ANCHOR_WALLET: 'main', COINFRONT_CALENDAR_INTERVAL: '1' },
      });
      const body = randomBytes(32);
      const answer = await fetch(`${nameless.origin}/ots/digest`, { method: 'POST', body });
      expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('public address')]);
      const digest = body.toString('hex');
      expect((await nameless.get(`/api/v1/proof/leaf/${digest}`)).json.state).toBe('unknown');
      expect((await nameless.get('/api/v1/proof/status')).json.calendar.opentimestamps).toBeNull();
      await nameless.stop();
    });
  });
});
