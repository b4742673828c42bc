/** What others wrote must not move the cursor, or turn the direction, of what a person reads. */
export function makePrintable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);
}
