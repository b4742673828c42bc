/**
 * Limits how much one client may ask for: a budget of units, refilled at the start of each window.
 *
 * The networks around an IPv6 client have budgets of their own, so that who owns many addresses has some times the budget of
 * a client and not that of thousands. Each family is counted apart: what comes over one takes nothing from the other.
 */

import type { Client, CountedNetwork, Family } from '../clients/client.ts';
import { createSpendingNotes, type SpendingNotes, type SpentElsewhere } from './spending-notes.ts';
import { type CellPlace, createSpentCells, type SpentCells } from './spent-cells.ts';

const minuteMs = 60_000;
/** Bytes of bodies, sent or received, that make one unit more; what is below is part of any request's cost. */
export const bytesOfUnit = 65_536;
/** What is owed is forgotten beyond so many windows. */
const maxOwedWindows = 10;

/** What is left of a client's budget. */
export type Budget = {
  limit: number;
  remaining: number;
  /** Until the next window. */
  resetSeconds: number;
  /** Until what was asked for can be had; longer than a window where more is owed than one refills. */
  retrySeconds: number;
  allowed: boolean;
  /** Where it is not allowed: whose budget was used up, the client's own or that of a network around it. */
  usedUp?: CountedNetwork;
};

/** Takes `cost` units from the client's budget. */
export type SpendBudget = {
  (client: Client, cost: number, nowMs: number): Budget;
  /** Takes what was found out afterwards, also beyond the budget: the next windows pay for it. */
  owe(client: Client, cost: number, nowMs: number): void;
  /**
   * Gives back what was taken at `spentAtMs` and not needed, in the window that it was taken from.
   *
   * @returns what is left of the budget
   */
  giveBack(client: Client, cost: number, spentAtMs: number, nowMs: number): number;
  /**
   * Counts from now on what is spent in other processes, too, and notes for them what is spent here. What was spent before is
   * forgotten.
   *
   * @param key the same in all of these processes, 16 bytes
   */
  share(key: Uint8Array): SpendingShare;
};

/** How a limiter and those of other processes tell each other. */
export type SpendingShare = {
  /** What the others have to be told since the last time. */
  take(): SpentElsewhere[];
  /** What was spent in another process. It may come late, so it may be more than a client had: the next windows pay for it. */
  add(spent: readonly SpentElsewhere[], nowMs: number): void;
};

/** Of a budget, this part may be spent in a process before the others are told. */
const UNTOLD_PART = 1 / 64;

/** Counts in shares of its network, so that one refill is right for all. */
type Counter = {
  network: CountedNetwork;
  spent(): number;
  add(cost: number, most: number): void;
  /** Leaves nothing. */
  fill(most: number): void;
};

/** Units for bytes of a body, besides what its request costs. */
export function unitsOfBytes(bytes: number): number {
  return Math.floor(bytes / bytesOfUnit);
}

/** Creates a limiter with a budget of `units` for each client in each window, a minute unless given. */
export function createRateLimiter(units: number, windowMs = minuteMs): SpendBudget {
  let window: number | undefined;
  let key: Uint8Array | undefined;
  let notes: SpendingNotes | undefined;
  const cellsOf = new Map<Family, SpentCells>();

  /** Gives the window that it is now. */
  function enterWindow(nowMs: number): number {
    const current = Math.floor(nowMs / windowMs);
    if (window !== undefined && window !== current) {
      const passed = Math.min(Math.max(1, current - window), maxOwedWindows);
      for (const cells of cellsOf.values()) cells.refill(units * passed);
    }
    if (window !== current) notes?.clear();
    window = current;
    return current;
  }

  function getCells(family: Family): SpentCells {
    const known = cellsOf.get(family);
    if (known !== undefined) return known;
    const cells = createSpentCells(key);
    cellsOf.set(family, cells);
    return cells;
  }

  /** The networks of a client with the cells of each. */
  function findCounters({ family, networks }: Client): Counter[] {
    const cells = getCells(family);
    return networks.map((network) => {
      const place = cells.locate(network.name);
      return {
        network,
        spent: () => cells.read(place),
        add: (cost, most) => {
          cells.add(place, cost / network.share, most);
          notes?.note(family, place, cost / network.share);
        },
        fill: (most) => cells.add(place, most, most),
      };
    });
  }

  /** What a client has left, of its own and of what is shared around it. */
  function leftOf(counters: readonly Counter[]): number {
    const left = counters.map(({ network, spent }) => (units - spent()) * network.share);
    return Math.max(0, Math.floor(Math.min(...left)));
  }

  const spend = (client: Client, cost: number, nowMs: number): Budget => {
    const present = enterWindow(nowMs);
    const counters = findCounters(client);
    // The widest first: where it has nothing left, nothing is noted of the many that are inside of it.
    const wanting = counters.findLast(({ network, spent }) => spent() + cost / network.share > units);
    // What costs nothing is never refused: the files of a page that says so.
    const allowed = cost === 0 || wanting === undefined;
    if (allowed) for (const { add } of counters) add(cost, Number.POSITIVE_INFINITY);
    // Who asks for more than is left has nothing left.
    else wanting.fill(units);
    const { network, spent } = wanting ?? counters[0]!;
    const resetMs = (present + 1) * windowMs - nowMs;
    const windows = Math.max(1, Math.ceil((spent() + cost / network.share) / units) - 1);
    return {
      limit: units,
      remaining: leftOf(counters),
      resetSeconds: Math.ceil(resetMs / 1000),
      retrySeconds: Math.ceil((resetMs + (windows - 1) * windowMs) / 1000),
      allowed,
      ...(allowed ? {} : { usedUp: wanting.network }),
    };
  };

  return Object.assign(spend, {
    owe(client: Client, cost: number, nowMs: number): void {
      enterWindow(nowMs);
      for (const { add } of findCounters(client)) add(cost, units * maxOwedWindows);
    },
    giveBack(client: Client, cost: number, spentAtMs: number, nowMs: number): number {
      const present = enterWindow(nowMs);
      const counters = findCounters(client);
      if (Math.floor(spentAtMs / windowMs) === present)
        for (const { add } of counters) add(-cost, Number.POSITIVE_INFINITY);
      return leftOf(counters);
    },
    share(common: Uint8Array): SpendingShare {
      key = common;
      cellsOf.clear();
      const mine = createSpendingNotes(units * UNTOLD_PART);
      notes = mine;
      return {
        take: mine.take,
        add(spent, nowMs) {
          enterWindow(nowMs);
          for (const { family, place, units: cost } of spent)
            getCells(family).add(place as CellPlace, cost, units * maxOwedWindows);
        },
      };
    },
  });
}
