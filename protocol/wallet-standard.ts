import { ed25519 } from '@noble/curves/ed25519.js';
import { encodeAddress, pubKeyHashScript } from './address.ts';
import { formatAmount } from './amount.ts';
import { bytesToHex, getHexBytes, parseDisplayHash } from './bytes.ts';
import { hash160 } from './hash.ts';
import {
  contributorSecretPath,
  deriveContributorSecret,
  deriveNameSalt,
  deriveNodeKey,
  nameSaltPath,
  nodeKeyPath,
} from './hd-secret.ts';
import { buildPaymentUri } from './payment-uri.ts';
import type { CoinProfile } from './profile.ts';
import { getValue } from './result.ts';
import { witnessScript } from './script.ts';

const TEST_MNEMONIC =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

/**
 * What BIP-44, BIP-84 and BIP-86 publish for the test mnemonic at coin type 0: public keys only. The P2TR
 * entry is the output key, after the tweak, and the internal key that BIP-86 shows with it.
 */
const PUBLISHED = {
  p2pkh: {
    path: "m/44'/0'/0'/0/0",
    publicKey: '03aaeb52dd7494c361049de67cc680e83ebcbbbdbeb13637d92cd845f70308af5e',
  },
  p2wpkh: {
    path: "m/84'/0'/0'/0/0",
    publicKey: '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
  },
  p2tr: {
    path: "m/86'/0'/0'/0/0",
    publicKey: 'cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115',
    outputKey: 'a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c',
  },
} as const;

/** Keys of the test mnemonic's secret branches at coin type 0 (BIP-32), for the vectors made with them. */
const TEST_NAME_SALT_KEY = '469898ee1000b0165b066af2b2d794fd5295da15f1a5248594a8c76f1449a042';
const TEST_CONTRIBUTOR_KEY = '8d39f9e73c4b2f8376cb690ccdfe519f098f1f9a0cf826ff7d45378079345251';
const TEST_NODE_KEY = '61c135ff4fc3136d0b7f72e2872e731cef612fc19bab3a1752033f24f13e39b7';

type WalletScript = 'p2wpkh' | 'p2tr' | 'p2pkh';

/** One way to make addresses; `change` is 0 for receiving and 1 for change. */
export type WalletAccount = {
  script: WalletScript;
  standard: string;
  purpose: number;
  path: string;
  is_default: boolean;
};

/** How messages are signed for an address of one script. */
export type MessageSigning = { script: WalletScript; standard: string; magic?: string };

/** A secret made from the seed on a hardened branch of its own. */
export type SecretBranch = { name: string; path: string; bytes: number; derivation: string };

/** A key of the test mnemonic (for P2TR the x-only internal key) and its address on this coin. */
export type AddressVector = { script: WalletScript; path: string; public_key: string; address: string };

/** The COIN-HD-1 document as it is served. */
export type WalletStandard = {
  standard: 'COIN-HD-1';
  version: 1;
  coin: { name: string; ticker: string; decimals: number; coin_type: number; genesis_hash: string };
  mnemonic: { standard: 'BIP-39'; word_counts: number[]; language: 'english'; passphrase: 'optional' };
  key_derivation: 'BIP-32';
  extended_key_versions: { public: string; private: string };
  accounts: WalletAccount[];
  chains: { receive: 0; change: 1 };
  gap_limit: 20;
  message_signing: MessageSigning[];
  payment_uri: { standard: 'BIP-21'; template: string };
  secret_branches: SecretBranch[];
  test_vectors: {
    mnemonic: string;
    passphrase: '';
    note: string;
    addresses: AddressVector[];
    name_salt: { path: string; name: string; salt: string };
    contributor_secret: { path: string; secret: string };
    node_key: { path: string; public_key: string };
    payment_uri: { address: string; amount: string; label: string; uri: string };
  };
};

/**
 * The machine-readable wallet standard COIN-HD-1 of a coin: how a seed becomes addresses, signatures and
 * secrets, with vectors to check a wallet against. It holds public data and the published test mnemonic only.
 * On a coin without bech32 addresses the segwit accounts are left out and P2PKH is the default.
 */
