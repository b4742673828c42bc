/** Errors as RFC 9457 problem documents. */

import { quoteReceived } from '@coinfront/protocol/quote-received.ts';
import { isDamage } from '../db/damage.ts';
import { DatabaseUnavailableError } from '../db/database.ts';
import { AppError, type ErrorCode, errorKinds } from '../errors.ts';

export const problemContentType = 'application/problem+json; charset=utf-8';

/** What a client reads of an error. `instance` and `request_id` find it in the log. */
export type ProblemBody = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  instance: string;
  request_id: string;
};

/** The problem document of an error. */
export function buildProblem(error: AppError, requestId: string): ProblemBody {
  const kind = errorKinds[error.code];
  return {
    type: `urn:coinfront:error:${error.code}`,
    title: kind.title,
    status: kind.status,
    detail: error.message,
    code: error.code,
    instance: `urn:coinfront:request:${requestId}`,
    request_id: requestId,
  };
}

/** What is sent for an error: a problem document, or its detail alone. */
export function writeError(
  error: AppError,
  requestId: string,
  asText: boolean,
): { contentType: string; body: string } {
  if (asText) return { contentType: 'text/plain; charset=utf-8', body: error.message };
  return { contentType: problemContentType, body: JSON.stringify(buildProblem(error, requestId)) };
}

type FrameworkError = { code?: unknown; statusCode?: unknown; message?: unknown };

const frameworkCodes: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'The body is larger than this operation accepts.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'Send the body with the content type that the operation documents, such as application/json.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'Content-Length does not match the body.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid_body', 'The body is empty; a JSON object is expected.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_body', 'The body is not valid JSON.'],
  FST_ERR_BAD_URL: ['bad_request', 'The path holds a malformed percent-encoding.'],
  FST_ERR_MAX_PARAM_LENGTH: ['uri_too_long', 'A part of the path is longer than any valid value.'],
  FST_ERR_HANDLER_TIMEOUT: ['overloaded', 'The answer took too long; try again.'],
};

/**
 * Any thrown value as one of our errors.
 *
 * What is not ours and not the client's fault becomes `internal_error`, whose text says nothing about the cause.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof DatabaseUnavailableError) {
    const detail = 'The database does not answer at the moment; try again. See /api/v1/health.';
    return new AppError('index_unavailable', detail, { 'retry-after': '5' });
  }
  if (isDamage(error)) {
    // Trying again does not help, so there is no time for it.
    const detail =
      'What this needs is damaged in the database of the service; its operator has to look after it.';
    return new AppError('index_unavailable', detail);
  }
  const { code, statusCode } = (typeof error === 'object' && error !== null ? error : {}) as FrameworkError;
  const known = typeof code === 'string' ? frameworkCodes[code] : undefined;
  if (known !== undefined) return new AppError(known[0], known[1]);
  if (error instanceof SyntaxError && statusCode === 400) {
    return new AppError(
      'invalid_body',
      'The body is not valid JSON, or has a forbidden key such as "__proto__".',
    );
  }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new AppError('bad_request', 'The request could not be read.');
  }
  return new AppError('internal_error', 'Something went wrong here. The request id finds it in the log.');
}

/** The error for a path that no operation has. */
export function routeNotFound(method: string): AppError {
  return new AppError('route_not_found', `No operation answers ${quoteReceived(method, 10)} at this path.`);
}
