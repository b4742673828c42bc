import type { Reader } from '../../db/database.ts';
import { createRoomPool } from '../disk/room-pool.ts';
import { readUint48 } from '../encoding/uint48.ts';
import { damaged, firstPageOf, listPages } from './read-pages.ts';
import type { RunBuilder } from './run-builder.ts';
import { SLOT_BYTES } from './run-file-format.ts';
import type { RunKind } from './run-kinds.ts';
import { compareBytes, type RunPage } from './run-page.ts';
import type { Run } from './run-set.ts';

/** The entries of several runs, each in its order. */
export type EntryStreams = {
  readonly haveEnded: boolean;
  /** Reads what {@link EntryStreams.takeInOrder} needs to go on. */
  readPages(): Promise<void>;
  /**
   * Gives the lowest entry to the builder again and again, until a page has come to its end.
   * @returns how many were given
   */
  takeInOrder(builder: Pick<RunBuilder, 'add'>, most: number): number;
};

/** Pages of one run that are read at once: from a file, and from a table, which is asked by a statement. */
const READ_AT_ONCE = { file: 32, table: 64 };
const ENDED = Number.POSITIVE_INFINITY;
/** Two merges of eight runs. */
const slotRooms = createRoomPool(READ_AT_ONCE.file * SLOT_BYTES, 16);

/**
 * Opens the streams. Their state is in columns: with an object for each of them finding the lowest entry took a quarter of the writer's time,
 * now a twentieth.
 *
 * @param reader of the tables; undefined where runs are files
 * @param runs that have entries of the kind
 */
export function openEntryStreams(
  reader: Reader | undefined,
  runs: readonly Run[],
  kind: RunKind,
): EntryStreams {
  const { entryBytes } = kind;
  const count = runs.length;
  /** Of each run: pages that were read ahead, how many of them were taken, and the number of the next one. */
  const ahead: RunPage[][] = runs.map(() => []);
  const taken = new Uint32Array(count);
  /** What pages of files are read into, again and again. */
  const slots: (Uint8Array | undefined)[] = [];
  const slotsOf = (i: number): Uint8Array => {
    slots[i] ??= slotRooms.take();
    return slots[i];
  };
  const giveBack = (i: number): void => {
    if (slots[i]) slotRooms.giveBack(slots[i]);
    slots[i] = undefined;
  };
  const expected: (number | undefined)[] = runs.map(firstPageOf);
  /** Bytes of the page under way, where the next entry is in it, and where it ends. */
  const data: Uint8Array[] = runs.map(() => new Uint8Array(0));
  const at = new Uint32Array(count);
  const end = new Uint32Array(count);
  /** The first 48 bits of the next entry, by which most are told apart; infinite where there is none. */
  const head = new Float64Array(count).fill(ENDED);

  const readPage = async (i: number, number: number): Promise<void> => {
    const run = runs[i]!;
    if (taken[i] === ahead[i]!.length) {
      ahead[i] = run.file
        ? await listPages(reader, run, kind, number, READ_AT_ONCE.file, slotsOf(i))
        : await listPages(reader, run, kind, number, READ_AT_ONCE.table);
      taken[i] = 0;
    }
    const page = ahead[i]![taken[i]!++];
    if (page?.number !== number) throw damaged(run, kind, number);
    expected[i] = page.next;
    data[i] = page.data;
    at[i] = page.start;
    end[i] = page.start + page.count * entryBytes;
    head[i] = readUint48(page.data, page.start);
  };

  const findLowest = (): number => {
    let lowest = 0;
    for (let i = 1; i < count; i++) {
      if (head[i]! > head[lowest]! || head[i] === ENDED) continue;
      if (
        head[i] === head[lowest] &&
        compareBytes(data[i]!, at[i]!, data[lowest]!, at[lowest]!, entryBytes) >= 0
      )
        continue;
      lowest = i;
    }
    return lowest;
  };

  return {
    get haveEnded() {
      return head.every((each) => each === ENDED);
    },
    async readPages() {
      for (let i = 0; i < count; i++) {
        const number = expected[i];
        if (at[i] !== end[i]) continue;
        if (number === undefined) giveBack(i);
        else await readPage(i, number);
      }
    },
    takeInOrder(builder, most) {
      for (let done = 1; done <= most; done++) {
        const i = findLowest();
        builder.add(data[i]!, at[i]!, head[i]!);
        at[i]! += entryBytes;
        if (at[i] === end[i]) {
          head[i] = ENDED;
          return done;
        }
        head[i] = readUint48(data[i]!, at[i]!);
      }
      return most;
    },
  };
}
