/**
 * The headers that every response carries: made once, as pairs, and copied.
 *
 * This is an interface for programs: nothing of it may be framed, run or sniffed as something else, and
 * anybody's page may read it (the public reads carry no credentials).
 */

/** Response headers that scripts of other origins may see. */
export const exposedHeaders = [
  'ETag',
  'X-Chain-Height',
  'X-Chain-Tip',
  'X-Chain-Visibility',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Allow',
].join(', ');

/** Request headers that scripts of other origins may send. A merchant's API key is none of them: it does not belong in a page. */
export const allowedRequestHeaders = 'Content-Type, If-None-Match, Idempotency-Key';

export type CommonHeaders = {
  /** The same for every response. */
  fixed: readonly (readonly [string, string])[];
  /** What depends on the request's `Origin`; undefined when nothing is to be added. */
  findOrigin(origin: string | undefined): string | undefined;
};

/** Builds the headers for these settings; `secure` says that clients reach us by HTTPS. */
export function buildCommonHeaders(options: {
  corsOrigins: '*' | readonly string[];
  secure: boolean;
}): CommonHeaders {
  const { corsOrigins, secure } = options;
  const fixed: [string, string][] = [
    ['x-content-type-options', 'nosniff'],
    ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-resource-policy', corsOrigins === '*' ? 'cross-origin' : 'same-site'],
    ['access-control-expose-headers', exposedHeaders],
  ];
  if (secure) fixed.push(['strict-transport-security', 'max-age=31536000']);
  if (corsOrigins === '*') {
    fixed.push(['access-control-allow-origin', '*']);
    return { fixed, findOrigin: () => undefined };
  }
  fixed.push(['vary', 'Origin']);
  const allowed = new Set(corsOrigins);
  return {
    fixed,
    findOrigin: (origin) => (origin !== undefined && allowed.has(origin) ? origin : undefined),
  };
}
