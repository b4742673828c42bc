/** What was looked at, and what came of it. `unknown`: it could not be looked at. */
export type Finding = {
  /** A stable name, such as `node.methods`. */
  check: string;
  level: 'ok' | 'warning' | 'fault' | 'unknown';
  /** What was found. */
  text: string;
  /** What to do; absent where nothing is wrong. */
  remedy?: string;
};

export const good = (check: string, text: string): Finding => ({ check, level: 'ok', text });
export const warning = (check: string, text: string, remedy: string): Finding => ({
  check,
  level: 'warning',
  text,
  remedy,
});
export const fault = (check: string, text: string, remedy: string): Finding => ({
  check,
  level: 'fault',
  text,
  remedy,
});
export const unknown = (check: string, text: string): Finding => ({ check, level: 'unknown', text });
