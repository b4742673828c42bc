import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Reader, Writer } from '../db/database.ts';
import type { SqlValue } from '../db/statement.ts';
import { createKeyAdditions, type KeyAdditions } from './key-additions.ts';
import { buildPages } from './key-groups.ts';
import { findCandidates, removeKeys, txKeys } from './key-index.ts';
import { countPages, decodeKeyPage, findIds, type KeyList, pageBeforeSplits, pageOfKey } from './key-page.ts';

const MAX_KEY = 2 ** 48 - 1;
const TAIL = -1;
/** Random keys, and a few that come again and again: many ids under one key. */
const key = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: MAX_KEY }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 2 ** 31, 2 ** 32, MAX_KEY) },
);

test('a page that is split gives its keys to itself and to the new page only', () => {
  fc.assert(
    fc.property(key, fc.integer({ min: 1, max: 2 ** 30 }), fc.nat(5_000), (anyKey, pages, more) => {
      const before = pageOfKey(anyKey, pages);
      const after = pageOfKey(anyKey, pages + more);
      expect(before).toBeLessThan(pages);
      expect(after).toBeLessThan(pages + more);
      if (after < pages) expect(after).toBe(before);
      else expect(pageBeforeSplits(after, pages)).toBe(before);
    }),
  );
});

test('entries added and taken out in any batches leave the pages that the rest alone would make', async () => {
  const batches = fc.array(
    fc.record({
      add: fc.nat(600),
      remove: fc.nat(400),
      isLatest: fc.boolean(),
      // Only of what is written entries are taken out.
      end: fc.constantFrom(
        ...['goes on', 'is kept', 'is kept and opened again'],
        ...new Array(3).fill('is written'),
      ),
    }),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(
      batches,
      fc.array(key, { minLength: 2_000, maxLength: 2_000, size: 'max' }),
      async (steps, keys) => {
        const pages = new Map<number, Uint8Array>();
        const writer = createPageWriter(pages);
        // So few that pages are read again, and written in many parts.
        const open = () => createKeyAdditions(writer, txKeys, { atOnce: 3, held: 5, inTail: 700 });
        let additions = open();
        let held: { key: number; id: number }[] = [];
        let nextId = 0;
        for (const { add, remove, isLatest, end } of steps) {
          const added = Array.from({ length: add }, () => ({
            key: keys[nextId % keys.length]!,
            id: nextId++,
          }));
          additions.add(toColumns(added));
          held.push(...added);
          await expectFound(additions, held, keys);
          if (end === 'goes on') continue;
          if (end !== 'is written') {
            await additions.keep();
            if (end === 'is kept and opened again') {
              additions = open();
              await additions.load(held.length);
            }
            await expectFound(additions, held, keys);
            await expectCandidates(writer, held, keys);
            continue;
          }
          await additions.write();

          // A reorg takes out the latest; any others must do as well.
          const gone = isLatest ? held.slice(-remove) : held.filter((_, i) => i % 3 === 0).slice(0, remove);
          await removeKeys(writer, txKeys, held.length, toColumns(remove === 0 ? [] : gone));
          if (remove > 0) held = held.filter((entry) => !gone.includes(entry));
          if (remove > 0) await additions.load(held.length);
          expect(describePages(pages)).toEqual(
            describePages(buildPages(toColumns(held), countPages(held.length))),
          );
          await expectFound(additions, held, keys);
          await expectCandidates(writer, held, keys);
        }
      },
    ),
    // Bounds the search for a smaller counterexample, too.
    { numRuns: 25, interruptAfterTimeLimit: 25_000, markInterruptAsFailure: true },
  );
});

test('entries of one page are in order, however many they are', () => {
  fc.assert(
    fc.property(fc.array(key, { minLength: 200, maxLength: 700, size: 'max' }), (keys) => {
      const ids = keys.map((_, i) => keys.length - i);
      const page = decodeKeyPage(buildPages({ keys, ids }, 1).get(0)!);
      const sorted = keys
        .map((each, i) => ({ each, id: ids[i]! }))
        .sort((a, b) => a.each - b.each || a.id - b.id);
      expect(page).toEqual({ keys: sorted.map(({ each }) => each), ids: sorted.map(({ id }) => id) });
    }),
    { numRuns: 30 },
  );
});

test('all ids of a key are found, ascending, and nothing else', () => {
  const entry = fc.record({ key: fc.oneof(fc.nat(5), key), id: fc.integer({ min: 0, max: MAX_KEY }) });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 300 }), (entries) => {
      const page = buildPages(toColumns(entries), 1).get(0) ?? new Uint8Array(0);
      for (const wanted of new Set([...entries.map((each) => each.key), 3])) {
        const ids = entries.filter((each) => each.key === wanted).map((each) => each.id);
        expect(findIds(page, wanted)).toEqual(ids.sort((a, b) => a - b));
      }
      expect(decodeKeyPage(page).keys).toHaveLength(entries.length);
    }),
  );
});

/** Expects all ids under each of these keys, in the table or not, and nothing else. */
async function expectFound(
  additions: KeyAdditions,
  held: readonly { key: number; id: number }[],
  keys: readonly number[],
): Promise<void> {
  const idsOf = Map.groupBy(held, (entry) => entry.key);
  const found = await additions.find(keys);
  for (const [i, anyKey] of keys.entries())
    expect([...found[i]!].sort((a, b) => a - b)).toEqual((idsOf.get(anyKey) ?? []).map(({ id }) => id));
}

/** Expects the same of those who read the table. */
async function expectCandidates(
  reader: Reader,
  held: readonly { key: number; id: number }[],
  keys: readonly number[],
): Promise<void> {
  const idsOf = Map.groupBy(held, (entry) => entry.key);
  for (const anyKey of keys.slice(0, 500)) {
    const found = await findCandidates(reader, txKeys, held.length, anyKey);
    expect([...found].sort((a, b) => a - b)).toEqual((idsOf.get(anyKey) ?? []).map(({ id }) => id));
  }
}

function toColumns(entries: readonly { key: number; id: number }[]): KeyList {
  return { keys: entries.map((entry) => entry.key), ids: entries.map((entry) => entry.id) };
}

function describePages(pages: ReadonlyMap<number, Uint8Array>): string[] {
  return [...pages]
    .sort(([a], [b]) => a - b)
    .map(([page, data]) => `${page} ${Buffer.from(data).toString('hex')}`);
}

/** A writer of one table of pages, in memory; the engines have suites of their own. */
function createPageWriter(pages: Map<number, Uint8Array>): Writer {
  const list = <Row>(keys: number[]): Row[] =>
    keys.flatMap((page) => (pages.has(page) ? [{ page, data: pages.get(page)! }] : [])) as Row[];
  const writer: Pick<Writer, 'get' | 'lookup' | 'upsert' | 'delete'> = {
    async get<Row>(_: unknown, [page]: readonly SqlValue[] = []) {
      const row = list<object>([(page as number | undefined) ?? TAIL])[0];
      return row && ({ ...row, tail_bytes: pages.get(TAIL)?.length ?? null } as Row);
    },
    async lookup<Row>(_: unknown, keys: ArrayLike<number>) {
      return list<Row>(Array.from(keys));
    },
    async upsert(_, count, [numbers, data]) {
      for (let i = 0; i < count; i++) pages.set(numbers![i] as number, data![i] as Uint8Array);
    },
    async delete(_, count, [numbers]) {
      for (let i = 0; i < count; i++) pages.delete(numbers![i] as number);
    },
  };
  return writer as Writer;
}
