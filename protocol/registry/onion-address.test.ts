import { ed25519 } from '@noble/curves/ed25519.js';
import { sha3_256 } from '@noble/hashes/sha3.js';
import { expect, test } from 'vitest';
import { parseOnionAddress } from './onion-address.ts';

const digits = 'abcdefghijklmnopqrstuvwxyz234567';

function encode(bytes: readonly number[]): string {
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => digits[Number.parseInt(five, 2)]).join('');
}

function makeAddress(key: Uint8Array, version = 3): string {
  const checksum = sha3_256(Buffer.concat([Buffer.from('.onion checksum'), key, Uint8Array.of(version)]));
  return `${encode([...key, checksum[0]!, checksum[1]!, version])}.onion`;
}

/** The three examples of the specification, section 6. */
const known = [
  'pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion',
  'sp3k262uwy4r2k3ycr5awluarykdpag6a7y33jxop4cs2lu5uz5sseqd.onion',
  'xa4r2iadxm55fbnqgwwi5mymqdcofiu3w6rpbtqn7b2dyn7mgwj64jyd.onion',
];

test.each(known)('%s is an address', (address) => {
  expect(parseOnionAddress(address)).toEqual({ ok: true, value: address });
  expect(parseOnionAddress(address.toUpperCase())).toEqual({ ok: true, value: address });
});

test('an address whose digits differ in one place has a wrong checksum, or no version', () => {
  const [address] = known;
  for (let i = 0; i < 56; i++) {
    const other = address![i] === 'a' ? 'b' : 'a';
    const parsed = parseOnionAddress(`${address!.slice(0, i)}${other}${address!.slice(i + 1)}`);
    expect(parsed.ok, String(i)).toBe(false);
    if (i < 54) expect(!parsed.ok && parsed.reason).toMatch(/checksum/);
  }
});

test('other versions, keys that are none and other texts are refused', () => {
  const key = ed25519.getPublicKey(new Uint8Array(32).fill(7));
  expect(parseOnionAddress(makeAddress(key)).ok).toBe(true);
  expect(parseOnionAddress(makeAddress(key, 4))).toMatchObject({
    reason: expect.stringMatching(/version 4/),
  });
  // The neutral element, and a key with a torsion part.
  const torsion = ed25519.Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');
  const mixed = ed25519.Point.fromBytes(key).add(torsion).toBytes();
  for (const wrong of [new Uint8Array(32).with(0, 1), mixed, new Uint8Array(32).fill(0xff)])
    expect(parseOnionAddress(makeAddress(wrong))).toMatchObject({ reason: expect.stringMatching(/no key/) });
  for (const text of [
    '',
    '.onion',
    'expyuzz4wqqyqhjn.onion',
    `a.${known[0]}`,
    `${known[0]}.`,
    known[0]!.slice(0, 56),
  ])
    expect(parseOnionAddress(text).ok, text).toBe(false);
});
