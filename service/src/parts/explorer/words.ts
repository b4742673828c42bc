/** How values of the API's answers are written in English, where the service itself speaks. */

export function text(value: unknown): string {
  return value === null || value === undefined ? 'unknown' : String(value);
}

export function count(value: unknown, what: string): string {
  return `${group(value)} ${what}${value === 1 ? '' : 's'}`;
}

export function group(value: unknown): string {
  return typeof value === 'number' ? value.toLocaleString('en-US') : text(value);
}

export function moment(iso: unknown): string {
  return text(iso)
    .replace('T', ' ')
    .replace(/(\.\d+)?Z$/, ' UTC');
}

/** The beginning and the end of what is too long to be read. */
export function shorten(value: string, longest = 20): string {
  const characters = [...value];
  if (characters.length <= longest) return value;
  return `${characters.slice(0, 8).join('')}…${characters.slice(-8).join('')}`;
}
