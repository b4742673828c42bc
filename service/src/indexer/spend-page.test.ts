import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forEachEngine } from '../../../test/harness/engines.ts';
import { openTestIndexer } from '../../../test/harness/test-indexer.ts';
import { sql } from '../db/statement.ts';
import { openSpendAdditions } from './spend-additions.ts';
import { findSpender, findSpenders, removeSpends, type Spends } from './spend-page.ts';

const LIST = sql<{ page: number; data: Uint8Array }>('select page, data from spend order by page');

forEachEngine('pages of spends', (engine) => {
  test('hold what was entered and not taken back, and no page without a spend', async () => {
    const indexer = await openTestIndexer(await engine.openUrl());
    const { writer } = indexer;
    // So few that some are written before the others.
    const additions = openSpendAdditions(writer, 1);
    const addSpends = async ({ outputIds, spenderIds }: Spends): Promise<void> => {
      for (let from = 0; from < outputIds.length; from += 30)
        await additions.add({
          outputIds: outputIds.slice(from, from + 30),
          spenderIds: spenderIds.slice(from, from + 30),
        });
      for (const [i, outputId] of outputIds.entries())
        expect(await additions.find(outputId)).toBe(spenderIds[i]);
      await additions.write();
    };
    const outputId = fc.oneof(fc.nat(2_000), fc.constantFrom(639, 640, 1_279, 1_280, 2 ** 40, 2 ** 40 + 1));
    const spends = fc.uniqueArray(fc.tuple(outputId, fc.oneof(fc.nat(5), fc.nat(2 ** 40))), {
      selector: ([id]) => id,
      maxLength: 200,
    });
    await fc.assert(
      fc.asyncProperty(spends, fc.array(fc.nat(), { maxLength: 200 }), async (entered, choices) => {
        await writer.begin();
        await addSpends(toColumns(entered));
        const takenBack = new Set(
          choices.flatMap((choice) => entered[choice % Math.max(1, entered.length)]?.[0] ?? []),
        );
        await removeSpends(writer, [...takenBack]);
        const left = new Map(entered.filter(([id]) => !takenBack.has(id)));
        for (const [id] of entered) expect(await findSpender(writer, id)).toBe(left.get(id));
        const range = Array.from({ length: 1_300 }, (_, i) => left.get(600 + i));
        expect(await findSpenders(writer, 600, range.length)).toEqual(range);

        const rows = await writer.all(LIST);
        await removeSpends(writer, [...left.keys()]);
        expect(await writer.all(LIST)).toEqual([]);
        await addSpends(toColumns([...left]));
        expect(await writer.all(LIST)).toEqual(rows);
        await writer.rollback();
      }),
      { numRuns: engine.kind === 'sqlite' ? 50 : 15 },
    );
    await indexer.close();
  });
});

function toColumns(spends: readonly (readonly [number, number])[]) {
  return { outputIds: spends.map(([id]) => id), spenderIds: spends.map(([, spender]) => spender) };
}
