import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import { verifySignedMessage } from '@coinfront/protocol/messages/verify-signed-message.ts';
import { findBip322Vectors, MISSING_BIP322_VECTORS } from '@coinfront/protocol/testing/bip322-vectors.ts';
import { bitcoin, regtest } from '@coinfront/protocol/testing/profiles.ts';
import { walletStandard } from '@coinfront/protocol/wallet-standard.ts';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { describe, expect, test } from 'vitest';
import { verifyMessage } from '../verify/verify-message.ts';
import { createMnemonic, mnemonicToSeed, readMnemonic } from './mnemonic.ts';
import { nodePublicKey } from './node-identity.ts';
import { signMessage, signMessageWithKey } from './sign-message.ts';
import { bitcoinNetwork, regtestNetwork } from './testing/networks.ts';
import { type AddressKind, addressPath, type Chain } from './wallet-address.ts';
import { openWallet } from './wallet-keys.ts';
import { deriveAddress, exportWatchOnly, importWatchOnly } from './watch-wallet.ts';

const ABANDON = `${'abandon '.repeat(11)}about`;
const { watch, keys } = openWallet({ mnemonic: ABANDON, network: bitcoinNetwork });
const addressAt = (kind: AddressKind, chain: Chain, index: number) =>
  deriveAddress(watch, { kind, chain, index }).address;

describe('COIN-HD-1 is what the BIPs publish', () => {
  test('BIP-39: seeds of the published mnemonics', () => {
    expect(bytesToHex(mnemonicToSeed(ABANDON, 'TREZOR'))).toBe(
      'c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04',
    );
    expect(bytesToHex(mnemonicToSeed(`${'abandon '.repeat(23)}art`, 'TREZOR'))).toBe(
      'bda85446c68413707090a52022edd26a1c9462295029f2e60cd7c4f2bbd3097170af7a4d73245cafa9c3cca8d561a7c3de6f5d4a10be8ed2a5e608d68f92fcc8',
    );
  });

  test('BIP-32: chain m/0H of the first vector', () => {
    const key = HDKey.fromMasterSeed(getHexBytes('000102030405060708090a0b0c0d0e0f')).derive("m/0'");
    expect(key.publicExtendedKey).toBe(
      'xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw',
    );
  });

  test('BIP-84: account and addresses', () => {
    expect(addressAt('p2wpkh', 0, 0)).toBe('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu');
    expect(addressAt('p2wpkh', 0, 1)).toBe('bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g');
    expect(addressAt('p2wpkh', 1, 0)).toBe('bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el');
  });

  test('BIP-86: account and addresses', () => {
    expect(watch.accounts.find(({ kind }) => kind === 'p2tr')?.xpub).toBe(
      'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ',
    );
    expect(addressAt('p2tr', 0, 0)).toBe('bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr');
    expect(addressAt('p2tr', 0, 1)).toBe('bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh');
    expect(addressAt('p2tr', 1, 0)).toBe('bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7');
  });

  test('BIP-44: the first address', () => {
    expect(addressAt('p2pkh', 0, 0)).toBe('1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA');
  });

  test('BIP-322: every published simple signature of one key is made again', (ctx) => {
    const vectors = findBip322Vectors();
    if (!vectors) return ctx.skip(MISSING_BIP322_VECTORS);
    const single = vectors.simple.filter(({ type }) => type === 'p2wpkh' || type === 'p2tr');
    for (const { private_keys, message, type, address, bip322_signatures } of single) {
      const key = createBase58check(sha256).decode(private_keys[0]!).slice(1, 33);
      const signature = signMessageWithKey(key, type as 'p2tr', message, bitcoinNetwork);
      expect(verifySignedMessage(address, message, signature, bitcoin)).toMatchObject({ ok: true });
      // Core grinds for a short r, and taproot signatures may be salted: then no other signer gets the same bytes.
      if (type === 'p2wpkh') expect(bip322_signatures).toContain(signature);
    }
    expect(single.length).toBeGreaterThanOrEqual(5);
  });
});

