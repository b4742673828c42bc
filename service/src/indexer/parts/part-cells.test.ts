import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forEachEngine } from '../../../../test/harness/engines.ts';
import type { Writer } from '../../db/database.ts';
import { openDatabase } from '../../db/open.ts';
import { defineTable } from '../../db/table.ts';
import { ensureTables } from '../../db/tables.ts';
import { openPartCells } from './part-cells.ts';

const table = defineTable({
  name: 'cell',
  columns: { id: 'bytes', value: 'int' },
  primaryKey: ['id'],
});

forEachEngine('the cells of a table whose key is bytes', (engine) => {
  async function withWriter(use: (writer: Writer) => Promise<void>): Promise<void> {
    const location = await engine.openUrl();
    const database = await openDatabase(
      location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'cells.db') } : location,
    );
    const writer = await database.openWriter();
    try {
      await ensureTables(writer, database.engine, [table], 'cells');
      await use(writer);
    } finally {
      await writer.close();
      await database.close();
    }
  }

  test('keep the bytes of a key, and not the block that they came from', async () => {
    await withWriter(async (writer) => {
      const cells = openPartCells(writer, table);
      const block = new Uint8Array(4_096).fill(7);
      const [cell] = await cells.open([[block.subarray(100, 132)]]);
      cells.set(cell!, { id: block.slice(100, 132), value: 1 });
      block.fill(8);
      expect(cell!.key).toEqual([new Uint8Array(32).fill(7)]);
      expect((cell!.key[0] as Uint8Array).buffer.byteLength).toBe(32);
      expect(await cells.find([new Uint8Array(32).fill(7)])).toBe(cell);
      expect((await cells.find([new Uint8Array(32).fill(8)])).row).toBeUndefined();
    });
  });

  test('are those of the database, whichever of them are remembered', async () => {
    await withWriter(async (writer) => {
      const keyOf = (i: number): Uint8Array => {
        const key = new Uint8Array(32);
        new DataView(key.buffer).setUint32(28, i);
        return key;
      };
      const count = 70_000;
      const cells = openPartCells(writer, table);
      await writer.begin();
      // More than a generation of them, so that the first are forgotten.
      for (let first = 0; first < 3 * count; first += count) {
        const numbers = Array.from({ length: count }, (_, i) => first + i);
        const opened = await cells.open(numbers.map((i) => [keyOf(i)]));
        for (const [at, i] of numbers.entries()) cells.set(opened[at]!, { id: keyOf(i), value: i });
        await cells.flush();
      }
      for (const i of [0, 1, count, 3 * count - 1])
        expect((await cells.find([keyOf(i)])).row).toEqual({ id: keyOf(i), value: i });
      expect((await cells.find([keyOf(3 * count)])).row).toBeUndefined();
      await writer.commit();
    });
  });
});
