import { generateMnemonic, mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { WalletError } from './wallet-error.ts';

/** Lengths that COIN-HD-1 makes. */
export type MnemonicWords = 12 | 24;

/**
 * Makes a new mnemonic (BIP-39, English) from the system's random numbers: whoever has it has the coins.
 *
 * @example
 * const mnemonic = createMnemonic(24);
 */
export function createMnemonic(words: MnemonicWords = 12): string {
  return generateMnemonic(wordlist, words === 24 ? 256 : 128);
}

/**
 * A mnemonic as people type it, in its one form: lower case, single spaces. 12 or 24 words, whose checksum is right.
 *
 * @throws WalletError `mnemonic_invalid`; the message never repeats a word
 * @example
 * const mnemonic = readMnemonic(typed);
 */
export function readMnemonic(text: string): string {
  const words = text.normalize('NFKD').trim().toLowerCase().split(/\s+/);
  if (words.length !== 12 && words.length !== 24) {
    throw new WalletError('mnemonic_invalid', `A mnemonic has 12 or 24 words, received ${words.length}.`);
  }
  const unknown = words.findIndex((word) => !wordlist.includes(word));
  if (unknown >= 0) {
    throw new WalletError('mnemonic_invalid', `Word ${unknown + 1} is not in the English list of BIP-39.`);
  }
  const mnemonic = words.join(' ');
  if (validateMnemonic(mnemonic, wordlist)) return mnemonic;
  throw new WalletError(
    'mnemonic_invalid',
    'The checksum is wrong: a word is missing, swapped or another one.',
  );
}

/** The 64-byte seed of a mnemonic (BIP-39). A passphrase makes another wallet; there is no wrong one. */
export function mnemonicToSeed(mnemonic: string, passphrase = ''): Uint8Array {
  return mnemonicToSeedSync(readMnemonic(mnemonic), passphrase);
}
