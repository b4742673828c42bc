import type { ClientErrorCode } from './error-codes.ts';

/** What is known about a failure besides its code. */
export type ErrorFacts = {
  /** HTTP status; undefined when no answer came. */
  status?: number | undefined;
  /** Finds the request in the service's log. */
  requestId?: string | undefined;
  /** How long the service asks to wait. */
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
};

/**
 * A call that did not succeed. Branch on `code`: of the service, or a {@link ClientErrorCode}.
 *
 * @example
 * try {
 *   await getBlock(client, { id: 812345 });
 * } catch (error) {
 *   if (isCoinfrontError(error, 'block_not_found')) return undefined;
 *   throw error;
 * }
 */
export class CoinfrontError<Code extends string = string> extends Error {
  readonly code: Code;
  /** What was wrong, what was received and what to do; for people, and may change. */
  readonly detail: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: Code, detail: string, facts: ErrorFacts = {}) {
    super(`${code}: ${detail}`, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'CoinfrontError';
    this.code = code;
    this.detail = detail;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** Whether a thrown value is an error of a call, and, where codes are given, one of these. */
export function isCoinfrontError<Code extends string = string>(
  error: unknown,
  ...codes: readonly Code[]
): error is CoinfrontError<Code> {
  return error instanceof CoinfrontError && (codes.length === 0 || codes.includes(error.code as Code));
}

/** An error that the client itself found. */
export function clientError(
  code: ClientErrorCode,
  detail: string,
  facts?: ErrorFacts,
): CoinfrontError<ClientErrorCode> {
  return new CoinfrontError(code, detail, facts);
}
