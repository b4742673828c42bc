/** Refuses requests that carry a private key, before anything of them is logged or kept. */

import { AppError } from '../errors.ts';

/** What kind of secret a text holds; undefined when none. `protocol/private-key.ts` with the coin profile. */
export type FindPrivateKey = (text: string) => string | undefined;

export type KeyGuard = {
  /** @throws AppError `private_key_refused` */
  checkUrl(url: string): void;
  /** @throws AppError `private_key_refused` */
  checkText(text: string): void;
};

/** No secret is shorter than a WIF key of 49 base58 characters, or than twelve words with eleven gaps. */
const leastSecret = { characters: 47, base58Run: 49, gaps: 11 };

/** Per ASCII code: 1 for the alphabet of base58, 2 for what may stand between the words of a mnemonic in a URL. */
const characterKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[1-9A-HJ-NP-Za-km-z]/.test(character)) return 1;
  return /[+,._-]/.test(character) ? 2 : 0;
});

/**
 * One cheap look that lets practically every URL pass: txids have a "0" before long, and nothing has many words.
 * (A regular expression takes twenty times as long for a txid.)
 */
function mayHoldSecret(url: string): boolean {
  let run = 0;
  let gaps = 0;
  for (let i = 0; i < url.length; i++) {
    const kind = characterKinds[url.charCodeAt(i)];
    if (kind === 1) {
      run += 1;
      if (run >= leastSecret.base58Run) return true;
      continue;
    }
    run = 0;
    if (kind === 2) gaps += 1;
  }
  return gaps >= leastSecret.gaps;
}

/** Creates the guard for a coin. */
export function createKeyGuard(findPrivateKey: FindPrivateKey): KeyGuard {
  const checkText = (text: string): void => {
    const kind = findPrivateKey(text);
    if (kind === undefined) return;
    throw new AppError(
      'private_key_refused',
      `The request holds what looks like a private key (${kind.replaceAll('_', ' ')}). It was not kept. ` +
        'Treat that key as exposed, move its coins, and sign on your own machine.',
    );
  };
  return {
    checkText,
    checkUrl(url) {
      if (url.length < leastSecret.characters) return;
      if (!url.includes('%') && !mayHoldSecret(url)) return;
      checkText(decodeLoosely(url));
    },
  };
}

/** Percent-decoding that never fails, with what separates values turned into spaces. */
function decodeLoosely(url: string): string {
  const decoded = url.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded.replace(/[/?&=+,;._#-]+/g, ' ');
}
