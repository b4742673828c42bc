import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes, getHexBytes } from '../bytes.ts';
import { sha256 } from '../hash.ts';
import { getValue } from '../result.ts';
import { blockTagOf, OTS_ATTESTATIONS, type OtsAttestation } from './ots-attestations.ts';
import { MAX_OTS_MESSAGE, type OtsOperation } from './ots-operations.ts';
import { OTS_MAGIC, type OtsTimestamp, parseOts } from './parse-ots.ts';
import { chainOperations, writeOts } from './write-ots.ts';

/** The example files of the reference client, `opentimestamps/opentimestamps-client`, folder `examples`, base64. */
const published: { valid: Record<string, string>; invalid: Record<string, string> } = JSON.parse(
  readFileSync(new URL('published-files.json', import.meta.url), 'utf8'),
);
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'));

describe('published files', () => {
  test.each(Object.entries(published.valid))('%s is read, and written again byte for byte', (_, text) => {
    const { file } = getValue(parseOts(bytesOf(text)));
    expect(bytesToHex(writeOts(file))).toBe(bytesToHex(bytesOf(text)));
  });

  test.each(Object.entries(published.invalid))('%s is refused', (_, text) => {
    expect(parseOts(bytesOf(text)).ok).toBe(false);
  });

  test('the greeting stands in Bitcoin block 358391', () => {
    const { file, attested } = getValue(parseOts(bytesOf(published.valid['hello-world.txt']!)));
    expect(file.hash).toBe('sha256');
    expect(bytesToHex(file.digest)).toBe(bytesToHex(sha256(new TextEncoder().encode('Hello World!\n'))));
    expect(attested).toEqual([
      {
        attestation: { kind: 'block', tag: OTS_ATTESTATIONS.bitcoin, height: 358_391 },
        message: getHexBytes('007ee445d23ad061af4a36b809501fab1ac4f2d7e7a739817dd0cbb7ec661b8a'),
      },
    ]);
  });

  test('the report of a department leads through the transaction that its notes name', () => {
    const txid = 'fcf172401ca9d89013f13f5bbf0fc7577cb8a3588bf5cbc3b458ff36635fec00';
    const { file } = getValue(parseOts(bytesOf(published.valid['gdp2q25-2nd.pdf']!)));
    const messages: string[] = [];
    let message = file.digest;
    for (let at: OtsTimestamp | undefined = file.timestamp; at?.operations[0]; at = at.operations[0].next) {
      const { operation } = at.operations[0];
      if (operation.kind === 'sha256') message = sha256(message);
      else if (operation.kind === 'append') message = concatBytes(message, operation.argument);
      else if (operation.kind === 'prepend') message = concatBytes(operation.argument, message);
      else throw new Error(operation.kind);
      messages.push(bytesToHex(message.slice().reverse()));
    }
    expect(messages).toContain(txid);
  });

  test('calendars that promise more, and tags that nothing is known of, are told apart', () => {
    const kinds = (name: string) =>
      getValue(parseOts(bytesOf(published.valid[name]!))).attested.map(({ attestation }) => attestation.kind);
    expect(kinds('two-calendars.txt')).toEqual(['pending', 'pending']);
    expect(kinds('known-and-unknown-notary.txt')).toEqual(['pending', 'unknown']);
  });
});

