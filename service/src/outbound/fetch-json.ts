/**
 * GETs JSON from an address that the operator configured: their own software, on loopback or inside their network. What
 * it answers is not trusted: bounded in time and size, no redirects, no credentials.
 */

import { Client } from 'undici';
import { OutboundError, toOutboundError } from './outbound-error.ts';

export type FetchJsonLimits = { timeoutMs: number; maxBytes: number };

const defaultLimits: FetchJsonLimits = { timeoutMs: 8_000, maxBytes: 1_048_576 };
const MAX_HEADER_BYTES = 16_384;

/**
 * Makes the function that asks one server.
 *
 * @param baseUrl - without a slash at the end
 * @param parse - reads the text; undefined is refused
 * @throws OutboundError from the function, when there is no answer of status 200 within the limits, or no JSON in it
 */
export function createFetchJson(
  baseUrl: string,
  parse: (text: string) => unknown,
  limits: Partial<FetchJsonLimits> = {},
): (path: string, signal: AbortSignal) => Promise<unknown> {
  const { timeoutMs, maxBytes } = { ...defaultLimits, ...limits };
  const base = new URL(baseUrl);
  return async (path, signal) => {
    // A connection each time: a poll every half minute gains nothing from one that is kept.
    const client = new Client(base.origin, {
      connectTimeout: timeoutMs,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      maxResponseSize: maxBytes,
      pipelining: 1,
      allowH2: false,
    });
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const { statusCode, body } = await client.request({
        method: 'GET',
        path: base.pathname.replace(/\/+$/, '') + path,
        headers: { accept: 'application/json' },
        signal: deadline,
      });
      if (statusCode !== 200) throw new OutboundError(`The answer has status ${statusCode}.`);
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of body) {
        length += (chunk as Buffer).length;
        if (length > maxBytes) throw new OutboundError('The answer is too long.');
        chunks.push(chunk as Buffer);
      }
      const value = parse(Buffer.concat(chunks).toString('utf8'));
      if (value === undefined) throw new OutboundError('The answer is no JSON.');
      return value;
    } catch (error) {
      throw toOutboundError(error);
    } finally {
      await client.destroy().catch(() => undefined);
    }
  };
}
