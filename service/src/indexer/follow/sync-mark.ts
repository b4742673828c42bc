import type { Reader, Writer } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';

const GET = sql<{ key: string; value: string }>(
  "select key, value from meta where key in ('revision', 'synced')",
);
const PUT = sql(
  `insert into meta (key, value) values ('synced', $1) on conflict (key) do update set value = excluded.value`,
);
/** How often the mark of a state that stays is renewed. */
const RENEW_MS = 1_000;

type Mark = { revision: string; at_ms: number };

/** Says which states of the index were whole: chain and mempool together as the node had them at one moment. */
export type SyncMark = {
  /**
   * Marks the present state, outside of any transaction. The revision stays: nothing that is read has changed.
   *
   * @param askedMs when the node was asked for its mempool: whatever it knew before is in the index
   * @param isCurrent asked before the mark's time goes on; false while the node knows of blocks that it has yet to fetch, or of
   * more transactions than are held, so that they are not taken for missing
   */
  put(askedMs: number, isCurrent: () => Promise<boolean>): Promise<void>;
  /**
   * Makes a change that adds to the state what the node came to know later and takes nothing from it that the node still has:
   * a state that was whole before is whole after, as of the same moment. Otherwise it would stay unmarked until the next look,
   * and whoever sends often enough would keep everybody waiting who needs a whole state.
   *
   * @param change outside of any transaction; false when something is missing from what it made
   */
  keep(change: () => Promise<boolean>): Promise<void>;
};

/** Opens the mark that the database holds. */
export function openSyncMark(writer: Writer): SyncMark {
  const write = (mark: Mark) => writer.run(PUT, [JSON.stringify(mark)]);
  return {
    async put(askedMs, isCurrent) {
      const { revision, mark } = await readMark(writer);
      if (revision === undefined) return;
      if (mark?.revision === revision && askedMs - mark.at_ms < RENEW_MS && askedMs >= mark.at_ms) return;
      // A mark of later than now was made by a clock that was ahead: kept, it would let payments to come expire at once.
      const before = Math.min(mark?.at_ms ?? 0, askedMs);
      const atMs = (await isCurrent()) ? askedMs : before;
      await write({ revision, at_ms: atMs });
    },
    async keep(change) {
      const before = await readMark(writer);
      const isWhole = await change();
      if (!isWhole || before.mark === undefined || before.mark.revision !== before.revision) return;
      const { revision } = await readMark(writer);
      if (revision !== undefined && revision !== before.revision)
        await write({ revision, at_ms: before.mark.at_ms });
    },
  };
}

/** Up to when everything is known that the node knew, when the state that is read is a whole one. */
export async function findSyncedMs(reader: Reader): Promise<number | undefined> {
  const { revision, mark } = await readMark(reader);
  return mark !== undefined && mark.revision === revision ? mark.at_ms : undefined;
}

/** Whether some state of this index was a whole one: its first sync is over. */
export async function hasBeenInStep(reader: Reader): Promise<boolean> {
  return (await readMark(reader)).mark !== undefined;
}

async function readMark(reader: Reader): Promise<{ revision: string | undefined; mark: Mark | undefined }> {
  const values = new Map((await reader.all(GET)).map(({ key, value }) => [key, value]));
  const mark = values.get('synced');
  return { revision: values.get('revision'), mark: mark === undefined ? undefined : JSON.parse(mark) };
}
