/**
 * Limits how much one client may ask for: a budget of units, refilled at the start of each window.
 *
 * One map a process, replaced at each window, with a bound on its size: the limiter's own memory and time stay
 * small whatever clients do.
 */

const minuteMs = 60_000;
const maxClients = 50_000;

/** What is left of a client's budget. */
export type Budget = { limit: number; remaining: number; resetSeconds: number; allowed: boolean };

/** Takes `cost` units from the client's budget. */
export type SpendBudget = (client: string, cost: number, nowMs: number) => Budget;

/**
 * Creates a limiter with a budget of `units` for each client in each window, a minute unless given.
 *
 * When more clients than can be remembered come in one window, the newcomers share one budget.
 */
export function createRateLimiter(units: number, windowMs = minuteMs): SpendBudget {
  let window = 0;
  let spent = new Map<string, number>();
  return (client, cost, nowMs) => {
    const current = Math.floor(nowMs / windowMs);
    if (current !== window) {
      window = current;
      spent = new Map();
    }
    const name = clientNetwork(client);
    const key = spent.size >= maxClients && !spent.has(name) ? 'others' : name;
    const before = spent.get(key) ?? 0;
    const after = Math.min(before + cost, units + 1);
    spent.set(key, after);
    return {
      limit: units,
      remaining: Math.max(0, units - after),
      resetSeconds: Math.ceil(((current + 1) * windowMs - nowMs) / 1000),
      // What costs nothing is never refused: the files of a page that says so.
      allowed: cost === 0 || before + cost <= units,
    };
  };
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
