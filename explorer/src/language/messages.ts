/**
 * What the explorer says. The English texts in the sources are the keys of all other languages: who reads English loads no
 * other texts, and what a language lacks is said in English.
 */

import type { German } from './german/german.ts';

/** A text that the sources say; the compiler knows all of them by the German ones. */
type AnyKey = keyof German['messages'];

/** One without placeholders. */
export type MessageKey = { [K in AnyKey]: [Placeholders<K>] extends [never] ? K : never }[AnyKey];

/** What is counted, in the singular. */
export type Noun = keyof German['nouns'];

declare const told: unique symbol;
/** What is in the reader's language already, or in none: names, hashes, codes. */
export type Told = string & { readonly [told]: true };

/** What a component takes to say. */
export type Words = MessageKey | Told;

type Placeholders<K extends string> = K extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;
type Values<K extends string, T> = [Placeholders<K>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholders<K>, T>>];

/** How a language writes, and what it says instead of the English texts. */
export type Language = {
  /** As `<html lang>` has it. */
  id: 'en' | 'de';
  /** BCP 47, of counts. */
  locale: string;
  /** Between groups of three digits, and before decimals. */
  group: string;
  point: string;
  messages: Readonly<Record<string, string>>;
  /** Singular and plural; English has them by rule. */
  nouns: Readonly<Record<string, readonly [one: string, other: string]>>;
  /** Codes of the API that are shown: kinds, states, reasons. Others are shown as words of the code. */
  codes: Readonly<Record<string, string>>;
  /** What its errors say, by their codes; of others the API's own English sentence is shown. */
  errors: Readonly<Record<string, string>>;
  /** How long ago (below 0) or ahead; undefined writes it in short. */
  formatRelative: ((value: number, unit: Intl.RelativeTimeFormatUnit) => string) | undefined;
  /** A moment in UTC, to the second unless to the minute; undefined writes it as ISO 8601 does. */
  formatUtc: ((date: Date, isToMinute: boolean) => string) | undefined;
};

const english: Language = {
  id: 'en',
  locale: 'en-US',
  group: ',',
  point: '.',
  messages: {},
  nouns: {},
  codes: {},
  errors: {},
  formatRelative: undefined,
  formatUtc: undefined,
};

/** The language that is spoken. It is set before anything is drawn, and stays until the page is loaded again. */
export let language: Language = english;

/** Speaks another language from now on; English unless given. */
export function speak(next: Language = english): void {
  language = next;
}

/** A text in the reader's language, with its values in place. */
export function t<K extends AnyKey | Told>(key: K, ...[values]: Values<K, string | number>): Told {
  return (values === undefined ? textOf(key) : fill(key, values).join('')) as Told;
}

/** The same with elements among its values. */
export function rich<K extends AnyKey, V extends Readonly<Record<Placeholders<K>, unknown>>>(
  key: K,
  values: V,
): (V[keyof V] | string)[] {
  return fill(key, values as Readonly<Record<string, V[keyof V]>>);
}

/** What is to be shown as it is, where a component takes words. */
export function asIs(text: string): Told {
  return text as Told;
}

/** A code of the API in words; nothing for none. */
export function sayCode(code: string | null): Told {
  return asIs(language.codes[(code ?? '').toLowerCase()] ?? (code ?? '').replaceAll('_', ' '));
}

/** The noun that goes with a count. */
export function nounFor(count: number, noun: Noun): string {
  const forms = language.nouns[noun];
  if (forms === undefined) return count === 1 ? noun : `${noun}s`;
  return count === 1 ? forms[0] : forms[1];
}

function textOf(key: string): string {
  return Object.hasOwn(language.messages, key) ? language.messages[key]! : key;
}

/** What stands in a value is no placeholder again. */
function fill<T>(key: string, values: Readonly<Record<string, T>>): (T | string)[] {
  return textOf(key)
    .split(/\{(\w+)\}/)
    .map((part, i) => (i % 2 === 0 ? part : values[part]!));
}
