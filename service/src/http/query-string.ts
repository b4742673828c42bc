/** Reading the query of a URL, strictly: what is malformed is said to be so, not guessed at. */

/** Marks a query with a malformed percent-encoding; a key that no URL can have. */
export const malformedQuery: unique symbol = Symbol('malformed query');

/** Values by name; a list where a name is repeated. */
export type RawQuery = Record<string, string | string[]> & { [malformedQuery]?: true };

/** Pairs that are read; a query of the greatest length that is accepted cannot have many more that mean anything. */
const maxPairs = 100;

/** What no query at all is read as. */
export const emptyQuery: RawQuery = Object.freeze(Object.create(null));

/** Parses `a=1&b=2` (application/x-www-form-urlencoded: "+" is a space). It never throws. */
export function parseQuery(text: string): RawQuery {
  if (text === '') return emptyQuery;
  const query: RawQuery = Object.create(null);
  const pairs = text.split('&', maxPairs + 1);
  if (pairs.length > maxPairs) query[malformedQuery] = true;
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const name = decodePart(at === -1 ? pair : pair.slice(0, at));
    const value = at === -1 ? '' : decodePart(pair.slice(at + 1));
    if (name === undefined || value === undefined) {
      query[malformedQuery] = true;
      continue;
    }
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}

function decodePart(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Decodes what is percent-encoded, and "+", as well as it goes: bytes that are no UTF-8 become U+FFFD. It never throws. */
export function decodePercent(text: string): string {
  if (!/[%+]/.test(text)) return text;
  return text
    .replaceAll('+', ' ')
    .replace(/(?:%[0-9a-fA-F]{2})+/g, (bytes) =>
      Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
    );
}
