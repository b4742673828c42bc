/** The entries of the browser's history: what was shown in each, and how far it was scrolled. */

import { openTabMemory } from './tab-memory.ts';

const MOST_ENTRIES = 20;
/** Answers of one entry; a page reads fewer, but its lists can be turned for long. */
const MOST_ANSWERS = 40;
/** Characters of the answers of all entries, as JSON. */
const MOST_CHARACTERS = 4_000_000;

type Answer = { data: unknown; characters: number };
type Answers = Map<string, Answer>;

const answersOfEntries = new Map<string, Answers>();
const scrollTops = openTabMemory<number>('scroll');

let present = '';

/** Makes an id for a new entry. */
export function newEntry(): string {
  return Math.random().toString(36).slice(2);
}

/**
 * Goes to an entry.
 *
 * @param keeps - whether what the last entry showed is shown here as well, as on another page of a list
 */
export function enterEntry(id: string, keeps: boolean): void {
  const known = answersOfEntries.get(id) ?? new Map(keeps ? answersOfEntries.get(present) : []);
  present = id;
  answersOfEntries.delete(id);
  answersOfEntries.set(id, known);
  dropOldest(answersOfEntries, MOST_ENTRIES);
  boundCharacters();
}

/** Keeps an answer for the time when somebody comes back to the present entry. */
export function keepAnswer(key: string, data: unknown): void {
  const answers = answersOfEntries.get(present);
  if (answers === undefined) return;
  answers.delete(key);
  answers.set(key, { data, characters: JSON.stringify(data)?.length ?? 0 });
  dropOldest(answers, MOST_ANSWERS);
  boundCharacters();
}

/** What was last shown in the present entry; undefined if nothing was. */
export function recallAnswer<T>(key: string): T | undefined {
  return answersOfEntries.get(present)?.get(key)?.data as T | undefined;
}

/** Keeps how far the present entry is scrolled, CSS pixels. */
export function keepScroll(top: number): void {
  if (present !== '') scrollTops.set(present, Math.round(top));
}

/** How far it was scrolled. */
export function recallScroll(): number {
  return scrollTops.get(present) ?? 0;
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}

/** Answers that several entries share count for each of them. */
function boundCharacters(): void {
  let characters = 0;
  const newestFirst = [...answersOfEntries].reverse();
  for (const [id, answers] of newestFirst) {
    for (const [key, answer] of [...answers].reverse()) {
      characters += answer.characters;
      if (characters > MOST_CHARACTERS) answers.delete(key);
    }
    if (characters > MOST_CHARACTERS && id !== present) answersOfEntries.delete(id);
  }
}
