/**
 * Limits how much one client may ask for: a budget of units, refilled at the start of each window.
 *
 * One map a process, replaced at each window, with a bound on its size: the limiter's own memory and time stay
 * small whatever clients do.
 */

const minuteMs = 60_000;
const maxClients = 50_000;
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
};

/** Takes `cost` units from the client's budget. */
export type SpendBudget = {
  (client: string, cost: number, nowMs: number): Budget;
  /** Takes what was found out afterwards, also beyond the budget: the next windows pay for it. */
  owe(client: string, cost: number, nowMs: number): void;
  /**
   * Gives back what was taken at `spentAtMs` and not needed, in the window that it was taken from.
   *
   * @returns what is left of the budget
   */
  giveBack(client: string, cost: number, spentAtMs: number, nowMs: number): number;
};

/** Units for bytes of a body, besides what its request costs. */
export function unitsOfBytes(bytes: number): number {
  return Math.floor(bytes / bytesOfUnit);
}

/**
 * Creates a limiter with a budget of `units` for each client in each window, a minute unless given.
 *
 * When more clients than can be remembered come in one window, the newcomers share one budget.
 */
export function createRateLimiter(units: number, windowMs = minuteMs): SpendBudget {
  let window = 0;
  let spent = new Map<string, number>();

  function enterWindow(nowMs: number): void {
    const current = Math.floor(nowMs / windowMs);
    if (current === window) return;
    const refill = units * Math.max(1, current - window);
    const owed = [...spent].filter(([, before]) => before > refill);
    spent = new Map(owed.map(([key, before]) => [key, before - refill]));
    window = current;
  }

  function keyOf(client: string): string {
    const name = clientNetwork(client);
    return spent.size >= maxClients && !spent.has(name) ? 'others' : name;
  }

  const leftOf = (spentUnits: number): number => Math.max(0, Math.floor(units - spentUnits));

  const spend = (client: string, cost: number, nowMs: number): Budget => {
    enterWindow(nowMs);
    const key = keyOf(client);
    const before = spent.get(key) ?? 0;
    // What costs nothing is never refused: the files of a page that says so.
    const allowed = cost === 0 || before + cost <= units;
    const after = allowed ? before + cost : Math.max(before, units);
    spent.set(key, after);
    const resetMs = (window + 1) * windowMs - nowMs;
    const windows = Math.max(1, Math.ceil((after + cost) / units) - 1);
    return {
      limit: units,
      remaining: leftOf(after),
      resetSeconds: Math.ceil(resetMs / 1000),
      retrySeconds: Math.ceil((resetMs + (windows - 1) * windowMs) / 1000),
      allowed,
    };
  };
  return Object.assign(spend, {
    owe(client: string, cost: number, nowMs: number): void {
      enterWindow(nowMs);
      const key = keyOf(client);
      spent.set(key, Math.min((spent.get(key) ?? 0) + cost, units * maxOwedWindows));
    },
    giveBack(client: string, cost: number, spentAtMs: number, nowMs: number): number {
      enterWindow(nowMs);
      const key = keyOf(client);
      const before = spent.get(key) ?? 0;
      const isSameWindow = Math.floor(spentAtMs / windowMs) === window;
      const after = isSameWindow ? Math.max(0, before - cost) : before;
      if (after !== before) spent.set(key, after);
      return leftOf(after);
    },
  });
}

/** IPv6 clients own a /64 at least, so that is what is counted; an IPv4 address is counted as it is. */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address);
  if (mapped !== null) return mapped[1]!;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    while (groups.length + after.length < 8) groups.push('0');
    groups.push(...after);
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
