import { bytesToHex } from '../../bytes.ts';

/** JSON of values in which keys are snake_case, bytes hex, bigints decimal text, and undefined null. */
export function toJson(value: unknown): unknown {
  if (value === undefined) return null;
  if (value instanceof Uint8Array) return bytesToHex(value);
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [toSnakeCase(key), toJson(each)]));
}

function toSnakeCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
