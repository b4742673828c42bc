import { HDKey } from '@scure/bip32';
import { type Network, type NetworkJson, readStoredNetwork } from './network.ts';
import {
  ADDRESS_KINDS,
  type AddressKind,
  type AddressPath,
  accountPath,
  addressOfKey,
  type WalletAddress,
} from './wallet-address.ts';
import { WalletError } from './wallet-error.ts';

/** An account by its extended public key: every address of it, and no key to spend. */
export type WatchAccount = {
  readonly kind: AddressKind;
  /** `m/84'/2'/0'` */
  readonly path: string;
  /** BIP-32, with the coin's version. */
  readonly xpub: string;
};

/**
 * The half of a wallet that sees and builds but cannot sign. It tells who has it all addresses, past and future:
 * private, though no secret that moves coins.
 */
export type WatchWallet = {
  readonly network: Network;
  /** BIP-32 fingerprint of the master key: which keys sign for it. */
  readonly fingerprint: number;
  readonly accounts: readonly WatchAccount[];
};

/** What {@link exportWatchOnly} writes. */
export type WatchWalletJson = {
  readonly standard: 'COIN-HD-1';
  readonly version: 1;
  readonly network: NetworkJson;
  readonly fingerprint: number;
  readonly accounts: readonly WatchAccount[];
};

const MAX_INDEX = 0x7fffffff;

/** Keys of chains, and addresses, that were derived before: a scan asks for the same ones each time. */
type Derived = { chains: Map<number, HDKey>; addresses: Map<string, WalletAddress> };
const derivedOf = new WeakMap<WatchAccount, Derived>();

/**
 * An address of the wallet.
 *
 * @throws WalletError `network_lacks` where the coin has no such kind
 * @example
 * deriveAddress(wallet, { kind: 'p2wpkh', chain: 0, index: 0 }).address;
 */
export function deriveAddress(wallet: WatchWallet, path: AddressPath): WalletAddress {
  const account = getAccount(wallet, path.kind);
  if (!Number.isInteger(path.index) || path.index < 0 || path.index > MAX_INDEX) {
    throw new WalletError('address_invalid', `An index is 0 to ${MAX_INDEX}, received ${path.index}.`);
  }
  const { chains, addresses } = getDerived(account);
  const place = `${path.chain}/${path.index}`;
  const known = addresses.get(place);
  if (known !== undefined) return known;
  const chain = chains.get(path.chain) ?? accountKey(account, wallet.network).deriveChild(path.chain);
  chains.set(path.chain, chain);
  const address = addressOfKey(path, chain.deriveChild(path.index).publicKey!, wallet.network);
  addresses.set(place, address);
  return address;
}

/** The account of a kind. */
export function getAccount(wallet: WatchWallet, kind: AddressKind): WatchAccount {
  const account = wallet.accounts.find((each) => each.kind === kind);
  if (account !== undefined) return account;
  throw new WalletError('network_lacks', `The wallet has no account of ${kind} addresses.`);
}

function getDerived(account: WatchAccount): Derived {
  const known = derivedOf.get(account) ?? { chains: new Map(), addresses: new Map() };
  derivedOf.set(account, known);
  return known;
}

function accountKey({ xpub }: WatchAccount, network: Network): HDKey {
  return HDKey.fromExtendedKey(xpub, versionsOf(network));
}

/** The BIP-32 versions of a coin, as the library wants them. */
export function versionsOf(network: Network): { public: number; private: number } {
  return { public: network.extendedPublicVersion, private: network.extendedPrivateVersion };
}

/**
 * Writes the watch-only half, for another machine or a file.
 *
 * @example
 * const text = JSON.stringify(exportWatchOnly(watch));
 */
export function exportWatchOnly({ network, fingerprint, accounts }: WatchWallet): WatchWalletJson {
  const { dustLimit } = network;
  return {
    standard: 'COIN-HD-1',
    version: 1,
    network: { ...network, dustLimit: dustLimit.toString() },
    fingerprint,
    accounts,
  };
}

/**
 * Reads what {@link exportWatchOnly} wrote.
 *
 * @throws WalletError `watch_only_invalid`
 * @example
 * const watch = importWatchOnly(JSON.parse(text));
 */
export function importWatchOnly(json: WatchWalletJson): WatchWallet {
  const isWhole =
    json?.standard === 'COIN-HD-1' &&
    json.version === 1 &&
    Number.isInteger(json.fingerprint) &&
    Array.isArray(json.accounts) &&
    typeof json.network?.dustLimit === 'string';
  if (!isWhole)
    throw new WalletError('watch_only_invalid', 'This is no watch-only wallet of COIN-HD-1, version 1.');
  try {
    const network = readStoredNetwork(json.network);
    const accounts = json.accounts.map(({ kind, path, xpub }) => {
      if (!ADDRESS_KINDS.includes(kind) || path !== accountPath(kind, network))
        throw new Error('another account');
      if (HDKey.fromExtendedKey(xpub, versionsOf(network)).privateKey !== null)
        throw new Error('a private key');
      return { kind, path, xpub };
    });
    return { network, fingerprint: json.fingerprint, accounts };
  } catch (cause) {
    // The cause may quote a key.
    const detail =
      cause instanceof Error && cause.message === 'a private key' ? ' It holds a private key.' : '';
    throw new WalletError('watch_only_invalid', `The watch-only wallet cannot be read.${detail}`);
  }
}
