import { pubKeyHashScript } from '@coinfront/protocol/address.ts';
import { concatBytes } from '@coinfront/protocol/bytes.ts';
import { hash160 } from '@coinfront/protocol/hash.ts';
import { bip137MessageHash } from '@coinfront/protocol/messages/bip137.ts';
import { buildToSign } from '@coinfront/protocol/messages/bip322-transactions.ts';
import {
  SIGHASH_ALL,
  SIGHASH_DEFAULT,
  segwitSighashAll,
  taprootKeySighash,
} from '@coinfront/protocol/sighash.ts';
import { createWriter } from '@coinfront/protocol/writer.ts';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { base64 } from '@scure/base';
import { taprootTweakPrivKey } from '@scure/btc-signer/utils.js';
import type { Network } from './network.ts';
import { type AddressKind, type AddressPath, scriptOfKey } from './wallet-address.ts';
import { WalletError } from './wallet-error.ts';
import type { WalletKeys } from './wallet-keys.ts';

/** Longest message, bytes of UTF-8: what verifiers read. */
const MAX_MESSAGE_BYTES = 65_536;

/**
 * Signs a message as the owner of an address: BIP-322 (simple form) for P2WPKH and P2TR, BIP-137 for P2PKH. Signing
 * moves no coins.
 *
 * @returns the signature as text, as verifiers take it
 * @throws WalletError `message_invalid` for text that is no Unicode, or too long
 * @example
 * const signature = signMessage(keys, { kind: 'p2wpkh', chain: 0, index: 0 }, 'Hello');
 */
export function signMessage(keys: WalletKeys, path: AddressPath, message: string): string {
  const privateKey = keys.privateKeyOf(path);
  try {
    return signMessageWithKey(privateKey, path.kind, message, keys.network);
  } finally {
    privateKey.fill(0);
  }
}

/** What {@link signMessage} does, with a private key: signatures are deterministic (RFC 6979; BIP-340 with zeros). */
export function signMessageWithKey(
  privateKey: Uint8Array,
  kind: AddressKind,
  message: string,
  { messageMagic }: Pick<Network, 'messageMagic'>,
): string {
  const bytes = new TextEncoder().encode(message);
  if (!message.isWellFormed() || bytes.length > MAX_MESSAGE_BYTES) {
    throw new WalletError('message_invalid', `A message is Unicode of at most ${MAX_MESSAGE_BYTES} bytes.`);
  }
  if (kind === 'p2pkh') return signCompact(privateKey, bip137MessageHash(bytes, messageMagic));
  const publicKey = secp256k1.getPublicKey(privateKey, true);
  const script = scriptOfKey(kind, publicKey);
  const toSign = buildToSign({ script, message: bytes });
  if (kind === 'p2tr') {
    const digest = taprootKeySighash(toSign, 0, [{ value: 0n, script }], SIGHASH_DEFAULT);
    const tweaked = taprootTweakPrivKey(privateKey);
    return writeWitness([schnorr.sign(digest, tweaked, new Uint8Array(32))]);
  }
  const scriptCode = pubKeyHashScript(hash160(publicKey));
  const digest = segwitSighashAll(toSign, 0, { scriptCode, value: 0n });
  const der = secp256k1.sign(digest, privateKey, { prehash: false, lowS: true, format: 'der' });
  return writeWitness([concatBytes(der, Uint8Array.of(SIGHASH_ALL)), publicKey]);
}

function signCompact(privateKey: Uint8Array, digest: Uint8Array): string {
  const signature = secp256k1.sign(digest, privateKey, { prehash: false, lowS: true, format: 'recovered' });
  // 27, the recovery id, and 4 for a compressed key.
  return base64.encode(concatBytes(Uint8Array.of(31 + signature[0]!), signature.subarray(1)));
}

/** BIP-322's simple form: the witness stack in base64, after its prefix. */
function writeWitness(witness: readonly Uint8Array[]): string {
  const writer = createWriter(128);
  writer.compactSize(witness.length);
  for (const item of witness) writer.varBytes(item);
  return `smp${base64.encode(writer.finish())}`;
}
