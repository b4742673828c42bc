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

/**
 * No secret is shorter than a WIF key of 49 characters in an alphabet without "0"; so most paths - short ones,
 * and txids, which practically always have a "0" - are let pass by one look.
 */
const longToken = /[1-9A-HJ-NP-Za-km-z]{49}/;
/** Twelve words have eleven gaps, and at least 47 characters. */
const manyWords = /(?:[a-zA-Z]{3,8}(?:\+|%20|,|-|_|%2[Cc]|%09|%0[AaDd])+){11}/;

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
      if (url.length < 47) return;
      const encoded = url.includes('%');
      if (!encoded && !longToken.test(url) && !manyWords.test(url)) return;
      checkText(decodeLoosely(url));
    },
  };
}

/** Percent-decoding that never fails, with what separates values turned into spaces. */
function decodeLoosely(url: string): string {
  const decoded = url.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded.replace(/[/?&=+,;_#-]+/g, ' ');
}
