/** Which paths tell errors as plain text: programs that were written for another interface read them so. */

export type TextErrors = {
  /** Everything at and below this path, whether it has a route or not. */
  add(prefix: string): void;
  /** Whether the errors of a request are text; `target` is a route's pattern, or what the request line names. */
  covers(target: string | undefined): boolean;
};

/** Creates an empty set of paths. */
export function createTextErrors(): TextErrors {
  const prefixes: string[] = [];
  return {
    add: (prefix) => void prefixes.push(prefix),
    covers(target = '') {
      const [path = ''] = target.split(/[?#]/, 1);
      return prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
    },
  };
}
