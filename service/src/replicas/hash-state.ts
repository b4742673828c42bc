import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { createStateHasher, STATE_HASH_INTERVAL } from '@coinfront/protocol/hash-chain.ts';
import type { BlockRecord, ChainView } from '../chain/chain-view.ts';
import { AppError } from '../errors.ts';
import type { ReadState } from './read-state.ts';
import type { StatePlace } from './state-source.ts';
import { explainUnreadable } from './unreadable-state.ts';

/**
 * Rows of each kind that are hashed for a request: others wait as long as they take. They are read at once, for whatever has to be
 * put in order is put in order for each step.
 */
const MAX_ROWS = 10_000;

/**
 * Gives state(h) of a block, which is computed once for the block that was asked for last.
 *
 * @throws AppError `state_unavailable`, `state_too_large`
 */
export type HashStateAt = (view: ChainView, block: BlockRecord) => Promise<string>;

/** Creates it. */
export function createStateHashes(readState: ReadState): HashStateAt {
  let known: { block: string; hash: Promise<string> } | undefined;
  return async (view, block) => {
    const name = bytesToHex(block.hash);
    if (known?.block !== name) {
      const begun = { block: name, hash: hashSmallState(view, block, readState) };
      known = begun;
      // Whoever asks next tries again.
      begun.hash.catch(() => {
        if (known === begun) known = undefined;
      });
    }
    return await known.hash;
  };
}

async function hashSmallState(view: ChainView, block: BlockRecord, readState: ReadState): Promise<string> {
  const hasher = createStateHasher();
  let place: StatePlace | undefined;
  for (;;) {
    const step = await readState(view, block, place, MAX_ROWS);
    if (typeof step === 'string') throw new AppError('state_unavailable', explainUnreadable(step, block));
    for (const { row } of step.rows) hasher.add(row);
    if (step.next === undefined) return bytesToHex(hasher.finish());
    // A step gives all rows of a kind, or more than there may be.
    if (step.next.key.length > 0) {
      throw new AppError(
        'state_too_large',
        `More than ${MAX_ROWS} rows have to be looked at for this state: read its pages and hash them, or ask for a height that ${STATE_HASH_INTERVAL} divides.`,
      );
    }
    place = step.next;
  }
}
