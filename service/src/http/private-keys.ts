/** Refuses requests that carry a private key, before anything of them is logged or kept. */

import type { KeyFinding } from '@coinfront/protocol/private-key.ts';
import { AppError } from '../errors.ts';
import { decodePercent } from './query-string.ts';

/** What kind of secret a value of JSON holds; undefined when none. `protocol/private-key.ts` with the coin profile. */
export type FindPrivateKey = (value: unknown) => KeyFinding | undefined;

export type KeyGuard = {
  /** @throws AppError `private_key_refused` */
  checkUrl(url: string): void;
  /** A text, or any value of JSON. @throws AppError `private_key_refused` */
  check(value: unknown): void;
};

/** No secret has fewer characters of base58 than a WIF key of 50, or fewer than twelve words of three letters. */
const leastSecret = { base58: 50, words: 12, wordLetters: 3 };

/** Per ASCII code: bits for small letters, capitals, and further characters of base58. */
const small = 1;
const capital = 2;
const digit = 4;
const characterKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return small;
  if (/[A-Z]/.test(character)) return capital;
  return /[1-9]/.test(character) ? digit : 0;
});

/**
 * One cheap look that lets practically every URL pass: few have twelve words, txids and bech32 have no capitals.
 * (A regular expression takes twenty times as long for a txid.)
 */
function mayHoldSecret(url: string): boolean {
  let letters = 0;
  let words = 0;
  let base58 = 0;
  let kinds = 0;
  for (let i = 0; i < url.length; i++) {
    const kind = characterKinds[url.charCodeAt(i)] ?? 0;
    kinds |= kind;
    if (kind !== 0) base58 += 1;
    if ((kind & (small | capital)) === 0) {
      letters = 0;
    } else {
      letters += 1;
      if (letters === leastSecret.wordLetters) words += 1;
    }
  }
  const hasBothCases = (kinds & (small | capital)) === (small | capital);
  return words >= leastSecret.words || (base58 >= leastSecret.base58 && hasBothCases);
}

/** Creates the guard for a coin. */
export function createKeyGuard(findPrivateKey: FindPrivateKey): KeyGuard {
  const check = (value: unknown): void => {
    const kind = findPrivateKey(value);
    if (kind === undefined) return;
    if (kind === 'too_many_candidates') {
      throw new AppError(
        'private_key_refused',
        'The request holds more texts of the form of a private key than are looked at. It was not kept. Send less at once.',
      );
    }
    throw new AppError(
      'private_key_refused',
      `The request holds what looks like a private key (${kind.replaceAll('_', ' ')}). It was not kept. ` +
        'Treat that key as exposed, move its coins, and sign on your own machine.',
    );
  };
  return {
    check,
    checkUrl(url) {
      if (!url.includes('%') && !mayHoldSecret(url)) return;
      const { names, values } = splitUrl(url);
      check(values);
      check(names);
    },
  };
}

/** The texts of a URL: parts of the path and values of the query, in their order, apart from the names. */
function splitUrl(url: string): { names: string[]; values: string[] } {
  const names: string[] = [];
  const values: string[] = [];
  const [path = '', ...queries] = url.split('?');
  for (const part of path.split('/')) values.push(decodePercent(part));
  for (const pair of queries.join('&').split(/[&#]/)) {
    const [name = '', ...rest] = pair.split('=');
    names.push(decodePercent(name));
    for (const value of rest) values.push(decodePercent(value));
  }
  return { names, values };
}
