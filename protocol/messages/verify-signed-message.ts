import { type AddressRules, type DecodedAddress, decodeAddress } from '../address.ts';
import { classifyScript } from '../script.ts';
import { COMPACT_SIGNATURE_BYTES, verifyBip137 } from './bip137.ts';
import { verifyBip322Full, verifyBip322Simple } from './bip322.ts';
import { readSignatureText } from './signature-text.ts';
import { fault, type MessageVerdict } from './verdict.ts';

/** Longest message, in bytes of UTF-8. */
const MAX_MESSAGE_BYTES = 65_536;
/** Headers of compact signatures in all the uses that BIP-137 gives them. */
const COMPACT_HEADERS = { first: 27, last: 42 };

const encoder = new TextEncoder();

/** The part of a coin profile that signed messages depend on. */
export type MessageRules = AddressRules & { messageMagic: string };

/**
 * Verifies that whoever holds the address has signed the message (as UTF-8, byte for byte): P2PKH by BIP-137 or by
 * the full form of BIP-322, all other addresses by BIP-322. All four texts may come from anybody; no input throws,
 * and work is bounded. The rules are in docs/protocols/signed-messages.md.
 */
export function verifySignedMessage(
  address: string,
  message: string,
  signature: string,
  rules: MessageRules,
): MessageVerdict {
  const decoded = decodeAddress(address, rules);
  if (!decoded.ok) return fault('address', decoded.reason);
  // A lone surrogate has no UTF-8: encoders replace it, and two messages would be one.
  if (!message.isWellFormed()) return fault('message', 'the message is not well-formed Unicode');
  const bytes = message.length > MAX_MESSAGE_BYTES ? undefined : encoder.encode(message);
  if (bytes === undefined || bytes.length > MAX_MESSAGE_BYTES) {
    return fault('message', `the message is longer than ${MAX_MESSAGE_BYTES} bytes`);
  }
  const text = readSignatureText(signature);
  if (!text.ok) return text;
  switch (text.prefix) {
    case 'pof':
      return fault('proof_of_funds', 'proofs of funds are not verified');
    case 'ful':
      return verifyBip322Full(text.bytes, { script: decoded.value.script, message: bytes });
    case 'smp':
      return verifySimple(text.bytes, bytes, decoded.value);
    default:
      return verifyWithoutPrefix(text.bytes, bytes, decoded.value, rules);
  }
}

function verifySimple(
  signature: Uint8Array,
  message: Uint8Array,
  { script, kind }: DecodedAddress,
): MessageVerdict {
  if (kind === 'p2pkh' || kind === 'p2sh') {
    return fault(
      'form',
      'the simple form (smp) is for native segwit addresses, this one takes the full form (ful)',
    );
  }
  return verifyBip322Simple(signature, { script, message });
}

function verifyWithoutPrefix(
  signature: Uint8Array,
  message: Uint8Array,
  { script }: DecodedAddress,
  { messageMagic }: MessageRules,
): MessageVerdict {
  const info = classifyScript(script);
  if (info.kind === 'p2pkh')
    return verifyBip137(signature, { publicKeyHash: info.hash, message, messageMagic });
  const header = signature[0] ?? 0;
  const isCompact = header >= COMPACT_HEADERS.first && header <= COMPACT_HEADERS.last;
  if (signature.length === COMPACT_SIGNATURE_BYTES && isCompact) {
    return fault('form', 'compact signatures (BIP-137) are for P2PKH addresses, this one takes BIP-322');
  }
  return verifyBip322Simple(signature, { script, message });
}
