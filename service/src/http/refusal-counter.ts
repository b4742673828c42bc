import type { Client, CountedNetwork } from '../clients/client.ts';
import type { LabelledSource } from './metrics-server.ts';

/** Counts what was refused by whose share was used up: `ipv4`, `ipv6_64`, `ipv6_56`, `ipv6_48` or `unknown`. */
export function createRefusalCounter(about: Pick<LabelledSource, 'name' | 'help'>) {
  const counts = new Map<string, number>();
  return {
    count({ family }: Client, full: CountedNetwork): void {
      const [, bits] = full.name.split('/');
      const label = bits === undefined ? family : `${family}_${bits}`;
      counts.set(label, (counts.get(label) ?? 0) + 1);
    },
    source: { ...about, kind: 'counter', label: 'limit', list: () => counts } satisfies LabelledSource,
  };
}
