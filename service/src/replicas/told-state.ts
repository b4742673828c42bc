import type { HashLog } from '../indexer/parts/hash-log.ts';
import { createStateHashes, type HashStateAt } from './hash-state.ts';
import { createStateReads, type ReadState } from './read-state.ts';
import type { StateSource } from './state-source.ts';

/** What routes tell of the states and hashes of a protocol. */
export type ToldState = {
  /** Names the protocol in cursors. */
  name: string;
  rulesId: string;
  hashes: HashLog;
  kinds: StateSource['kinds'];
  readState: ReadState;
  hashStateAt: HashStateAt;
};

/** Creates it for one protocol. */
export function createToldState(
  source: StateSource,
  { name, hashes, rulesId }: Pick<ToldState, 'name' | 'hashes' | 'rulesId'>,
): ToldState {
  const readState = createStateReads(source);
  return { name, rulesId, hashes, kinds: source.kinds, readState, hashStateAt: createStateHashes(readState) };
}
