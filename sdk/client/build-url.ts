import type { Call } from './client.ts';
import { clientError } from './error.ts';

/**
 * The address of a call: its path with the parameters filled in, the other parameters as the query.
 *
 * @throws CoinfrontError `invalid_argument` for a parameter of the path that is missing or would change the path
 */
export function buildUrl(baseUrl: string, { path, params = {} }: Call): string {
  const inPath = new Set<string>();
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    inPath.add(name);
    return encodePart(name, params[name]);
  });
  const query = Object.entries(params)
    .filter(([name, value]) => !inPath.has(name) && value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encode(String(value))}`);
  return baseUrl + filled + (query.length > 0 ? `?${query.join('&')}` : '');
}

function encodePart(name: string, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  // URLs resolve dots, encoded or not: the call would go to another operation.
  if (text === '' || text === '.' || text === '..') {
    throw clientError('invalid_argument', `"${name}" is needed and cannot be ${JSON.stringify(value)}.`);
  }
  return encode(text);
}

/** A surrogate without its other half, which no URL can have, becomes U+FFFD. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/**
 * Checks and cuts the address of a service.
 *
 * @throws CoinfrontError `invalid_argument`
 */
export function parseBaseUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw clientError('invalid_argument', `"${text}" is not an address such as https://coin.example.`, {
      cause,
    });
  }
  const { protocol, username, password, search, hash } = url;
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw clientError('invalid_argument', `A service is reached by https or http, not by "${protocol}".`);
  }
  if (username || password || search || hash) {
    throw clientError(
      'invalid_argument',
      'The address of a service has no user, password, query or fragment.',
    );
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}
