/** A secret that must never be sent to a service. */
export type PrivateKeyKind = 'wif' | 'extended_private_key' | 'mnemonic';

/** What a look ends with: a secret, or so much that has the form of one that not all of it is looked at. */
export type KeyFinding = PrivateKeyKind | 'too_many_candidates';

/** Looks at one text after another; what is split over several is found, too. */
export type SecretFinder = (text: string) => KeyFinding | undefined;

/** Bounds what a look computes beyond one pass over the characters. */
export type LookBudget = { spend(): boolean };

/** Creates a budget of so many decodings and checksums. */
export function createLookBudget(candidates: number): LookBudget {
  let left = candidates;
  return {
    spend() {
      left -= 1;
      return left >= 0;
    },
  };
}

/** Longer than any key in base58. */
const MIN_LONG_HEX = 256;

/** Whether a text is a transaction, or the like: what has digits and the letters up to f alone holds no secret that is looked for. */
export function isLongHex(text: string): boolean {
  return text.length >= MIN_LONG_HEX && /^[0-9a-fA-F]+$/.test(text);
}
