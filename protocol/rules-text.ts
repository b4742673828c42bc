import { bytesToHex } from './bytes.ts';

/**
 * Rules of a profile as text: JSON with sorted keys, bytes in hex and amounts as digits. Equal rules give equal text, so
 * what was derived by others can be told.
 */
export function describeRules(rules: unknown): string {
  return JSON.stringify(toPlain(rules));
}

function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return bytesToHex(value);
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, toPlain(each)]));
}
