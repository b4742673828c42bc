import fc from 'fast-check';
import { expect, test } from 'vitest';
import { putBack } from './put-back.ts';
import type { ChangedRow, RowsBehind, SourceRow } from './state-source.ts';

type State = ReadonlyMap<number, number>;

const rowOf = (key: number, value: number): SourceRow => ({
  row: { kind: 1, key: Uint8Array.of(key), value: Uint8Array.of(value) },
});

/** Every second key of the present is dead: it is looked at, and counts for the limit. */
function readPresent(present: State, after: number, limit: number): RowsBehind {
  const keys = [...present.keys()].sort((a, b) => a - b).filter((key) => key > after);
  const seen = keys.slice(0, limit);
  const rows = seen.filter((key) => key % 2 === 0).map((key) => rowOf(key, present.get(key)!));
  return {
    rows,
    last: keys.length <= limit && seen.length < limit ? undefined : Uint8Array.of(seen.at(-1)!),
  };
}

const states = fc
  .dictionary(fc.integer({ min: 1, max: 255 }).map(String), fc.integer({ min: 0, max: 3 }))
  .map((entries) => new Map(Object.entries(entries).map(([key, value]) => [Number(key), value])));

test('pages of any size of a changed state are the rows of the earlier one, each once and in order', () => {
  fc.assert(
    fc.property(states, states, fc.integer({ min: 1, max: 9 }), (present, earlier, limit) => {
      const changed: ChangedRow[] = [];
      for (let key = 1; key <= 255; key++) {
        if (present.get(key) === earlier.get(key)) continue;
        const value = key % 2 === 0 ? earlier.get(key) : undefined;
        const was = value === undefined ? undefined : rowOf(key, value);
        changed.push({ kind: 1, key: Uint8Array.of(key), was });
      }
      const read: SourceRow[] = [];
      for (let after = 0, pages = 0; ; pages++) {
        expect(pages).toBeLessThan(600);
        const from = Uint8Array.of(...(after === 0 ? [] : [after]));
        const { rows, last } = putBack(readPresent(present, after, limit), changed, from, limit);
        expect(rows.length).toBeLessThanOrEqual(limit);
        read.push(...rows);
        if (last === undefined) break;
        expect(last[0]!).toBeGreaterThan(after);
        after = last[0]!;
      }
      const wanted = [...earlier]
        .filter(([key]) => key % 2 === 0)
        .sort(([a], [b]) => a - b)
        .map(([key, value]) => rowOf(key, value));
      expect(read).toEqual(wanted);
    }),
  );
});
