import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { hash160 } from '@coinfront/protocol/hash.ts';
import { classifyScript, witnessScript } from '@coinfront/protocol/script.ts';
import { p2tr } from '@scure/btc-signer/payment.js';

/**
 * Who sends: a scriptPubKey, and the public key behind it: needed for P2SH-P2WPKH; of P2TR the internal key (BIP-86),
 * without which a wallet has to know by itself which output is its own.
 */
export type UnsignedSender = { script: Uint8Array; publicKey?: Uint8Array | undefined };

/** Why no transaction can be prepared for a sender. */
export const SENDER_REFUSALS = {
  public_key_needed:
    'A P2SH address does not tell what it stands for: give the compressed public key of its P2SH-P2WPKH.',
  public_key_wrong: 'The public key is not the one of this address.',
  sender_unsupported:
    'Transactions are prepared for P2WPKH, P2TR, P2PKH and P2SH-P2WPKH addresses; build it in the wallet that has this one.',
} as const;

/** What an input that a sender signs needs and weighs. */
export type SenderForm = {
  /** Virtual bytes of an input with its signature. */
  inputVsize: number;
  /** Whether who signs has to see the transactions that are spent: amounts are not signed otherwise. */
  needsWholeTransactions: boolean;
  isTaproot: boolean;
  redeemScript: Uint8Array | undefined;
  tapInternalKey: Uint8Array | undefined;
};

const COMPRESSED_KEY_BYTES = 33;
const X_ONLY_KEY_BYTES = 32;

/** How a sender's inputs are made. */
export function findSenderForm({
  script,
  publicKey,
}: UnsignedSender): { ok: true; form: SenderForm } | { ok: false; reason: keyof typeof SENDER_REFUSALS } {
  const info = classifyScript(script);
  const plain = { needsWholeTransactions: false, isTaproot: false };
  const keys = { redeemScript: undefined, tapInternalKey: undefined };
  switch (info.kind) {
    case 'p2wpkh':
    case 'p2pkh': {
      if (publicKey && !equalBytes(hash160(publicKey), info.hash))
        return { ok: false, reason: 'public_key_wrong' };
      if (info.kind === 'p2wpkh') return { ok: true, form: { ...plain, ...keys, inputVsize: 68 } };
      // With an uncompressed key: fees are rather too high by a fifth than too low.
      return { ok: true, form: { ...plain, ...keys, inputVsize: 180, needsWholeTransactions: true } };
    }
    case 'p2tr': {
      const tapInternalKey = publicKey?.slice(-X_ONLY_KEY_BYTES);
      if (tapInternalKey && !isInternalKey(tapInternalKey, script))
        return { ok: false, reason: 'public_key_wrong' };
      return { ok: true, form: { ...plain, ...keys, tapInternalKey, inputVsize: 58, isTaproot: true } };
    }
    case 'p2sh': {
      if (publicKey === undefined) return { ok: false, reason: 'public_key_needed' };
      const redeemScript = witnessScript(0, hash160(publicKey));
      const isOwn = publicKey.length === COMPRESSED_KEY_BYTES && equalBytes(hash160(redeemScript), info.hash);
      if (!isOwn) return { ok: false, reason: 'public_key_wrong' };
      return { ok: true, form: { ...plain, ...keys, inputVsize: 91, redeemScript } };
    }
    default:
      return { ok: false, reason: 'sender_unsupported' };
  }
}

function isInternalKey(key: Uint8Array, script: Uint8Array): boolean {
  try {
    return equalBytes(p2tr(key).script, script);
  } catch {
    // Not every 32 bytes are a key.
    return false;
  }
}
