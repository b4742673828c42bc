/** A value of JSON; properties that are undefined are not there. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/** Deepest nesting that is written. */
const MAX_DEPTH = 32;

/**
 * The one text that RFC 8785 (JSON Canonicalization Scheme) gives a value: no white space, properties in the order of
 * their UTF-16 code units, numbers and strings as ECMAScript writes them. Equal values have equal text, so it can be
 * hashed.
 *
 * @throws Error for what has no such text: a number that is not finite, a lone surrogate, too deep a nesting
 */
export function writeCanonicalJson(value: Json, depth = 0): string {
  if (depth > MAX_DEPTH) throw new Error(`JSON is nested deeper than ${MAX_DEPTH} levels`);
  if (typeof value === 'string') return writeString(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error('JSON has no number that is not finite');
    return JSON.stringify(value);
  }
  if (value === null || typeof value === 'boolean') return String(value);
  if (isList(value)) return `[${value.map((each) => writeCanonicalJson(each, depth + 1)).join(',')}]`;
  const fields = Object.keys(value)
    .sort()
    .flatMap((name) => {
      const each = value[name];
      return each === undefined ? [] : [`${writeString(name)}:${writeCanonicalJson(each, depth + 1)}`];
    });
  return `{${fields.join(',')}}`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function writeString(text: string): string {
  if (!text.isWellFormed()) throw new Error('JSON has no text with a lone surrogate');
  return JSON.stringify(text);
}
