/** What one tab remembers over reloads; a browser that keeps nothing loses it with the page. */

const MOST_ENTRIES = 100;

/** A bounded map of strings to values; the oldest are dropped. */
export type TabMemory<T> = { get(key: string): T | undefined; set(key: string, value: T): void };

/** Opens the map of this name. */
export function openTabMemory<T>(name: string): TabMemory<T> {
  const values = new Map<string, T>(read(name));
  return {
    get: (key) => values.get(key),
    set(key, value) {
      values.delete(key);
      values.set(key, value);
      for (const oldest of values.keys()) {
        if (values.size <= MOST_ENTRIES) break;
        values.delete(oldest);
      }
      try {
        sessionStorage.setItem(name, JSON.stringify([...values]));
      } catch {
        // Forbidden or full: it is remembered until the page goes.
      }
    },
  };
}

function read(name: string): [string, never][] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(name) ?? '[]');
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}
