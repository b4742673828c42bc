/** Unix milliseconds as text. */
export function writeTime(ms: number): string {
  return new Date(ms).toISOString();
}