const bytes = (maxLength: number, minLength = 0) => fc.uint8Array({ minLength, maxLength });
const operations: fc.Arbitrary<OtsOperation> = fc.oneof(
  fc.record({ kind: fc.constantFrom('append' as const, 'prepend' as const), argument: bytes(40, 1) }),
  fc.record({ kind: fc.constantFrom('sha1', 'ripemd160', 'sha256', 'keccak256', 'reverse') }),
) as fc.Arbitrary<OtsOperation>;
const attestations: fc.Arbitrary<OtsAttestation> = fc.oneof(
  fc.record({
    kind: fc.constant('block' as const),
    tag: fc.constantFrom(OTS_ATTESTATIONS.bitcoin, OTS_ATTESTATIONS.litecoin),
    height: fc.nat(),
  }),
  fc.record({ kind: fc.constant('pending' as const), uri: fc.constantFrom('https://a.example', 'b:1/c_d') }),
  fc.record({
    kind: fc.constant('unknown' as const),
    tag: bytes(8, 8).map((tag) => bytesToHex(Uint8Array.from([0xee, ...tag.subarray(1)]))),
    payload: bytes(50),
  }),
);
const timestamps = fc.letrec<{ tree: OtsTimestamp }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({
      attestations: fc.array(attestations, { minLength: 1, maxLength: 3 }),
      operations: fc.constant([] as OtsTimestamp['operations']),
    }),
    fc.record({
      attestations: fc.array(attestations, { maxLength: 2 }),
      operations: fc.array(fc.record({ operation: operations, next: tie('tree') }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  ),
})).tree;

describe('files', () => {
  test('what is written is read, and written the same again', () => {
    fc.assert(
      fc.property(bytes(32, 32), timestamps, (digest, timestamp) => {
        const written = writeOts({ hash: 'sha256', digest, timestamp });
        const { file } = getValue(parseOts(written));
        expect(file.digest).toEqual(digest);
        expect(writeOts(file)).toEqual(written);
      }),
    );
  });

  test('no bytes make the reader throw, and a file that is cut anywhere is none', () => {
    const whole = bytesOf(published.valid['different-blockchains.txt']!);
    for (let length = 0; length < whole.length; length++)
      expect(parseOts(whole.subarray(0, length)).ok, `${length}`).toBe(false);
    expect(parseOts(concatBytes(whole, Uint8Array.of(0))).ok).toBe(false);
    const head = concatBytes(OTS_MAGIC, Uint8Array.of(1, 8), new Uint8Array(32));
    fc.assert(fc.property(bytes(300), (rest) => void parseOts(concatBytes(head, rest))));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const changed = whole.slice();
        changed[at] = byte;
        parseOts(changed);
      }),
    );
  });

  const attestation: OtsAttestation = { kind: 'block', tag: OTS_ATTESTATIONS.bitcoin, height: 7 };
  const digest = new Uint8Array(32).fill(1);
  const read = (steps: OtsOperation[]) =>
    parseOts(writeOts({ hash: 'sha256', digest, timestamp: chainOperations(steps, attestation) }));

  test('operations are as deep as the format allows, and messages as long', () => {
    const reverse: OtsOperation = { kind: 'reverse' };
    expect(read(Array.from({ length: 255 }, () => reverse)).ok).toBe(true);
    expect(read(Array.from({ length: 256 }, () => reverse)).ok).toBe(false);
    const pad = (length: number): OtsOperation => ({ kind: 'append', argument: new Uint8Array(length) });
    expect(read([pad(MAX_OTS_MESSAGE - 32)]).ok).toBe(true);
    expect(read([pad(MAX_OTS_MESSAGE - 31)]).ok).toBe(false);
    expect(read([pad(MAX_OTS_MESSAGE / 2 - 32), { kind: 'hexlify' }]).ok).toBe(true);
    expect(read([pad(MAX_OTS_MESSAGE / 2 - 31), { kind: 'hexlify' }]).ok).toBe(false);
  });

  test('a chain that the format has no tag for has its own, which only who knows it reads', () => {
    const genesis = '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9';
    const tag = blockTagOf(genesis);
    expect(tag).toMatch(/^[0-9a-f]{16}$/);
    expect(blockTagOf('000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f')).toBe(
      OTS_ATTESTATIONS.bitcoin,
    );
    const own: OtsAttestation = { kind: 'block', tag, height: 300 };
    const written = writeOts({ hash: 'sha256', digest, timestamp: chainOperations([], own) });
    expect(getValue(parseOts(written, tag)).attested[0]?.attestation).toEqual(own);
    expect(getValue(parseOts(written)).attested[0]?.attestation).toMatchObject({ kind: 'unknown', tag });
  });
});
