import { bytesToHex, compareBytes } from '@coinfront/protocol/bytes.ts';
import type { BlockRecord, ChainView } from '../chain/chain-view.ts';
import { type NotUndone, readUndone } from '../indexer/parts/read-undone.ts';
import { putBack } from './put-back.ts';
import type { ChangedRow, StatePlace, StateSource, StateStep } from './state-source.ts';

/** What has changed since a block, by kind, in the order of keys. */
type Changes = ReadonlyMap<number, readonly ChangedRow[]>;

/**
 * Reads the next rows of the state behind a block from a place on.
 *
 * @param place undefined is the beginning
 * @returns why it cannot be read: of the tip it always can
 */
export type ReadState = (
  view: ChainView,
  block: BlockRecord,
  place: StatePlace | undefined,
  limit: number,
) => Promise<StateStep | NotUndone>;

/** So many lists of changes are remembered: pages of a state follow each other, and few read one at once. */
const REMEMBERED = 2;

/** Creates the reader of a protocol's states: that behind the tip, and those of blocks below it that can still be undone. */
export function createStateReads(source: StateSource): ReadState {
  const remembered = new Map<string, Promise<Changes | NotUndone>>();

  const findChanges = async (view: ChainView, block: BlockRecord): Promise<Changes | NotUndone> => {
    const name = `${bytesToHex(block.hash)} ${bytesToHex(view.tip!.hash)}`;
    const known = remembered.get(name);
    if (known) return await known;
    const read = readChanges(view, block.height, source);
    remembered.set(name, read);
    if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value!);
    // Whoever asks next tries again.
    read.catch(() => remembered.delete(name));
    return await read;
  };

  return async (view, block, place, limit) => {
    const { kind, key } = place ?? { kind: source.kinds[0]!, key: new Uint8Array(0) };
    const changes = block.height === view.tip!.height ? undefined : await findChanges(view, block);
    if (typeof changes === 'string') return changes;
    const present = await source.readBehind(view, block.height, kind, key, limit);
    const { rows, last } = changes ? putBack(present, changes.get(kind) ?? [], key, limit) : present;
    if (last !== undefined) return { rows, next: { kind, key: last } };
    const following = source.kinds[source.kinds.indexOf(kind) + 1];
    return {
      rows,
      next: following === undefined ? undefined : { kind: following, key: new Uint8Array(0) },
    };
  };
}

async function readChanges(
  view: ChainView,
  height: number,
  { tables, listChanged }: StateSource,
): Promise<Changes | NotUndone> {
  const undone = await readUndone(view.reader, tables, height);
  if (typeof undone === 'string') return undone;
  return Map.groupBy(
    (await listChanged(view, height, undone)).sort((a, b) => compareBytes(a.key, b.key)),
    ({ kind }) => kind,
  );
}
