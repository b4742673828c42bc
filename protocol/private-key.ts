import { createBase58check } from '@scure/base';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { sha256 } from './hash.ts';
import type { CoinProfile } from './profile.ts';

/** A secret that must never be sent to a service. */
export type PrivateKeyKind = 'wif' | 'extended_private_key' | 'mnemonic';

const base58check = createBase58check(sha256);

const BASE58_CHARS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Base58check of 33 or 34 bytes. */
const WIF_CHARS = { min: 50, max: 52 };
/** Base58check of 78 bytes. */
const EXTENDED_KEY_CHARS = { min: 109, max: 112 };
/** BIP-32: the byte before a private key is zero, where a public key has 2 or 3. */
const EXTENDED_KEY_PREFIX_OFFSET = 45;

const MIN_MNEMONIC_WORDS = 12;
/** Lengths of the words of the English BIP-39 list. */
const MNEMONIC_WORD_CHARS = { min: 3, max: 8 };
const MNEMONIC_WORDS: ReadonlySet<string> = new Set(wordlist);

/** Per ASCII code: 1 for letters of base58, and 2 for letters of the alphabet (both may be set). */
const CHAR_CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return (BASE58_CHARS.includes(char) ? 1 : 0) | (/[A-Za-z]/.test(char) ? 2 : 0);
});

/**
 * Looks through untrusted text for what looks like a private key, in one pass whose time grows with the length
 * alone. Found are: WIF keys (base58check of 33 bytes, or of 34 that end in 01, with this coin's version or any
 * from 128 up), extended private keys of every prefix (xprv, tprv, yprv, zprv, ...), and runs of 12 or more words of
 * the English BIP-39 list, whatever their checksum: honest sentences have an article or a "to" before long.
 * Raw hex is no evidence: a private key in hex looks like a txid.
 */
export function findPrivateKey(
  text: string,
  { wifVersion }: Pick<CoinProfile, 'wifVersion'>,
): PrivateKeyKind | undefined {
  return findEncodedKey(text, wifVersion) ?? (hasMnemonic(text) ? 'mnemonic' : undefined);
}

function classOf(text: string, at: number): number {
  return CHAR_CLASSES[text.charCodeAt(at)] ?? 0;
}

function findEncodedKey(text: string, wifVersion: number): PrivateKeyKind | undefined {
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && (classOf(text, at) & 1) !== 0) continue;
    const length = at - start;
    if (length >= WIF_CHARS.min && length <= EXTENDED_KEY_CHARS.max) {
      const kind = classifyToken(text.slice(start, at), wifVersion);
      if (kind) return kind;
    }
    start = at + 1;
  }
  return undefined;
}

function classifyToken(token: string, wifVersion: number): PrivateKeyKind | undefined {
  const isWifLong = token.length <= WIF_CHARS.max;
  if (!isWifLong && token.length < EXTENDED_KEY_CHARS.min) return undefined;
  const payload = tryBase58check(token);
  if (!payload) return undefined;
  if (!isWifLong) {
    return payload.length === 78 && payload[EXTENDED_KEY_PREFIX_OFFSET] === 0
      ? 'extended_private_key'
      : undefined;
  }
  const isKeyLong = payload.length === 33 || (payload.length === 34 && payload[33] === 1);
  return isKeyLong && (payload[0]! >= 128 || payload[0] === wifVersion) ? 'wif' : undefined;
}

function tryBase58check(token: string): Uint8Array | undefined {
  try {
    return base58check.decode(token);
  } catch {
    return undefined;
  }
}

function hasMnemonic(text: string): boolean {
  let words = 0;
  let at = 0;
  while (at < text.length) {
    const start = at;
    while (at < text.length && (classOf(text, at) & 2) !== 0) at++;
    words = isMnemonicWord(text, start, at) ? words + 1 : 0;
    if (words >= MIN_MNEMONIC_WORDS) return true;
    const gap = separatorChars(text, at);
    if (gap === 0) words = 0;
    at += Math.max(gap, 1);
  }
  return false;
}

function isMnemonicWord(text: string, start: number, end: number): boolean {
  const length = end - start;
  if (length < MNEMONIC_WORD_CHARS.min || length > MNEMONIC_WORD_CHARS.max) return false;
  return MNEMONIC_WORDS.has(text.slice(start, end).toLowerCase());
}

/** Length of what may stand between two words: up to three spaces or line breaks, or one as a URL writes it. */
function separatorChars(text: string, at: number): number {
  if (text.startsWith('%20', at)) return 3;
  if (text[at] === '+') return 1;
  let length = 0;
  while (length < 3 && isSpace(text.charCodeAt(at + length))) length++;
  return length;
}

/** Space, tab, line feed, carriage return. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
