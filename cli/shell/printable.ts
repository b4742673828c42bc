const movers = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** JSON on one line that a terminal shows as it is: what {@link makePrintable} spells out is escaped in its strings. */
export function writePrintableJson(value: object): string {
  return JSON.stringify(value).replace(movers, (char) =>
    Array.from(
      { length: char.length },
      (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** What others wrote must not move the cursor, or turn the direction, of what a person reads. */
export function makePrintable(text: string): string {
  return text.replace(movers, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);
}