describe('COIN-HD-1 is what the service publishes', () => {
  for (const profile of [bitcoin, regtest]) {
    test(`the document of ${profile.id}`, () => {
      const { test_vectors: vectors } = walletStandard(profile);
      const network = { ...(profile === bitcoin ? bitcoinNetwork : regtestNetwork), bip44CoinType: 0 };
      const wallet = openWallet({ mnemonic: vectors.mnemonic, network });
      for (const { script, path, address } of vectors.addresses) {
        const at = { kind: script, chain: 0, index: 0 } as const;
        expect(addressPath(at, network)).toBe(path);
        expect(deriveAddress(wallet.watch, at).address).toBe(address);
      }
      expect(bytesToHex(wallet.keys.nameSalt(vectors.name_salt.name))).toBe(vectors.name_salt.salt);
      expect(bytesToHex(wallet.keys.contributorSecret(0))).toBe(vectors.contributor_secret.secret);
      expect(nodePublicKey(wallet.keys, 0)).toBe(vectors.node_key.public_key);
    });
  }
});

describe('messages', () => {
  test.each(['p2wpkh', 'p2tr', 'p2pkh'] as const)(
    'a signature of a %s address verifies, and for no other message',
    (kind) => {
      const path = { kind, chain: 0, index: 3 } as const;
      const wallet = openWallet({ mnemonic: createMnemonic(24), network: regtestNetwork });
      const { address } = deriveAddress(wallet.watch, path);
      const signature = signMessage(wallet.keys, path, 'Grüße');
      const verify = (message: string) => verifyMessage(regtestNetwork, { address, message, signature });
      expect(verify('Grüße')).toMatchObject({ ok: true });
      expect(verify('Gruesse').ok).toBe(false);
    },
  );

  test('text that has no UTF-8 is not signed', () => {
    expect(() => signMessage(keys, { kind: 'p2pkh', chain: 0, index: 0 }, '\ud800')).toThrow(
      expect.objectContaining({ code: 'message_invalid' }),
    );
  });
});

describe('mnemonics', () => {
  test('new ones have 12 or 24 words, and are read as they are typed', () => {
    expect(readMnemonic(createMnemonic()).split(' ')).toHaveLength(12);
    expect(readMnemonic(createMnemonic(24)).split(' ')).toHaveLength(24);
    expect(readMnemonic(`  ${ABANDON.toUpperCase().replaceAll(' ', '\n ')} `)).toBe(ABANDON);
  });

  test.each([
    ['too few words', 'abandon about'],
    ['a word that is none', ABANDON.replace('about', 'aboot')],
    ['a wrong checksum', ABANDON.replace('about', 'abandon')],
  ])('%s are refused without repeating a word', (_, text) => {
    expect(() => readMnemonic(text)).toThrow(
      expect.objectContaining({
        code: 'mnemonic_invalid',
        message: expect.not.stringMatching(/abandon|aboot/),
      }),
    );
  });
});

describe('the two halves', () => {
  test('keys written as JSON are no keys, and wiped ones sign nothing', () => {
    const wallet = openWallet({ mnemonic: ABANDON, network: bitcoinNetwork });
    const written = JSON.stringify(wallet.keys, (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    expect(Object.keys(JSON.parse(written))).toEqual(['fingerprint', 'network', 'accounts']);
    expect(written).not.toMatch(/prv|abandon/);
    wallet.keys.wipe();
    expect(() => wallet.keys.nameSalt('alice.coin')).toThrow(
      expect.objectContaining({ code: 'keys_mismatch' }),
    );
  });

  test('the watch-only half travels as JSON, and is refused when it holds a private key', () => {
    const json = JSON.parse(JSON.stringify(exportWatchOnly(watch)));
    expect(JSON.stringify(json)).not.toMatch(/xprv/);
    expect(deriveAddress(importWatchOnly(json), { kind: 'p2tr', chain: 1, index: 9 }).address).toBe(
      addressAt('p2tr', 1, 9),
    );
    const { privateExtendedKey } = HDKey.fromMasterSeed(mnemonicToSeed(ABANDON)).derive("m/84'/0'/0'");
    json.accounts[0].xpub = privateExtendedKey;
    expect(() => importWatchOnly(json)).toThrow(expect.objectContaining({ code: 'watch_only_invalid' }));
    expect(() => importWatchOnly(json)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('xprv') }),
    );
  });
});
