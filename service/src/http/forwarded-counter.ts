import type { IncomingMessage } from 'node:http';
import type { LabelledSource } from './metrics-server.ts';

/**
 * Counts requests with `X-Forwarded-For` by whether it was believed. Where a proxy stands in front and its own are disregarded, all
 * clients are one.
 *
 * @param isProxy whether an address is one of the proxies that are trusted
 */
export function createForwardedCounter(isProxy: (address: string) => boolean) {
  const counts = new Map([
    ['yes', 0],
    ['no', 0],
  ]);
  return {
    count({ headers, socket }: IncomingMessage): void {
      if (headers['x-forwarded-for'] === undefined) return;
      const believed = isProxy(socket.remoteAddress ?? '') ? 'yes' : 'no';
      counts.set(believed, counts.get(believed)! + 1);
    },
    source: {
      kind: 'counter',
      name: 'coinfront_requests_forwarded_total',
      help: 'Requests with X-Forwarded-For, by whether it came from a proxy of COINFRONT_TRUST_PROXY and was believed.',
      label: 'believed',
      list: () => counts,
    } satisfies LabelledSource,
  };
}
