/** RFC 8785: names sorted by UTF-16 code units, no white space; numbers and texts as ECMAScript writes them. */
export function writeCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeCanonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${writeCanonicalJson(each)}`).join()}}`;
}
