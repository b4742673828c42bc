/** What clients have spent in this process that others have not been told of. */

import type { Family } from '../clients/client.ts';
import type { CellPlace } from './spent-cells.ts';

/** What a network has spent, in units of its share; named by its cells alone. */
export type SpentElsewhere = { readonly family: Family; readonly place: CellPlace; readonly units: number };

export type SpendingNotes = {
  note(family: Family, place: CellPlace, units: number): void;
  /** Gives what is worth telling, which is told then. */
  take(): SpentElsewhere[];
  /** A new window: what was not told is of no interest any more. */
  clear(): void;
};

/** Networks that are remembered in a window; what more of them spend is counted here alone. */
const MOST_NETWORKS = 100_000;

/** @param leastUnits what is less than that is told later */
export function createSpendingNotes(leastUnits: number): SpendingNotes {
  let untold = new Map<string, SpentElsewhere>();
  /** Keys of what is worth telling. */
  let due = new Set<string>();
  return {
    note(family, place, units) {
      const key = `${family} ${place.join(' ')}`;
      const known = untold.get(key);
      if (!known && untold.size >= MOST_NETWORKS) return;
      const sum = (known?.units ?? 0) + units;
      untold.set(key, { family, place, units: sum });
      if (Math.abs(sum) >= leastUnits) due.add(key);
    },
    take() {
      const told = [...due].map((key) => untold.get(key)!);
      for (const key of due) untold.delete(key);
      due = new Set();
      return told;
    },
    clear() {
      untold = new Map();
      due = new Set();
    },
  };
}

/** Entries in a message: 8,000 bytes are the most that PostgreSQL passes on. */
const MOST_IN_MESSAGE = 200;

/** Messages that say it, of 7,000 bytes at most. `sender` must have no spaces. */
export function writeSpent(sender: string, spent: readonly SpentElsewhere[]): string[] {
  const messages: string[] = [];
  for (let start = 0; start < spent.length; start += MOST_IN_MESSAGE) {
    const entries = spent
      .slice(start, start + MOST_IN_MESSAGE)
      .map(({ family, place, units }) => [family, ...place, Math.round(units * 100)].join('.'));
    messages.push(`${sender} ${entries.join(' ')}`);
  }
  return messages;
}

/** Reads a message; nothing of one's own. */
export function readSpent(sender: string, message: string): SpentElsewhere[] {
  const [from, ...entries] = message.split(' ');
  if (from === sender) return [];
  return entries.map((entry) => {
    const [family = '', ...numbers] = entry.split('.');
    const [a = 0, b = 0, c = 0, hundredths = 0] = numbers.map(Number);
    return { family: family as Family, place: [a, b, c], units: hundredths / 100 };
  });
}
