/** Text in the input script of a coinbase. */

/** Characters that are given of it. */
export const MAX_TAG_LENGTH = 60;

/** Shorter runs of letters are there by chance, in numbers and hashes. */
const LEAST_LENGTH = 4;
const isPrintable = (byte: number): boolean => byte >= 0x20 && byte <= 0x7e;

/** The largest number of bytes whose push is one byte with that number. */
const LARGEST_DIRECT_PUSH = 75;

/** Whether the first byte of a run is the push of what follows and no letter, as the `E` before the text of Bitcoin's first block. */
const isLengthOfRest = (first: number, rest: number): boolean =>
  first === rest && rest <= LARGEST_DIRECT_PUSH;

/**
 * The text that a miner wrote into a coinbase: the longest run of printable ASCII in its input script, without what stands around it. It
 * says what its miner wants it to say; nobody checks it.
 *
 * @returns undefined where there is none
 */
export function readCoinbaseTag(scriptSig: Uint8Array): string | undefined {
  let longest = '';
  for (let from = 0; from < scriptSig.length; ) {
    let to = from;
    while (to < scriptSig.length && isPrintable(scriptSig[to]!)) to++;
    const start = isLengthOfRest(scriptSig[from]!, to - from - 1) ? from + 1 : from;
    const text = String.fromCharCode(
      ...scriptSig.subarray(start, Math.min(to, start + MAX_TAG_LENGTH)),
    ).trim();
    if (text.length > longest.length) longest = text;
    from = to + 1;
  }
  return longest.length >= LEAST_LENGTH && /[A-Za-z0-9]{3}/.test(longest) ? longest : undefined;
}
