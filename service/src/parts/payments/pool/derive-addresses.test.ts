import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { HDKey } from '@scure/bip32';
import { describe, expect, test } from 'vitest';
import { parseAccountKey } from '../../../wallets/account-key.ts';
import { deriveAddresses } from './derive-addresses.ts';

const bitcoin = getShippedProfile('bitcoin');
const dogecoin = getShippedProfile('dogecoin');

/** Published account keys of the mnemonic "abandon … about", and their first receiving addresses. */
const published = [
  {
    standard: 'BIP-84',
    key: 'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
    scriptType: undefined,
    addresses: ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'],
  },
  {
    standard: 'BIP-86',
    key: 'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ',
    scriptType: 'p2tr',
    addresses: [
      'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
      'bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh',
    ],
  },
] as const;

describe('addresses of an account key', () => {
  test.each(published)('are those that $standard publishes', async ({ key, scriptType, addresses }) => {
    const parsed = parseAccountKey(key, scriptType, bitcoin);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problem));
    const derived = await deriveAddresses(parsed.value, 0, 2, bitcoin);
    expect(derived).toEqual({
      ok: true,
      value: addresses.map((address, i) => ({ address, path: `0/${i}` })),
    });
  });

  test('of BIP-49 are wrapped: the published first address on test networks', async () => {
    // BIP-49 publishes the public key of m/49'/1'/0'/0/0 and its address.
    const root = HDKey.fromMasterSeed(
      Buffer.from(
        '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
        'hex',
      ),
      { public: 0x044a5262, private: 0 },
    );
    const upub = root.derive("m/49'/1'/0'").publicExtendedKey;
    const testnet = {
      ...bitcoin,
      chain: 'test',
      address: { p2pkhVersions: [111], p2shVersions: [196], bech32Hrp: 'tb' },
    };
    const parsed = parseAccountKey(upub, undefined, testnet);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problem));
    const derived = await deriveAddresses(parsed.value, 0, 1, testnet);
    expect(derived).toEqual({
      ok: true,
      value: [{ address: '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2', path: '0/0' }],
    });
  });

  test('are P2PKH on a coin without segwit, and no other kind is made there', () => {
    const { chainCode, publicKey } = HDKey.fromExtendedKey(published[1].key);
    const versions = { public: dogecoin.extendedPublicVersion, private: 0 };
    const node = new HDKey({ versions, chainCode: chainCode!, publicKey: publicKey! });
    const key = node.publicExtendedKey;
    expect(parseAccountKey(key, undefined, dogecoin)).toMatchObject({
      ok: true,
      value: { scriptType: 'p2pkh' },
    });
    expect(parseAccountKey(key, 'p2wpkh', dogecoin)).toMatchObject({ problem: { kind: 'invalid' } });
  });
});

describe('what is no account key of this network', () => {
  const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(7));
  test('a private key is told apart, whatever its prefix', () => {
    for (const version of [0x0488ade4, 0x04b2430c, 0x04358394, 0x11111111]) {
      const key = HDKey.fromMasterSeed(new Uint8Array(32).fill(7), { public: 1, private: version });
      expect(parseAccountKey(key.privateExtendedKey, undefined, bitcoin)).toEqual({
        ok: false,
        problem: { kind: 'private' },
      });
    }
  });

  test.each([
    ['a key of test networks', tpubOf(root)],
    ['text', 'xpub'],
    ['a mistyped key', root.publicExtendedKey.replace(/.$/, (last) => (last === '1' ? '2' : '1'))],
  ])('%s', (_, text) => {
    expect(parseAccountKey(text, undefined, bitcoin)).toMatchObject({
      ok: false,
      problem: { kind: 'invalid' },
    });
  });
});

function tpubOf({ chainCode, publicKey }: HDKey): string {
  const versions = { public: 0x043587cf, private: 0 };
  return new HDKey({ versions, chainCode: chainCode!, publicKey: publicKey! }).publicExtendedKey;
}
