import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { createStateHasher, STATE_HASH_INTERVAL } from '@coinfront/protocol/hash-chain.ts';
import type { BlockRecord, ChainView } from '../chain/chain-view.ts';
import { AppError } from '../errors.ts';
import { readStep, type StatePlace, type StateSource } from './state-source.ts';

/**
 * Rows of each kind that are hashed for a request: others wait as long as they take. They are read at once, for whatever has to be
 * put in order is put in order for each step.
 */
const MAX_ROWS = 10_000;

/** Gives state(h) of the tip, which is computed once for each. */
export function createStateReader(
  source: StateSource,
): (view: ChainView, tip: BlockRecord) => Promise<string> {
  let known: { tip: string; hash: Promise<string | undefined> } | undefined;
  return async (view, tip) => {
    const name = bytesToHex(tip.hash);
    if (known?.tip !== name) {
      const begun = { tip: name, hash: hashSmallState(view, tip, source) };
      known = begun;
      // Whoever asks next tries again.
      begun.hash.catch(() => {
        if (known === begun) known = undefined;
      });
    }
    const hash = await known.hash;
    if (hash !== undefined) return hash;
    throw new AppError(
      'state_too_large',
      `More than ${MAX_ROWS} rows have to be looked at for this state: read its pages and hash them, or ask for a height that ${STATE_HASH_INTERVAL} divides.`,
    );
  };
}

/** @returns undefined where there are too many rows */
async function hashSmallState(
  view: ChainView,
  tip: BlockRecord,
  source: StateSource,
): Promise<string | undefined> {
  const hasher = createStateHasher();
  let place: StatePlace | undefined;
  for (;;) {
    const { rows, next } = await readStep(view, tip.height, source, place, MAX_ROWS);
    for (const { row } of rows) hasher.add(row);
    if (next === undefined) return bytesToHex(hasher.finish());
    if (next.kind === (place?.kind ?? source.kinds[0])) return undefined;
    place = next;
  }
}
