import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { SigHash, Transaction } from '@scure/btc-signer/transaction.js';
import type { PlannedOutput } from './transaction-plan.ts';
import { type AddressPath, PURPOSES, type WalletAddress } from './wallet-address.ts';
import type { WalletCoin } from './wallet-coin.ts';
import type { WatchWallet } from './watch-wallet.ts';

/** Replaceable (BIP-125), so that its fee can be raised. */
export const REPLACEABLE = 0xfffffffd;
const HARDENED = 0x80000000;

/** How PSBTs are read and written everywhere: data carriers are outputs of ours, and unknown fields are kept. */
export const PSBT_OPTIONS = { allowUnknownOutputs: true, lowR: true, unknown: 'ignore' } as const;

/** A coin with the transaction that it comes from, without witness. */
export type ProvenCoin = { coin: WalletCoin; previous: Uint8Array };

/**
 * Writes a PSBT (BIP-174, BIP-371) whose signer needs nothing else: previous transactions, which prove the amounts, and
 * the derivation of its own inputs and outputs.
 */
export function assemblePsbt(
  wallet: WatchWallet,
  inputs: readonly ProvenCoin[],
  outputs: readonly (PlannedOutput & { owner?: WalletAddress | undefined })[],
): Uint8Array {
  const tx = new Transaction(PSBT_OPTIONS);
  addOwnParts(tx, wallet, inputs, outputs);
  return tx.toPSBT(0);
}

/** Adds inputs of the wallet and outputs behind those that a transaction has. */
export function addOwnParts(
  tx: Transaction,
  wallet: WatchWallet,
  inputs: readonly ProvenCoin[],
  outputs: readonly (PlannedOutput & { owner?: WalletAddress | undefined })[],
): void {
  for (const { coin, previous } of inputs) {
    const { owner, value } = coin;
    tx.addInput({
      txid: getHexBytes(coin.txid),
      index: coin.vout,
      sequence: REPLACEABLE,
      nonWitnessUtxo: previous,
      ...(owner.kind === 'p2pkh' ? {} : { witnessUtxo: { script: owner.script, amount: value } }),
      ...(owner.kind === 'p2tr' ? {} : { sighashType: SigHash.ALL }),
      ...describeKey(owner, wallet),
    });
  }
  for (const { script, value, owner } of outputs) {
    tx.addOutput({ script, amount: value, ...(owner === undefined ? {} : describeKey(owner, wallet)) });
  }
}

function describeKey(owner: WalletAddress, wallet: WatchWallet) {
  const der = { fingerprint: wallet.fingerprint, path: pathNumbers(owner, wallet) };
  if (owner.kind !== 'p2tr')
    return { bip32Derivation: [[owner.publicKey, der]] as [Uint8Array, typeof der][] };
  const internal = owner.publicKey.slice(1);
  const tapped = { hashes: [], der };
  return {
    tapInternalKey: internal,
    tapBip32Derivation: [[internal, tapped]] as [Uint8Array, typeof tapped][],
  };
}

function pathNumbers({ kind, chain, index }: AddressPath, { network }: WatchWallet): number[] {
  return [HARDENED + PURPOSES[kind], HARDENED + network.bip44CoinType, HARDENED, chain, index];
}

/** The address that derivation numbers stand for; undefined when they are not of this wallet's accounts. */
export function readPathNumbers(path: readonly number[], { network }: WatchWallet): AddressPath | undefined {
  const [purpose, coinType, account, chain, index, ...more] = path;
  const kind = (Object.keys(PURPOSES) as (keyof typeof PURPOSES)[]).find(
    (each) => HARDENED + PURPOSES[each] === purpose,
  );
  if (kind === undefined || coinType !== HARDENED + network.bip44CoinType || account !== HARDENED)
    return undefined;
  if ((chain !== 0 && chain !== 1) || index === undefined || index >= HARDENED || more.length > 0)
    return undefined;
  return { kind, chain, index };
}
