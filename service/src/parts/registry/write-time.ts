/** A time as the interface shows it: RFC 3339, in UTC. */
export function writeTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** The same, of what may not have happened yet. */
export function writeTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : writeTime(ms);
}
