import { describe, expect, test } from 'vitest';
import { decodeAddress } from './address.ts';
import { parsePaymentUri } from './payment-uri.ts';
import { bitcoin, dogecoin, litecoin, regtest } from './testing/profiles.ts';
import { walletStandard } from './wallet-standard.ts';

describe('walletStandard', () => {
  test('on Bitcoin the vectors are those that BIP-84 and BIP-86 publish', () => {
    expect(
      walletStandard(bitcoin).test_vectors.addresses.map(({ path, address }) => [path, address]),
    ).toEqual([
      ["m/84'/0'/0'/0/0", 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
      ["m/86'/0'/0'/0/0", 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'],
      ["m/44'/0'/0'/0/0", '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA'],
    ]);
  });

  test.each([bitcoin, litecoin, regtest])(
    'on $id every address of the vectors is one of the coin',
    (profile) => {
      const { addresses, payment_uri: uri } = walletStandard(profile).test_vectors;
      for (const { address, script } of addresses) {
        expect(decodeAddress(address, profile)).toMatchObject({ ok: true, value: { kind: script } });
      }
      expect(parsePaymentUri(uri.uri, profile)).toMatchObject({
        ok: true,
        value: { address: uri.address, amount: 50_000_000n, label: uri.label },
      });
    },
  );

  test('paths carry the coin type, the default is BIP-84, the gap limit 20', () => {
    const standard = walletStandard(litecoin);
    expect(standard.standard).toBe('COIN-HD-1');
    expect(standard.gap_limit).toBe(20);
    expect(standard.accounts.map(({ path, is_default }) => [path, is_default])).toEqual([
      ["m/84'/2'/0'/change/index", true],
      ["m/86'/2'/0'/change/index", false],
      ["m/44'/2'/0'/change/index", false],
    ]);
    expect(standard.secret_branches.map(({ path }) => path)).toEqual([
      "m/1129269582'/2'/0'",
      "m/1129269582'/2'/1'/index'",
      "m/1129269582'/2'/2'/index'",
    ]);
  });

  test('a coin without segwit has BIP-44 alone, as its default', () => {
    const standard = walletStandard(dogecoin);
    expect(standard.accounts).toEqual([
      {
        script: 'p2pkh',
        standard: 'BIP-44',
        purpose: 44,
        path: "m/44'/3'/0'/change/index",
        is_default: true,
      },
    ]);
    expect(standard.message_signing).toEqual([
      { script: 'p2pkh', standard: 'BIP-137', magic: 'Dogecoin Signed Message:\n' },
    ]);
  });

  test('the secrets are those that an independent derivation from the mnemonic gave', () => {
    const { name_salt, contributor_secret, node_key } = walletStandard(regtest).test_vectors;
    expect(name_salt).toEqual({
      path: "m/1129269582'/0'/0'",
      name: 'alice.coin',
      salt: '9eb9945aea8ec15ae89837cd11708c10',
    });
    expect(contributor_secret).toEqual({
      path: "m/1129269582'/0'/1'/0'",
      secret: 'd4d3448c62f43351ffd77d4c25976fc9c0b9826b096ad5bc61d421b2ccc81996',
    });
    expect(node_key).toEqual({
      path: "m/1129269582'/0'/2'/0'",
      public_key: 'bfdfa944f7f1090a19c64a790f3ab79ce3f964aabd9057c5540d99005b757303',
    });
  });

  test('it is plain JSON and holds no private key but the published mnemonic', () => {
    const text = JSON.stringify(walletStandard(regtest));
    expect(JSON.parse(text)).toEqual(walletStandard(regtest));
    expect(text).not.toContain('469898ee1000b016');
    expect(text).not.toContain('8d39f9e73c4b2f83');
    expect(text).not.toContain('61c135ff4fc3136d');
  });
});
