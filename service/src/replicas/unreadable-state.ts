import { STATE_HASH_INTERVAL } from '@coinfront/protocol/hash-chain.ts';
import type { BlockRecord } from '../chain/chain-view.ts';
import type { NotUndone } from '../indexer/parts/read-undone.ts';

/** Says why the state behind a block cannot be read, and what to do. */
export function explainUnreadable(reason: NotUndone, { height }: Pick<BlockRecord, 'height'>): string {
  const why =
    reason === 'too_old'
      ? `The state behind block ${height} cannot be read any more: it lies below the blocks that this service can undo.`
      : `Too much has changed since block ${height} for its state to be read.`;
  return `${why} Ask for a later height; the hash alone is kept of heights that ${STATE_HASH_INTERVAL} divides.`;
}
