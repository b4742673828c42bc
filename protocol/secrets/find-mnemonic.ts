import { wordlist } from '@scure/bip39/wordlists/english.js';
import { sha256 } from '../hash.ts';
import { isLongHex, type LookBudget, type SecretFinder } from './secret-look.ts';

/** BIP-39: words of a mnemonic. */
const MNEMONIC_LENGTHS = [12, 15, 18, 21, 24] as const;
const MIN_WORDS = MNEMONIC_LENGTHS[0];
const MAX_WORDS = 24;
const WORD_BITS = 11;
/** Lengths of the words of the English list. */
const WORD_CHARS = { min: 3, max: 8 };
/** Of 12 words drawn at random fewer differ once in 10^10; what honest lists repeat is not drawn at random. */
const MIN_DIFFERENT = 8;
/** BIP-39: the first four letters tell a word from all others. */
const PREFIX_CHARS = 4;

/** Number of a word by its first four letters (fewer where it has fewer), five bits each. */
const WORD_OF_PREFIX: ReadonlyMap<number, number> = new Map(
  wordlist.map((word, number) => [encodePrefix(word), number]),
);

function encodePrefix(word: string): number {
  let code = 0;
  for (let at = 0; at < Math.min(word.length, PREFIX_CHARS); at++) {
    code = (code << 5) | (word.charCodeAt(at) & 31);
  }
  return code;
}

/**
 * Looks for mnemonics of the English BIP-39 list, in any case, whatever stands between the words as long as it has no
 * letters: spaces, line ends, punctuation, numbers, the ends of texts. A secret is
 *
 * - 12 words of the list in a row, if 8 of them differ, whatever their checksum: they may be mistyped, or Electrum's;
 * - 12, 15, 18, 21 or 24 in a row, also cut to their first four letters, if the checksum of BIP-39 is right.
 */
export function createMnemonicFinder(budget: LookBudget): SecretFinder {
  /** The numbers of the last words of the present run, newest last. */
  let run: number[] = [];
  /** How many of them, from the newest back, are written out. */
  let whole = 0;

  const breakRun = (): void => {
    if (run.length > 0) run = [];
    whole = 0;
  };

  const addWord = (word: number, isWhole: boolean): ReturnType<SecretFinder> => {
    run.push(word);
    if (run.length > MAX_WORDS) run.shift();
    whole = isWhole ? whole + 1 : 0;
    if (whole >= MIN_WORDS && new Set(run.slice(-MIN_WORDS)).size >= MIN_DIFFERENT) return 'mnemonic';
    for (const length of MNEMONIC_LENGTHS) {
      if (run.length < length) return undefined;
      if (!budget.spend()) return 'too_many_candidates';
      if (hasChecksum(run.slice(-length))) return 'mnemonic';
    }
    return undefined;
  };

  const endWord = (text: string, end: number, letters: number, prefix: number): ReturnType<SecretFinder> => {
    const start = end - letters;
    if (letters >= WORD_CHARS.min && letters <= WORD_CHARS.max) {
      const word = WORD_OF_PREFIX.get(prefix);
      if (word !== undefined) {
        const isWhole = isWritten(wordlist[word]!, text, start, end);
        if (isWhole || letters === PREFIX_CHARS) return addWord(word, isWhole);
      }
    }
    if (run.length > 0 && !isOrdinal(text, start, end)) breakRun();
    return undefined;
  };

  return (received) => {
    if (isLongHex(received)) {
      breakRun();
      return undefined;
    }
    const text = received.replace(LIGATURES, spellOut);
    let letters = 0;
    let prefix = 0;
    for (let at = 0; at < text.length; at++) {
      const char = text.charCodeAt(at);
      const letter = char < 0x80 ? LETTERS[char]! : isForeignLetter(char) ? FOREIGN_LETTER : 0;
      if (letter !== 0) {
        letters++;
        if (letters <= PREFIX_CHARS) prefix = (prefix << 5) | letter;
      } else if (letters > 0) {
        const found = endWord(text, at, letters, prefix);
        if (found) return found;
        letters = 0;
        prefix = 0;
      }
    }
    return letters > 0 ? endWord(text, text.length, letters, prefix) : undefined;
  };
}

/** Per ASCII code: the number of a letter in the alphabet, of either case; 0 for all else. */
const LETTERS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z]/.test(String.fromCharCode(code)) ? code & 31 : 0,
);
/** Stands for any other letter: no word of the list has it. */
const FOREIGN_LETTER = 31;

/** What a copy from a typeset page writes for "fi" or "ff", and letters of double width. */
const LIGATURES = /[\ufb00-\ufb06\uff21-\uff5a]/g;

/** One by one: normalising a text takes time by the square of the marks in it that are not in order. */
function spellOut(ligature: string): string {
  return ligature.normalize('NFKC');
}

function isWritten(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let i = PREFIX_CHARS; i < word.length; i++) {
    if ((text.charCodeAt(start + i) | 0x20) !== word.charCodeAt(i)) return false;
  }
  return true;
}

/** The letters of "1st", "2nd", "3rd", "4th". */
function isOrdinal(text: string, start: number, end: number): boolean {
  if (end - start !== 2 || start === 0) return false;
  const before = text.charCodeAt(start - 1);
  return before >= 0x30 && before <= 0x39 && /^(?:st|nd|rd|th)$/i.test(text.slice(start, end));
}

/** Whether a character beyond ASCII belongs to a word: all but spaces, punctuation, symbols and half characters. */
function isForeignLetter(code: number): boolean {
  if (code < 0xc0) return false;
  if (code < 0x2000) return code !== 0xd7 && code !== 0xf7 && code !== 0x1680;
  if (code < 0x2c00 || (code >= 0x3000 && code < 0x3040)) return false;
  return !(code >= 0xd800 && code < 0xe000) && code < 0xfe00;
}

/** Whether the last bits of the words are the first ones of the hash of the others. */
function hasChecksum(words: readonly number[]): boolean {
  const bytes = new Uint8Array(Math.ceil((words.length * WORD_BITS) / 8));
  let bits = 0;
  let pending = 0;
  let size = 0;
  for (const word of words) {
    pending = (pending << WORD_BITS) | word;
    bits += WORD_BITS;
    while (bits >= 8) {
      bits -= 8;
      bytes[size++] = pending >>> bits;
      pending &= (1 << bits) - 1;
    }
  }
  if (bits > 0) bytes[size++] = pending << (8 - bits);
  const checksumBits = words.length / 3;
  const entropyBytes = checksumBits * 4;
  const [expected] = sha256(bytes.subarray(0, entropyBytes));
  return bytes[entropyBytes]! >>> (8 - checksumBits) === expected! >>> (8 - checksumBits);
}
