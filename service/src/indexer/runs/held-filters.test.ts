import { expect, test } from 'vitest';
import type { Reader } from '../../db/database.ts';
import { type FilterChoice, holdFilters } from './held-filters.ts';
import type { RunFile } from './run-file.ts';
import { historyRuns, type RunKind, txRuns } from './run-kinds.ts';
import type { Run } from './run-set.ts';

const reader = {} as Reader;
const kinds = [txRuns, historyRuns];

/** A run whose file has filters of so many bytes. */
function fakeRun(id: number, bytes: { tx: number; history: number }, reads: string[] = []): Run {
  const sizes = { [txRuns.code]: bytes.tx, [historyRuns.code]: bytes.history };
  const file = {
    filterBytes: (code: number) => sizes[code],
    readFilter(code: number) {
      reads.push(`${id} ${code}`);
      return new Uint8Array(sizes[code]!);
    },
  } as unknown as RunFile;
  return { id, file } as Run;
}

async function listHeld(runs: readonly Run[], choice: FilterChoice): Promise<string[]> {
  const held = await holdFilters(reader, runs, new Map(), choice);
  const isHeld = (run: Run, kind: RunKind): boolean => held.get(run.id)?.find(kind) !== undefined;
  return runs.flatMap((run) =>
    kinds.filter((kind) => isHeld(run, kind)).map(({ name }) => `${run.id} ${name}`),
  );
}

test('the smallest filters are held, as many as have room, of whichever run they are', async () => {
  const runs = [fakeRun(1, { tx: 300, history: 900 }), fakeRun(2, { tx: 100, history: 400 })];
  expect(await listHeld(runs, { kinds, bytes: 1_700 })).toEqual(['1 tx', '1 history', '2 tx', '2 history']);
  expect(await listHeld(runs, { kinds, bytes: 1_699 })).toEqual(['1 tx', '2 tx', '2 history']);
  expect(await listHeld(runs, { kinds, bytes: 400 })).toEqual(['1 tx', '2 tx']);
  expect(await listHeld(runs, { kinds, bytes: 99 })).toEqual([]);
});

test('a filter is read when it is first asked, and not again when others find room or lose it', async () => {
  const reads: string[] = [];
  const large = fakeRun(1, { tx: 300, history: 900 }, reads);
  const small = fakeRun(2, { tx: 100, history: 200 }, reads);
  const choice = { kinds, bytes: 1_500 };
  let held = await holdFilters(reader, [large, small], new Map(), choice);
  expect(reads).toEqual([]);
  const first = held.get(1)!.find(txRuns);
  held.get(1)!.find(historyRuns);
  expect(reads).toEqual([`1 ${txRuns.code}`, `1 ${historyRuns.code}`]);

  const another = fakeRun(3, { tx: 100, history: 200 }, reads);
  held = await holdFilters(reader, [large, small, another], held, choice);
  expect(held.get(1)!.find(txRuns)).toBe(first);
  expect(held.get(1)!.find(historyRuns)).toBeUndefined();
  expect(reads).toHaveLength(2);

  held = await holdFilters(reader, [large, small], held, choice);
  expect(held.get(1)!.find(txRuns)).toBe(first);
  held.get(1)!.find(historyRuns);
  expect(reads).toEqual([`1 ${txRuns.code}`, `1 ${historyRuns.code}`, `1 ${historyRuns.code}`]);
});
