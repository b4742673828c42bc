import { getHexBytes } from '../bytes.ts';
import { sha256d } from '../hash.ts';
import type { CoinProfile } from '../profile.ts';
import { isLongHex, type LookBudget, type SecretFinder } from './secret-look.ts';

const BASE58_CHARS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const CHECKSUM_BYTES = 4;
/** Base58check of 33 bytes, or of 34 that end in 01; 50 characters only with a low version. */
const WIF_CHARS = { min: 50, max: 52 };
/** Base58check of 78 bytes whose first is not 0. */
const EXTENDED_KEY_CHARS = { min: 111, max: 112 };
const EXTENDED_KEY_BYTES = 78 + CHECKSUM_BYTES;
/** BIP-32: the byte before a private key is zero, where a public key has 2 or 3. */
const EXTENDED_KEY_PREFIX_OFFSET = 45;
/** Versions of WIF keys of all coins but those with a number of their own. */
const FIRST_WIF_VERSION = 128;
/** Of a key that was wrapped, or grouped by four; only the last piece may be shorter. */
const PIECES = { max: 16, minChars: 4 };

/** What kinds of characters a text has. A key of 51 characters lacks capitals, or small letters, once in 10^12. */
const DIGIT = 1;
const CAPITAL = 2;
const SMALL = 4;
/** Not of base58, but what a copied key may be wrapped at. */
const SPACE = 8;

const CHAR_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[\t\n\v\f\r ]/.test(char)) return SPACE;
  if (!BASE58_CHARS.includes(char)) return 0;
  return /[1-9]/.test(char) ? DIGIT : /[A-Z]/.test(char) ? CAPITAL : SMALL;
});
const CHAR_VALUES = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, BASE58_CHARS.indexOf(String.fromCharCode(code))),
);

type Piece = { text: string; kinds: number };

/**
 * Looks for WIF keys (base58check of 33 bytes, or of 34 that end in 01, with this coin's version or any from 128 up) and
 * for extended private keys of every prefix, whole or wrapped at white space and at the ends of texts. Only what has
 * exactly a key's length is decoded.
 */
export function createEncodedKeyFinder(
  { wifVersion }: Pick<CoinProfile, 'wifVersion'>,
  budget: LookBudget,
): SecretFinder {
  let pieces: Piece[] = [];

  const judge = (token: string): ReturnType<SecretFinder> =>
    budget.spend() ? classifyToken(token, wifVersion) : 'too_many_candidates';

  /** The pieces that end with the last one, as long as they can be one key. */
  const judgeJoined = (): ReturnType<SecretFinder> => {
    let length = 0;
    let kinds = 0;
    for (let first = pieces.length - 1; first >= 0; first--) {
      length += pieces[first]!.text.length;
      kinds |= pieces[first]!.kinds;
      if (length > EXTENDED_KEY_CHARS.max) return undefined;
      const isWhole = first === pieces.length - 1;
      if (isWhole || !hasKeyLength(length) || kinds !== (DIGIT | CAPITAL | SMALL)) continue;
      const found = judge(
        pieces
          .slice(first)
          .map(({ text }) => text)
          .join(''),
      );
      if (found) return found;
    }
    return undefined;
  };

  return (text) => {
    if (isLongHex(text)) {
      pieces = [];
      return undefined;
    }
    let start = 0;
    let kinds = 0;
    for (let at = 0; at <= text.length; at++) {
      const kind = at === text.length ? SPACE : (CHAR_KINDS[text.charCodeAt(at)] ?? 0);
      if ((kind & (DIGIT | CAPITAL | SMALL)) !== 0) {
        kinds |= kind;
        continue;
      }
      const length = at - start;
      if (hasKeyLength(length) && (kinds & CAPITAL) !== 0 && (kinds & SMALL) !== 0) {
        const found = judge(text.slice(start, at));
        if (found) return found;
      }
      if (length > EXTENDED_KEY_CHARS.max) pieces = [];
      else if (
        length >= PIECES.minChars ? kind === SPACE || pieces.length > 0 : length > 0 && pieces.length > 0
      ) {
        pieces.push({ text: text.slice(start, at), kinds });
        if (pieces.length > PIECES.max) pieces.shift();
        const found = judgeJoined();
        if (found) return found;
      }
      if (pieces.length > 0 && (kind !== SPACE || (length > 0 && length < PIECES.minChars))) pieces = [];
      start = at + 1;
      kinds = 0;
    }
    return undefined;
  };
}

function hasKeyLength(length: number): boolean {
  return (
    (length >= WIF_CHARS.min && length <= WIF_CHARS.max) ||
    (length >= EXTENDED_KEY_CHARS.min && length <= EXTENDED_KEY_CHARS.max)
  );
}

/** What a token of a key's length is; the checksum is only computed where all else fits. */
function classifyToken(token: string, wifVersion: number): 'wif' | 'extended_private_key' | undefined {
  const number = decodeBase58(token);
  const hex = number.toString(16);
  const length = (hex.length + 1) >> 1;
  const bytes = getHexBytes(hex.padStart(length * 2, '0'));
  if (token.length >= EXTENDED_KEY_CHARS.min) {
    const isPrivate = length === EXTENDED_KEY_BYTES && bytes[EXTENDED_KEY_PREFIX_OFFSET] === 0;
    return isPrivate && hasChecksum(bytes) ? 'extended_private_key' : undefined;
  }
  const payload = length - CHECKSUM_BYTES;
  const isKeyLong = payload === 33 || (payload === 34 && bytes[33] === 1);
  const isVersion = bytes[0]! >= FIRST_WIF_VERSION || bytes[0] === wifVersion;
  return isKeyLong && isVersion && hasChecksum(bytes) ? 'wif' : undefined;
}

/** The number that base58 characters stand for: nine at a time, as many as a double holds exactly. */
function decodeBase58(token: string): bigint {
  const first = token.length % 9;
  let number = BigInt(readDigits(token, 0, first));
  for (let at = first; at < token.length; at += 9) {
    number = number * 58n ** 9n + BigInt(readDigits(token, at, at + 9));
  }
  return number;
}

function readDigits(token: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 58 + CHAR_VALUES[token.charCodeAt(at)]!;
  return value;
}

function hasChecksum(bytes: Uint8Array): boolean {
  const payload = bytes.length - CHECKSUM_BYTES;
  const expected = sha256d(bytes.subarray(0, payload));
  for (let i = 0; i < CHECKSUM_BYTES; i++) if (bytes[payload + i] !== expected[i]) return false;
  return true;
}
