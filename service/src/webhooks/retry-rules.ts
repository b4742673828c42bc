/** When an event is tried again, and what ends its delivery. */

/** Pauses between tries, milliseconds: 15 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h; eleven tries in all. */
export const retryPausesMs: readonly number[] = [
  15_000,
  60_000,
  300_000,
  1_800_000,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3_600_000),
];

/** The longest that `Retry-After` can ask for. */
const longestPauseMs = 24 * 3_600_000;
/** A pause is longer by up to this part of it, so that receivers do not get everything at the same moment again. */
const jitter = 0.1;

/** What a receiver answered; undefined when it did not. */
export type ReceiverAnswer = { status: number; retryAfter: string | undefined } | undefined;

/** What becomes of a delivery after a try. */
export type DeliveryVerdict =
  | { kind: 'delivered' }
  /** The receiver is gone (410): nothing more is sent to it. */
  | { kind: 'disabled' }
  | { kind: 'retry'; atMs: number }
  | { kind: 'dead' };

/**
 * Judges a try. Only 2xx succeeds.
 *
 * @param tries tries of this schedule, with this one
 * @param random from 0 to 1
 */
export function judgeAnswer(
  answer: ReceiverAnswer,
  tries: number,
  nowMs: number,
  random: number,
  pausesMs: readonly number[] = retryPausesMs,
): DeliveryVerdict {
  if (answer !== undefined && answer.status >= 200 && answer.status < 300) return { kind: 'delivered' };
  if (answer?.status === 410) return { kind: 'disabled' };
  const pause = pausesMs[tries - 1];
  if (pause === undefined) return { kind: 'dead' };
  const planned = pause * (1 + jitter * random);
  const wished =
    answer?.status === 429 || answer?.status === 503 ? readRetryAfter(answer.retryAfter, nowMs) : 0;
  return { kind: 'retry', atMs: Math.ceil(nowMs + Math.max(planned, Math.min(wished, longestPauseMs))) };
}

/** Milliseconds that `Retry-After` (RFC 9110, 10.2.3: seconds, or a date) asks to wait; 0 for what cannot be read. */
export function readRetryAfter(value: string | undefined, nowMs: number): number {
  if (value === undefined) return 0;
  if (/^[0-9]{1,10}$/.test(value)) return Number(value) * 1000;
  const date = /^[A-Z][a-z]{2},? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - nowMs);
}

/** Why an answer did not count, for whoever has the receiver. */
export function describeRefusal({ status }: { status: number }): string | null {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return 'The receiver is gone (410): nothing more is sent to it.';
  if (status >= 300 && status < 400) return `Redirects are not followed (${status}).`;
  return `Only an answer of 2xx counts; this was ${status}.`;
}
