import { encodeAddress, pubKeyHashScript } from '@coinfront/protocol/address.ts';
import { hash160 } from '@coinfront/protocol/hash.ts';
import { witnessScript } from '@coinfront/protocol/script.ts';
import { taprootTweakPubkey } from '@scure/btc-signer/utils.js';
import type { Network } from './network.ts';
import { WalletError } from './wallet-error.ts';

/** The kinds of address of COIN-HD-1, each of an account of its own. */
export const ADDRESS_KINDS = ['p2wpkh', 'p2tr', 'p2pkh'] as const;
export type AddressKind = (typeof ADDRESS_KINDS)[number];

/** BIP-43 purposes of the accounts. */
export const PURPOSES = { p2pkh: 44, p2wpkh: 84, p2tr: 86 } as const satisfies Record<AddressKind, number>;

/** 0 for receiving, 1 for change (BIP-44). */
export type Chain = 0 | 1;

/** Which address of a wallet. */
export type AddressPath = { readonly kind: AddressKind; readonly chain: Chain; readonly index: number };

/** An address of a wallet. */
export type WalletAddress = AddressPath & {
  readonly address: string;
  /** Its scriptPubKey. */
  readonly script: Uint8Array;
  /** 33 bytes, compressed; of P2TR the internal key before its tweak. */
  readonly publicKey: Uint8Array;
};

/** The kinds that a coin has: without bech32 there is P2PKH alone. */
export function kindsOf({ address }: Network): readonly AddressKind[] {
  return address.bech32Hrp === undefined ? ['p2pkh'] : ADDRESS_KINDS;
}

/** The path of an account, all hardened: `m/84'/2'/0'`. */
export function accountPath(kind: AddressKind, { bip44CoinType }: Network): string {
  return `m/${PURPOSES[kind]}'/${bip44CoinType}'/0'`;
}

/** The whole path of an address, as COIN-HD-1 writes it: `m/84'/2'/0'/0/5`. */
export function addressPath({ kind, chain, index }: AddressPath, network: Network): string {
  return `${accountPath(kind, network)}/${chain}/${index}`;
}

/** The scriptPubKey that a compressed public key has as an address of this kind. */
export function scriptOfKey(kind: AddressKind, publicKey: Uint8Array): Uint8Array {
  switch (kind) {
    case 'p2pkh':
      return pubKeyHashScript(hash160(publicKey));
    case 'p2wpkh':
      return witnessScript(0, hash160(publicKey));
    case 'p2tr':
      // BIP-86: tweaked by nothing but itself, so that there is no script path.
      return witnessScript(1, taprootTweakPubkey(publicKey.subarray(1), new Uint8Array(0))[0]);
  }
}

/** The address of a public key. */
export function addressOfKey(path: AddressPath, publicKey: Uint8Array, network: Network): WalletAddress {
  const script = scriptOfKey(path.kind, publicKey);
  const address = encodeAddress(script, network);
  if (address === undefined) {
    throw new WalletError('network_lacks', `${network.name} has no ${path.kind} addresses.`);
  }
  const { kind, chain, index } = path;
  return { kind, chain, index, address, script, publicKey };
}
