import { CoinfrontError, clientError } from './error.ts';

/** Longest text of a foreign answer that is repeated in an error. */
const maxShownChars = 300;

/** The error that an answer of status 400 and above is. */
export function readProblem(status: number, headers: Headers, text: string): CoinfrontError {
  const retryAfterSeconds = readRetryAfter(headers.get('retry-after'));
  const { code, detail, request_id: requestId } = parseProblem(headers, text);
  if (typeof code !== 'string' || !/^[a-z0-9_]{1,60}$/.test(code)) {
    const isText = headers.get('content-type')?.startsWith('text/plain') && text !== '';
    const shown = isText ? text.slice(0, maxShownChars) : `The answer has status ${status} and no code.`;
    return clientError('http_error', shown, { status, retryAfterSeconds });
  }
  return new CoinfrontError(code, typeof detail === 'string' ? detail : code, {
    status,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    retryAfterSeconds,
  });
}

function parseProblem(headers: Headers, text: string): Record<string, unknown> {
  if (!headers.get('content-type')?.includes('json')) return {};
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Seconds from now, of both forms of the header (RFC 9110); undefined for what is neither. */
export function readRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined;
  if (/^[0-9]{1,9}$/.test(header)) return Number(header);
  const time = Date.parse(header);
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - now) / 1000));
}