export function walletStandard(profile: CoinProfile): WalletStandard {
  const coinType = profile.bip44CoinType;
  const scripts: WalletScript[] = profile.address.bech32Hrp ? ['p2wpkh', 'p2tr', 'p2pkh'] : ['p2pkh'];
  return {
    standard: 'COIN-HD-1',
    version: 1,
    coin: {
      name: profile.name,
      ticker: profile.ticker,
      decimals: profile.decimals,
      coin_type: coinType,
      genesis_hash: profile.genesisHash,
    },
    mnemonic: { standard: 'BIP-39', word_counts: [12, 24], language: 'english', passphrase: 'optional' },
    key_derivation: 'BIP-32',
    extended_key_versions: {
      public: versionHex(profile.extendedPublicVersion),
      private: versionHex(profile.extendedPrivateVersion),
    },
    accounts: scripts.map((script, i) => describeAccount(script, coinType, i === 0)),
    chains: { receive: 0, change: 1 },
    gap_limit: 20,
    message_signing: scripts.map((script) => describeSigning(script, profile)),
    payment_uri: {
      standard: 'BIP-21',
      template: `${profile.uriScheme}:<address>?amount=<decimal>&label=<text>&message=<text>&reference=<text>`,
    },
    secret_branches: describeSecrets(coinType),
    test_vectors: makeVectors(profile, scripts),
  };
}

function versionHex(version: number): string {
  return version.toString(16).padStart(8, '0');
}

const PURPOSES: Record<WalletScript, number> = { p2wpkh: 84, p2tr: 86, p2pkh: 44 };

function describeAccount(script: WalletScript, coinType: number, isDefault: boolean): WalletAccount {
  const purpose = PURPOSES[script];
  const path = `m/${purpose}'/${coinType}'/0'/change/index`;
  return { script, standard: `BIP-${purpose}`, purpose, path, is_default: isDefault };
}

function describeSigning(script: WalletScript, { messageMagic }: CoinProfile): MessageSigning {
  return script === 'p2pkh'
    ? { script, standard: 'BIP-137', magic: messageMagic }
    : { script, standard: 'BIP-322' };
}

function describeSecrets(coinType: number): SecretBranch[] {
  const hmac = 'HMAC-SHA256 with the private key at this path as its key';
  const genesis = 'the first 8 bytes of the genesis hash in internal byte order';
  return [
    {
      name: 'name_salt',
      path: nameSaltPath(coinType),
      bytes: 16,
      derivation: `first 16 bytes of ${hmac}, over ASCII "COIN-HD-1 name salt", one byte 00, ${genesis}, and the whole name (label.tld)`,
    },
    {
      name: 'contributor_secret',
      path: contributorSecretPath(coinType, 'index'),
      bytes: 32,
      derivation: `${hmac}, over ASCII "COIN-HD-1 contributor secret", one byte 00, and ${genesis}; index counts identities from 0`,
    },
    {
      name: 'node_key',
      path: nodeKeyPath(coinType, 'index'),
      bytes: 32,
      derivation: `Ed25519 private key (RFC 8032): ${hmac}, over ASCII "COIN-HD-1 node key", one byte 00, and ${genesis}; index counts nodes from 0`,
    },
  ];
}

function makeVectors(profile: CoinProfile, scripts: WalletScript[]): WalletStandard['test_vectors'] {
  const genesisHash = getValue(parseDisplayHash(profile.genesisHash));
  const name = `alice.${profile.names?.tlds[0] ?? 'coin'}`;
  const addresses = scripts.map((script) => makeAddressVector(script, profile));
  const request = {
    address: addresses[0]!.address,
    amount: 5n * 10n ** BigInt(Math.max(profile.decimals - 1, 0)),
    label: 'Coffee & cake',
    message: undefined,
    reference: undefined,
  };
  const uri = getValue(buildPaymentUri(request, profile));
  return {
    mnemonic: TEST_MNEMONIC,
    passphrase: '',
    note: 'The vectors use coin type 0, as the BIPs publish them; addresses are in the form of this coin.',
    addresses,
    name_salt: {
      path: nameSaltPath(0),
      name,
      salt: bytesToHex(deriveNameSalt(getHexBytes(TEST_NAME_SALT_KEY), genesisHash, name)),
    },
    contributor_secret: {
      path: contributorSecretPath(0, 0),
      secret: bytesToHex(deriveContributorSecret(getHexBytes(TEST_CONTRIBUTOR_KEY), genesisHash)),
    },
    node_key: {
      path: nodeKeyPath(0, 0),
      public_key: bytesToHex(ed25519.getPublicKey(deriveNodeKey(getHexBytes(TEST_NODE_KEY), genesisHash))),
    },
    payment_uri: {
      address: request.address,
      amount: formatAmount(request.amount, profile.decimals),
      label: request.label,
      uri,
    },
  };
}

function makeAddressVector(script: WalletScript, profile: CoinProfile): AddressVector {
  const { path, publicKey } = PUBLISHED[script];
  const hash = hash160(getHexBytes(publicKey));
  const scriptPubKey =
    script === 'p2tr'
      ? witnessScript(1, getHexBytes(PUBLISHED.p2tr.outputKey))
      : script === 'p2wpkh'
        ? witnessScript(0, hash)
        : pubKeyHashScript(hash);
  return { script, path, public_key: publicKey, address: encodeAddress(scriptPubKey, profile)! };
}
