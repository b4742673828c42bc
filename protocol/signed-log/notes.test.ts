import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesToHex } from '../bytes.ts';
import { verifyEd25519 } from '../registry/node-key.ts';
import { getValue } from '../result.ts';
import {
  findOriginKey,
  logOrigin,
  openCheckpoint,
  parseHeadText,
  signCheckpoint,
  writeHeadText,
} from './checkpoint.ts';
import { cosign, findCosignature, witnessName } from './cosignature.ts';
import { readEntryBundle, writeEntryBundle } from './entry-bundle.ts';
import { parseNote, parseSignatureLines, parseVerifierKey, signaturesOf, writeVerifierKey } from './note.ts';
import { hashesAtLevel, parseTilePath, writeTilePath } from './tiles.ts';
import { parseWitnessRequest, writeWitnessRequest } from './witness-request.ts';

const seed = new Uint8Array(32).fill(3);
const publicKey = bytesToHex(ed25519.getPublicKey(seed));
const sign = (text: string) => ed25519.sign(new TextEncoder().encode(text), seed);
const origin = logOrigin('node-registry', publicKey);
const root = new Uint8Array(32).fill(9);
const head = { origin, size: 20_852_163, root };

test.each([
  [
    'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n",
  ],
  [
    'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
    'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n',
  ],
])('published notes are of their keys: %s', (verifierKey, note) => {
  const key = getValue(parseVerifierKey(verifierKey));
  const { text, signatures } = getValue(parseNote(note));
  const [signature] = signaturesOf(signatures, key);
  expect(verifyEd25519(key.publicKey, text, bytesToHex(signature!.signature))).toBe(true);
  expect(writeVerifierKey(key)).toBe(verifierKey);
});

test('a published checkpoint is read', () => {
  const note =
    'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n';
  const { text, signatures } = getValue(parseNote(note));
  expect(getValue(parseHeadText(text))).toMatchObject({
    origin: 'example.com/behind-the-sofa',
    size: 20_852_163,
  });
  expect(signatures.map(({ name }) => name)).toEqual([
    'example.com/behind-the-sofa',
    'witness.example.com/w1',
  ]);
});

test('a checkpoint is opened by the key of its log alone, and not when anything of it was changed', () => {
  const { note } = signCheckpoint(head, publicKey, sign);
  expect(openCheckpoint(note, { origin, publicKey })).toMatchObject({ ok: true, checkpoint: head });
  expect(findOriginKey(origin)).toBe(publicKey);
  const otherKey = bytesToHex(ed25519.getPublicKey(new Uint8Array(32).fill(4)));
  const faultOf = (text: string, key = { origin, publicKey }) => {
    const opened = openCheckpoint(text, key);
    return opened.ok ? undefined : opened.fault;
  };
  expect(faultOf(note, { origin, publicKey: otherKey })).toBe('signature_invalid');
  expect(faultOf(note, { origin: `${origin}0`, publicKey })).toBe('other_log');
  expect(faultOf(note.replace('20852163', '20852164'))).toBe('signature_invalid');
  expect(faultOf(note.replace('20852163', '020852163'))).toBe('malformed');
  expect(faultOf(note.slice(0, -1))).toBe('malformed');
  // A second line of the same key has to be good, too.
  const [line] = note.split('\n').slice(-2);
  expect(faultOf(`${note}${line!.slice(0, -8)}AAAAAAA=\n`)).toBe('signature_invalid');
});

test('a note is bounded, and nothing that somebody sends takes it apart', () => {
  expect(parseNote(`${'a'.repeat(140_000)}\n\n— a AAAAAAAA\n`).ok).toBe(false);
  expect(parseSignatureLines('— a AAAAAAAA\n'.repeat(65)).ok).toBe(false);
  expect(parseSignatureLines('— a AAAAAAAA\n'.repeat(64)).ok).toBe(true);
  for (const line of ['— a+b AAAAAAAA\n', '— a b AAAAAAAA\n', '- a AAAAAAAA\n', '— a AAAA\n', '— a AAAAAAAA'])
    expect(parseSignatureLines(line).ok, line).toBe(false);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(openCheckpoint(text, { origin, publicKey }).ok).toBe(false);
      parseNote(`${text}\n\n— a AAAAAAAA\n`);
      parseWitnessRequest(text);
      parseTilePath(text);
      expect(parseVerifierKey(text).ok).toBe(false);
    }),
  );
});

test('a cosignature is of one witness, one text and one time', () => {
  const name = witnessName(publicKey);
  const text = writeHeadText(head);
  const line = cosign(text, { name, publicKey, timeSeconds: 1_795_176_000 }, sign);
  const lines = getValue(parseSignatureLines(line));
  expect(findCosignature(text, lines, { name, publicKey })).toBe(1_795_176_000);
  expect(findCosignature(`${text}more\n`, lines, { name, publicKey })).toBeUndefined();
  expect(findCosignature(text, lines, { name: 'other', publicKey })).toBeUndefined();
  // The log's own signature by the same key is none: another message, another id.
  const { signatures } = getValue(parseNote(signCheckpoint(head, publicKey, sign).note));
  expect(findCosignature(text, signatures, { name: origin, publicKey })).toBeUndefined();
});

test('tiles have one path each', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('entries' as const, 0, 1, 63),
      fc.integer({ min: 0, max: 999_999_999 }),
      fc.integer({ min: 1, max: 256 }),
      (level, index, width) => {
        const tile = { level, index, width };
        expect(parseTilePath(writeTilePath(tile))).toEqual(tile);
      },
    ),
  );
  for (const path of [
    '0/1',
    '0/0001',
    '64/000',
    '00/000',
    '0/x000/001',
    '0/000.p/256',
    '0/000.p/01',
    '0/000.p/0',
    '0/../1',
  ])
    expect(parseTilePath(path), path).toBeUndefined();
  expect([0, 1, 2].map((level) => hashesAtLevel(70_000, level))).toEqual([70_000, 273, 1]);
});

test('bundles and requests to witnesses are read as they were written', () => {
  const entry = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 10 }), (entries) => {
      const bundle = writeEntryBundle(entries);
      expect(getValue(readEntryBundle(bundle)).map(bytesToHex)).toEqual(entries.map(bytesToHex));
      if (bundle.length > 0) expect(readEntryBundle(bundle.subarray(0, -1)).ok).toBe(false);
    }),
  );
  const request = { oldSize: 3, path: [root, root], note: 'a note\n' };
  expect(getValue(parseWitnessRequest(writeWitnessRequest(request)))).toEqual(request);
  const none = { oldSize: 0, path: [], note: 'a note\n' };
  expect(getValue(parseWitnessRequest(writeWitnessRequest(none)))).toEqual(none);
  const long = { ...request, path: Array.from({ length: 64 }, () => root) };
  expect(parseWitnessRequest(writeWitnessRequest(long)).ok).toBe(false);
});
