import type { Random } from '../../scripts/traffic/random.ts';
import type { PromiseRecord } from '../promises/record.ts';
import type { ClientAnswer } from '../rig/client.ts';
import type { Rig } from '../rig/rig.ts';
import type { ChainTruth } from '../truth/chain-truth.ts';
import type { Signers } from '../work/signers.ts';

/** What is compared with what. */
export type Checked = {
  readonly rig: Rig;
  readonly record: PromiseRecord;
  readonly truth: ChainTruth;
  readonly signers: Signers;
  /** Chooses what is looked at where not everything is. */
  readonly random: Random;
  /** Whether everything is looked at. */
  readonly isFull: boolean;
};

/** The JSON of an answer that has to be a 200. */
// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
export function need(path: string, answer: ClientAnswer | undefined): any {
  if (answer?.status !== 200)
    throw new Error(`${path} answers ${answer?.status}: ${answer?.text.slice(0, 300)}`);
  return answer.json;
}

/** A few of a list. */
export function sample<T>(random: Random, items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, () => random.pick(items));
}
