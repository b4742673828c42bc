import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import {
  contributorSecretPath,
  deriveContributorSecret,
  deriveNameSalt,
  deriveNodeKey,
  nameSaltPath,
  nodeKeyPath,
} from '@coinfront/protocol/hd-secret.ts';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeed } from './mnemonic.ts';
import type { Network } from './network.ts';
import { type AddressPath, accountPath, addressPath, kindsOf } from './wallet-address.ts';
import { WalletError } from './wallet-error.ts';
import { versionsOf, type WatchAccount, type WatchWallet } from './watch-wallet.ts';

/**
 * The half of a wallet that signs. It has no field that holds a key, so that writing it as JSON or into a log writes
 * none; nothing of it is ever part of a request.
 */
export type WalletKeys = {
  /** BIP-32 fingerprint of the master key. */
  readonly fingerprint: number;
  readonly network: Network;
  /** The accounts as these keys have them: what a watch-only wallet from elsewhere is compared with. */
  readonly accounts: readonly WatchAccount[];
  /** The private key of an address, 32 bytes. @throws WalletError `keys_mismatch` once the keys are wiped */
  privateKeyOf(path: AddressPath): Uint8Array;
  /** The salt of a name's commitment (COIN-HD-1): a restored wallet makes the same again. 16 bytes. */
  nameSalt(name: string): Uint8Array;
  /** The secret of a contributor identity (COIN-HD-1), by number from 0. 32 bytes. */
  contributorSecret(index: number): Uint8Array;
  /** The Ed25519 private key of a node for a node registry (COIN-HD-1), by number from 0. 32 bytes. */
  nodeKey(index: number): Uint8Array;
  /** Forgets the keys, as far as a language with garbage collection can. */
  wipe(): void;
};

/** Both halves of a wallet. */
export type Wallet = { readonly watch: WatchWallet; readonly keys: WalletKeys };

/**
 * Opens a wallet by COIN-HD-1: BIP-39 seed, BIP-32 keys, and the accounts of BIP-84, BIP-86 and BIP-44 that the coin
 * has. Nothing is asked of any service.
 *
 * @param parameters.passphrase - of BIP-39; another one is another wallet
 * @throws WalletError `mnemonic_invalid`
 * @example
 * const { watch, keys } = openWallet({ mnemonic, network: readNetwork(await getConfig(client)) });
 */
export function openWallet({
  mnemonic,
  passphrase = '',
  network,
}: {
  mnemonic: string;
  passphrase?: string;
  network: Network;
}): Wallet {
  const seed = mnemonicToSeed(mnemonic, passphrase);
  const root = HDKey.fromMasterSeed(seed, versionsOf(network));
  seed.fill(0);
  const accounts = kindsOf(network).map((kind) => {
    const path = accountPath(kind, network);
    const account = root.derive(path);
    const { publicExtendedKey: xpub } = account;
    account.wipePrivateData();
    return { kind, path, xpub };
  });
  const keys = createKeys(root, network, accounts);
  return { watch: { network, fingerprint: keys.fingerprint, accounts }, keys };
}

function createKeys(root: HDKey, network: Network, accounts: readonly WatchAccount[]): WalletKeys {
  let held: HDKey | undefined = root;
  const genesisHash = getHexBytes(network.genesisHash).reverse();
  const keyAt = (path: string): Uint8Array => {
    if (held === undefined)
      throw new WalletError('keys_mismatch', 'The keys were wiped: open the wallet again.');
    const node = held.derive(path);
    const key = Uint8Array.from(node.privateKey!);
    node.wipePrivateData();
    return key;
  };
  return {
    fingerprint: root.fingerprint,
    network,
    accounts,
    privateKeyOf: (path) => keyAt(addressPath(path, network)),
    nameSalt: (name) => deriveNameSalt(keyAt(nameSaltPath(network.bip44CoinType)), genesisHash, name),
    contributorSecret: (index) =>
      deriveContributorSecret(keyAt(contributorSecretPath(network.bip44CoinType, index)), genesisHash),
    nodeKey: (index) => deriveNodeKey(keyAt(nodeKeyPath(network.bip44CoinType, index)), genesisHash),
    wipe() {
      held?.wipePrivateData();
      held = undefined;
    },
  };
}
