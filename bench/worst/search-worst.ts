import { type Choice, listChoices, listNeighbours, type SearchedRoute, targetOf } from './list-requests.ts';
import type { Asker, Cost } from './measured-service.ts';

/** The dearest request that was found for a route, of so many; and whether any of them was answered otherwise than by a refusal. */
export type Worst = { choice: Choice; cost: Cost; tried: number; isEverServed: boolean };

const MOST_CHOICES = 120;
const KEPT = 4;
const PAGES = 3;
const WARM_UPS = 3;
const LOOKS = 2;
const FINAL_LOOKS = 9;

type Tried = { choice: Choice; cost: Cost };

/**
 * Looks for the request of a route that takes most of the main thread for a unit: all choices of its values, or some of them by
 * chance; then what lies beside the dearest, and their next pages; at last the dearest several times.
 */
export async function searchWorst(route: SearchedRoute, asker: Asker, seed: number): Promise<Worst> {
  const tried = new Map<string, Tried>();
  const look = async (choice: Choice): Promise<void> => {
    const key = [targetOf(choice), choice.body?.name, choice.fresh?.name].join(' ');
    if (!tried.has(key)) tried.set(key, { choice, cost: await asker.measure(choice, LOOKS) });
  };
  const dearest = (): Tried[] => [...tried.values()].toSorted(byCpuOfUnit).slice(0, KEPT);

  const choices = listChoices(route, MOST_CHOICES, seed);
  for (let i = 0; i < WARM_UPS; i++) await asker.measure(choices[i % choices.length]!, 1);
  for (const choice of choices) await look(choice);
  for (const { choice } of dearest()) for (const other of listNeighbours(choice)) await look(other);
  for (let page = 0; page < PAGES; page++) {
    for (const { choice, cost } of dearest()) {
      const cursor = /"next_cursor":"([^"]+)"/.exec(cost.text)?.[1];
      if (cursor !== undefined) await look({ ...choice, values: { ...choice.values, cursor } });
    }
  }
  const finals: Tried[] = [];
  for (const { choice } of dearest()) finals.push({ choice, cost: await asker.measure(choice, FINAL_LOOKS) });
  return {
    ...finals.toSorted(byCpuOfUnit)[0]!,
    tried: tried.size,
    isEverServed: [...tried.values()].some(({ cost }) => !isRefusal(cost)),
  };
}

/** Whether an answer says no. */
export function isRefusal({ status }: Pick<Cost, 'status'>): boolean {
  return status >= 400;
}

function byCpuOfUnit(a: Tried, b: Tried): number {
  return cpuOfUnit(b.cost) - cpuOfUnit(a.cost);
}

/** Milliseconds of the main thread that one unit buys. */
export function cpuOfUnit({ cpuMs, units }: Cost): number {
  return cpuMs / units;
}
