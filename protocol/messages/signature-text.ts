import { base64 } from '@scure/base';
import { fault, type MessageFault } from './verdict.ts';

/** Longest signature text: a 20-key CHECKMULTISIG with all its signatures has less than half. */
const MAX_SIGNATURE_CHARS = 16_384;

/** The variants that BIP-322 names by a prefix; undefined for none: BIP-137, or BIP-322's drafts. */
export type SignaturePrefix = 'smp' | 'ful' | 'pof' | undefined;

/**
 * Reads the text of a signature: a prefix of BIP-322 or none, then strict base64 (padded, no white space, no
 * leftover bits). No base64 that a prefix could be mistaken in is a signature without one: its first byte would
 * count over 100 witness elements.
 */
export function readSignatureText(
  text: string,
): { ok: true; prefix: SignaturePrefix; bytes: Uint8Array } | MessageFault {
  if (text.length === 0) return fault('signature_text', 'the signature is empty');
  if (text.length > MAX_SIGNATURE_CHARS) {
    return fault(
      'signature_text',
      `the signature has ${text.length} characters, at most ${MAX_SIGNATURE_CHARS}`,
    );
  }
  const prefix = (['smp', 'ful', 'pof'] as const).find((known) => text.startsWith(known));
  try {
    return { ok: true, prefix, bytes: base64.decode(prefix ? text.slice(prefix.length) : text) };
  } catch {
    return fault('signature_text', 'the signature is not strict base64, after smp, ful, pof or nothing');
  }
}
