/** Whether a text is a wallet's public key by its form; nothing is decoded here. */

/** As long as the API takes one. */
export const longestWalletText = 1_024;

/** Extended keys in base58check have 111 or 112 characters; no address, hash or name has as many letters. */
const EXTENDED_KEY = /^[1-9A-HJ-NP-Za-km-z]{111,112}$/;
const DESCRIPTOR = /^(?:w?pkh|w?sh|tr)\(.+\)(?:#[a-z0-9]{8})?$/;

/** An extended key or a descriptor without the white space that copying leaves in it; undefined for anything else. */
export function readWalletText(given: string): string | undefined {
  const text = given.replace(/\s+/g, '');
  if (text.length > longestWalletText) return undefined;
  return EXTENDED_KEY.test(text) || DESCRIPTOR.test(text) ? text : undefined;
}
