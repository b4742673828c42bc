import { bech32, bech32m, createBase58check } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeAddress, encodeAddress, pubKeyHashScript, scriptHashScript } from './address.ts';
import { bytesToHex, getHexBytes } from './bytes.ts';
import { sha256 } from './hash.ts';
import type { CoinProfile } from './profile.ts';
import { witnessScript } from './script.ts';
import { bitcoin, dogecoin, litecoin, regtest } from './testing/profiles.ts';

const bitcoinTestnet: CoinProfile = {
  ...bitcoin,
  address: { p2pkhVersions: [111], p2shVersions: [196], bech32Hrp: 'tb' },
};

const base58check = createBase58check(sha256);
const HASH_20 = new Uint8Array(20).fill(7);

function profileOf(address: string): CoinProfile {
  return address.toLowerCase().startsWith('tb') ? bitcoinTestnet : bitcoin;
}

describe('segwit addresses', () => {
  test.each([
    ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
    [
      'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
      '00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
    ],
    [
      'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
      '5128751e76e8199196d454941c45d1b3a323f1433bd6751e76e8199196d454941c45d1b3a323f1433bd6',
    ],
    ['BC1SW50QGDZ25J', '6002751e'],
    ['bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', '5210751e76e8199196d454941c45d1b3a323'],
    [
      'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy',
      '0020000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433',
    ],
    [
      'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
      '5120000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433',
    ],
    [
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    ],
    ['bc1pfeessrawgf', '51024e73'],
  ])('BIP-350 and BIP-433: %s pays to %s', (address, script) => {
    const decoded = decodeAddress(address, profileOf(address));
    expect(decoded.ok && bytesToHex(decoded.value.script)).toBe(script);
    expect(encodeAddress(getHexBytes(script), profileOf(address))).toBe(address.toLowerCase());
  });

  test.each([
    ['another prefix', 'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut', 'another network'],
    ['v1 in bech32', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', 'must use bech32m'],
    ['v2 in bech32', 'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf', 'must use bech32m'],
    ['v16 in bech32', 'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL', 'must use bech32m'],
    ['v0 in bech32m', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'must use bech32'],
    ['v0 in bech32m', 'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47', 'must use bech32'],
    ['a wrong character', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', 'checksum'],
    ['version 17', 'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R', 'witness version'],
    ['1 byte of program', 'bc1pw5dgrnzv', '1 bytes'],
    [
      '41 bytes of program',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
      '41 bytes',
    ],
    ['v0 of 16 bytes', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', '16 bytes'],
    ['mixed case', 'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq', 'checksum'],
    ['over 4 bits of padding', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf', 'padding'],
    ['padding that is not zero', 'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j', 'padding'],
    ['no data', 'bc1gmk9yu', 'witness version'],
  ])('BIP-350 refuses %s', (_name, address, reason) => {
    expect(decodeAddress(address, profileOf(address))).toEqual({
      ok: false,
      reason: expect.stringContaining(reason),
    });
  });
});

describe('addresses of a coin', () => {
  test.each([
    ['mpm64eXJMLdb2y8RbKuRSrZmnvU8wDmX7f', '76a914656570cd6f355fa28d90b2a9b79a990ff2924c6288ac', 'p2pkh'],
    ['QQEucfjxgdnp14tXk6f8Wferbvfbs9vNYi', 'a91427e4045048e4f7d2b7fa0fbc2e38f23e13f8dfc387', 'p2sh'],
    [
      'rltc1q3f8cjg9yappdelresqzew57zf5yp74s9mruvh5',
      '00148a4f8920a4e842dcfc7980059753c24d081f5605',
      'p2wpkh',
    ],
  ])('regtest agrees with litecoind on %s', (address, script, kind) => {
    expect(decodeAddress(address, regtest)).toEqual({
      ok: true,
      value: { script: getHexBytes(script), kind },
    });
    expect(encodeAddress(getHexBytes(script), regtest)).toBe(address);
  });

  test('every accepted P2SH version is read, the first is written', () => {
    const script = scriptHashScript(HASH_20);
    const old = base58check.encode(Uint8Array.of(5, ...HASH_20));
    expect(decodeAddress(old, litecoin)).toEqual({ ok: true, value: { script, kind: 'p2sh' } });
    expect(encodeAddress(script, litecoin)).toBe(base58check.encode(Uint8Array.of(50, ...HASH_20)));
  });

  test('decode(encode(script)) gives the script, for every kind that has an address, on every coin', () => {
    const script = fc.oneof(
      fc.uint8Array({ minLength: 20, maxLength: 20 }).map(pubKeyHashScript),
      fc.uint8Array({ minLength: 20, maxLength: 20 }).map(scriptHashScript),
      fc.uint8Array({ minLength: 20, maxLength: 20 }).map((program) => witnessScript(0, program)),
      fc.uint8Array({ minLength: 32, maxLength: 32 }).map((program) => witnessScript(0, program)),
      fc
        .tuple(fc.integer({ min: 1, max: 16 }), fc.uint8Array({ minLength: 2, maxLength: 40 }))
        .map(([version, program]) => witnessScript(version, program)),
    );
    fc.assert(
      fc.property(script, fc.constantFrom(bitcoin, litecoin, regtest), (bytes, profile) => {
        const decoded = decodeAddress(encodeAddress(bytes, profile)!, profile);
        expect(decoded.ok && decoded.value.script).toEqual(bytes);
      }),
    );
  });

  test.each([
    ['P2PK', `21${'02'.repeat(33)}ac`],
    ['bare multisig', `5121${'02'.repeat(33)}51ae`],
    ['a data carrier', '6a0401020304'],
    ['the empty script', ''],
    ['v0 of a wrong length', '0002ffff'],
  ])('%s has no address', (_name, hex) => {
    expect(encodeAddress(getHexBytes(hex), bitcoin)).toBeUndefined();
  });

  test('a coin without bech32 prefix has no segwit addresses', () => {
    expect(encodeAddress(witnessScript(0, HASH_20), dogecoin)).toBeUndefined();
    expect(decodeAddress('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', dogecoin)).toEqual({
      ok: false,
      reason: 'address is of another network: prefix "bc", this coin has none',
    });
  });

  test('reasons tell what is wrong', () => {
    const reasonOf = (text: string) => {
      const decoded = decodeAddress(text, regtest);
      return decoded.ok ? '' : decoded.reason;
    };
    expect(reasonOf('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2')).toBe('address is of another network: version 0');
    expect(reasonOf('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu')).toContain('another network: prefix "bc"');
    expect(reasonOf('mpm64eXJMLdb2y8RbKuRSrZmnvU8wDmX7g')).toContain('checksum');
    expect(reasonOf('rltc1q3f8cjg9yappdelresqzew57zf5yp74s9mruvh6')).toContain('checksum');
    expect(reasonOf(base58check.encode(new Uint8Array(22)))).toContain('22 bytes');
    expect(reasonOf('')).toBe('address is empty');
    expect(reasonOf('m'.repeat(121))).toBe('address is too long: 121 characters');
    expect(reasonOf(bech32.encode('rltc', [0, ...bech32.toWords(HASH_20), 0], 120))).not.toBe('');
    expect(reasonOf(bech32m.encode('rltc', [17, ...bech32m.toWords(HASH_20)]))).toContain('witness version');
  });

  test('no reason repeats what was received: it might be a key', () => {
    const key = base58check.encode(Uint8Array.of(239, ...new Uint8Array(32).fill(9), 1));
    const decoded = decodeAddress(key, regtest);
    expect(decoded.ok).toBe(false);
    expect(JSON.stringify(decoded)).not.toContain(key.slice(0, 10));
  });

  test('random text never makes it throw', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 130 }),
      fc.string({ maxLength: 60 }).map((tail) => `rltc1${tail}`),
      fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{20,60}$/),
    );
    fc.assert(
      fc.property(text, (input) => {
        expect(typeof decodeAddress(input, regtest).ok).toBe('boolean');
      }),
      { numRuns: 2000 },
    );
  });
});
