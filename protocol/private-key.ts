import type { CoinProfile } from './profile.ts';
import { createEncodedKeyFinder } from './secrets/find-encoded-key.ts';
import { createMnemonicFinder } from './secrets/find-mnemonic.ts';
import { createLookBudget, type KeyFinding } from './secrets/secret-look.ts';

export type { KeyFinding, PrivateKeyKind } from './secrets/secret-look.ts';

/** What one look decodes and hashes at most, in all its texts: some milliseconds. */
const MAX_CANDIDATES = 1_000;

/** A value with a longer string is not looked through once more, names and strings together. */
const MAX_MIXED_CHARS = 65_536;

/** What a coin's keys depend on. */
export type KeyRules = Pick<CoinProfile, 'wifVersion'>;

/**
 * Looks through untrusted text for what looks like a private key, in one pass whose time grows with the length alone: WIF
 * keys, extended private keys, and mnemonics of English words (`secrets/` says what is taken for one). Raw hex is no
 * evidence: a private key in hex looks like a txid. Nor is what is encoded once more, such as words in base64.
 */
export function findPrivateKey(text: string, rules: KeyRules): KeyFinding | undefined {
  return findPrivateKeyIn([text], rules);
}

/** Like {@link findPrivateKey}, over texts that follow one another: what is split among them is found as well. */
export function findPrivateKeyIn(texts: Iterable<string>, rules: KeyRules): KeyFinding | undefined {
  const budget = createLookBudget(MAX_CANDIDATES);
  const findEncodedKey = createEncodedKeyFinder(rules, budget);
  const findMnemonic = createMnemonicFinder(budget);
  for (const text of texts) {
    const found = findEncodedKey(text) ?? findMnemonic(text);
    if (found) return found;
  }
  return undefined;
}

/**
 * Looks through a value of JSON: its strings in their order, the names of its fields, and both together, so that a secret
 * in pieces is found in arrays, in fields and in their names.
 */
export function findPrivateKeyInJson(value: unknown, rules: KeyRules): KeyFinding | undefined {
  if (typeof value === 'string') return findPrivateKey(value, rules);
  const { names, strings, all } = listTexts(value);
  if (names.length === 0) return findPrivateKeyIn(strings, rules);
  if (strings.some(({ length }) => length > MAX_MIXED_CHARS)) {
    return findPrivateKeyIn(strings, rules) ?? findPrivateKeyIn(names, rules);
  }
  return findPrivateKeyIn(strings, rules) ?? findPrivateKeyIn(names, rules) ?? findPrivateKeyIn(all, rules);
}

/** The texts of a value in the order of the document. Without recursion: nesting has no bound here. */
function listTexts(value: unknown): { names: string[]; strings: string[]; all: string[] } {
  const names: string[] = [];
  const strings: string[] = [];
  const all: string[] = [];
  const pending: { name?: string; value: unknown }[] = [{ value }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.name !== undefined) {
      names.push(next.name);
      all.push(next.name);
    }
    if (typeof next.value === 'string') {
      strings.push(next.value);
      all.push(next.value);
    } else if (Array.isArray(next.value)) {
      for (let i = next.value.length - 1; i >= 0; i--) pending.push({ value: next.value[i] });
    } else if (typeof next.value === 'object' && next.value !== null) {
      const fields = Object.entries(next.value);
      for (let i = fields.length - 1; i >= 0; i--) {
        const [name, each] = fields[i]!;
        pending.push({ name, value: each });
      }
    }
  }
  return { names, strings, all };
}
