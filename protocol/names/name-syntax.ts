import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { NameRules } from '../profile.ts';

/** Longest label of any coin, in bytes; the shortest is the profile's. */
export const MAX_LABEL_BYTES = 32;
/** Longest whole name, in bytes. */
export const MAX_NAME_BYTES = 49;

const LABEL = /^[a-z0-9-]+$/;

/** Why bytes are no name of a coin, in the order in which it is judged. */
export const NAME_FAULTS = {
  name_too_long: 'A whole name has at most 49 bytes.',
  name_form: 'A name is label.tld: one label, one full stop, one ending.',
  name_tld: "The name's ending is not one of this coin's.",
  label_length: 'The label is shorter than the coin allows, or longer than 32 characters.',
  label_characters: 'A label is written with a-z, 0-9 and hyphen; nothing is lowercased for anyone.',
  label_hyphens: 'A label has no hyphen at its edges, and none at positions 3 and 4 together.',
} as const;

/** The codes of {@link NAME_FAULTS}. */
export type NameFault = keyof typeof NAME_FAULTS;

/** A name that keeps the rules of syntax. */
export type ParsedName = { name: string; label: string; tld: string };

/** The part of the rules that names depend on. */
export type NameSyntax = Pick<NameRules, 'tlds' | 'minLabelLength'>;

/** Reads an untrusted name, `label.tld`; it is canonical as it is, or none. */
export function parseName(
  text: string,
  { tlds, minLabelLength }: NameSyntax,
): { ok: true; value: ParsedName } | { ok: false; reason: NameFault } {
  // Characters outside of ASCII fail below, so characters are bytes here.
  if (text.length > MAX_NAME_BYTES) return { ok: false, reason: 'name_too_long' };
  const dot = text.indexOf('.');
  if (dot < 0 || dot !== text.lastIndexOf('.')) return { ok: false, reason: 'name_form' };
  const label = text.slice(0, dot);
  const tld = text.slice(dot + 1);
  if (!tlds.includes(tld)) return { ok: false, reason: 'name_tld' };
  if (label.length < minLabelLength || label.length > MAX_LABEL_BYTES) {
    return { ok: false, reason: 'label_length' };
  }
  if (!LABEL.test(label)) return { ok: false, reason: 'label_characters' };
  if (label.startsWith('-') || label.endsWith('-') || label.startsWith('--', 2)) {
    return { ok: false, reason: 'label_hyphens' };
  }
  return { ok: true, value: { name: text, label, tld } };
}

/** The bytes of a name on chain. */
export function nameBytes(name: string): Uint8Array {
  return utf8ToBytes(name);
}

/** The text of name bytes of a payload, one character a byte: what is no ASCII cannot pass {@link parseName}. */
export function nameText(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
