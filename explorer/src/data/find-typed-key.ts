import { findPrivateKey, type KeyFinding, type KeyRules } from '@coinfront/protocol/private-key.ts';

/** Characters of WIF keys and of extended private keys. */
const keyLengths = [50, 51, 52, 111, 112];

/** Runs of base58 characters that are longer than the shortest key, and may hold one. */
const longRun = /[1-9A-HJ-NP-Za-km-z]{51,}/g;

/** Characters of a text in which each place is tried; what a field takes is shorter. */
const LONGEST_TRIED = 4_000;

/**
 * Looks for a private key in what somebody typed or pasted into a field: also for one that stands in the middle of other
 * base58 characters, because it was pasted behind what the field already held.
 */
export function findTypedKey(text: string, rules: KeyRules): KeyFinding | undefined {
  const found = findPrivateKey(text, rules);
  if (found !== undefined) return found;
  for (const [run] of text.slice(0, LONGEST_TRIED).matchAll(longRun)) {
    for (const length of keyLengths) {
      for (let at = 0; at + length <= run.length; at++) {
        const glued = findPrivateKey(run.slice(at, at + length), rules);
        if (glued !== undefined) return glued;
      }
    }
  }
  return undefined;
}
