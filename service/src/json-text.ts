/**
 * JSON whose keys are written with escapes.
 *
 * V8 14.6 (Node 26) reads such a key as another one where an object of the same first keys was parsed before: it compares the
 * text as it stands with the key that came next then, so that `{"x":1,"\u0061":2}` has the key `\` once somebody else has sent
 * `{"x":1,"\\":2}`. Keys without escapes are read as they are.
 */

const QUOTE = '"';
const BACKSLASH = 92;

/** What `JSON.parse` calls for each value; `this` is not given. */
export type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

/** Of the engine, and not yet of TypeScript's library: values that are written as they stood, and a reviver that is told how. */
const { parse, isRawJSON } = JSON as unknown as {
  parse(text: string, reviver: Reviver | undefined): unknown;
  isRawJSON(value: unknown): boolean;
};

/**
 * Reads JSON as `JSON.parse` should, whatever was read before.
 *
 * @throws SyntaxError
 */
export function parseJsonText(text: string, reviver?: Reviver): unknown {
  const keys = text.includes('\\') ? listKeys(text) : [];
  if (!keys.some(({ quoted }) => quoted.includes('\\'))) return parse(text, reviver);
  // Each key by its number, and its own name again in what was parsed.
  let numbered = '';
  let written = 0;
  for (const [i, { at, quoted }] of keys.entries()) {
    numbered += `${text.slice(written, at)}"k${i}"`;
    written = at + quoted.length;
  }
  numbered += text.slice(written);
  const names = keys.map(({ quoted }) => JSON.parse(quoted) as string);
  return parse(numbered, (key, value, context) => {
    const named = nameAgain(value, names);
    return reviver === undefined ? named : reviver(names[numberOf(key)] ?? key, named, context);
  });
}

/**
 * The same text with no escape in its keys that could be left out: who looks for a key in it finds it.
 */
export function writeKeysPlainly(text: string): string {
  if (!text.includes('\\')) return text;
  let plain = '';
  let written = 0;
  for (const { at, quoted } of listKeys(text)) {
    if (!quoted.includes('\\')) continue;
    plain += text.slice(written, at) + JSON.stringify(JSON.parse(quoted));
    written = at + quoted.length;
  }
  return plain + text.slice(written);
}

/**
 * Whether a text has more than so many commas and brackets: two megabytes of these, side by side or nested, take the thread a tenth of a
 * second to half of one to parse, and what says so is found in a hundredth of that. Marks within texts count as well.
 */
export function hasMoreParts(text: string, most: number): boolean {
  let parts = 0;
  for (const mark of [',', '[', '{']) {
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
      parts += 1;
      if (parts > most) return true;
    }
  }
  return false;
}

/** @returns where the quote is that ends a text of JSON; -1 where there is none */
export function findEndOfText(text: string, from: number): number {
  // The engine finds a quote in a fraction of the time that looking at each character takes.
  for (let at = text.indexOf(QUOTE, from); ; at = text.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (at === -1 || slashes % 2 === 0) return at;
  }
}

/** The keys of a text as they stand in it, with their quotes: a text before a colon. Of what is no JSON, what looks like one. */
function listKeys(text: string): { at: number; quoted: string }[] {
  const keys: { at: number; quoted: string }[] = [];
  for (let at = text.indexOf(QUOTE); at !== -1; ) {
    const end = findEndOfText(text, at + 1);
    if (end === -1) break;
    let next = end + 1;
    while (' \t\r\n'.includes(text.charAt(next)) && next < text.length) next++;
    if (text.charAt(next) === ':') keys.push({ at, quoted: text.slice(at, end + 1) });
    at = text.indexOf(QUOTE, end + 1);
  }
  return keys;
}

function nameAgain(value: unknown, names: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isRawJSON(value)) return value;
  const named = {};
  for (const [key, each] of Object.entries(value)) {
    // As the parser does: `__proto__` is a key like any other.
    const property = { value: each, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(named, names[numberOf(key)]!, property);
  }
  return named;
}

/** Of a key of an object; no number for the place in a list, or the name of the whole, which is empty. */
function numberOf(key: string): number {
  return key.startsWith('k') ? Number(key.slice(1)) : Number.NaN;
}
