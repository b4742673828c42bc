/**
 * The outcome of reading something untrusted: a value, or the reason why there is none.
 * A reason is one clause in plain words that says what was wrong and, where it is short, what was received.
 */
export type Result<T> = { ok: true; value: T } | { ok: false; reason: string };

/** A successful {@link Result}. */
export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

/** A failed {@link Result}; it fits every `Result<T>`. */
export function fail(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}

/**
 * The value of a result that the caller knows to be good: shipped data, bytes checked before.
 * @throws Error with the reason, which then is a defect of this program and not of its input.
 */
export function getValue<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}
