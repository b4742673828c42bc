/** Unix milliseconds as JSON has them. */
export function writeTime(ms: number): string {
  return new Date(ms).toISOString();
}
