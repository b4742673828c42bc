import { createRandom } from '../chain/random.ts';

/** Gives the address of another client each time, of other networks, too, since these are counted besides. */
export function createClientAddresses(seed: number): () => string {
  const random = createRandom(seed);
  return () => [11 + random.below(90), random.below(256), random.below(256), 1 + random.below(254)].join('.');
}
