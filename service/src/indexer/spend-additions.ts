import type { Writer } from '../db/database.ts';
import {
  createSpendPage,
  findSpender,
  loadSpendPages,
  pageOfOutput,
  readSpender,
  type Spends,
  writeSpender,
  writeSpendPages,
} from './spend-page.ts';

/**
 * What a transaction of the database adds to the spends. Outputs of any age are spent, so those of one batch belong to many
 * pages: they are changed in memory, and written once for many batches.
 */
export type SpendAdditions = {
  add(spends: Spends): Promise<void>;
  /** Id of the transaction that spent an output, among those in the table and those added here. */
  find(outputId: number): Promise<number | undefined>;
  /** Writes what was added. */
  write(): Promise<void>;
  /** Forgets what was added. */
  reset(): void;
};

/** 31 MB. */
const HELD_PAGES = 8_192;

/** Begins with nothing added. @param heldPages in memory at most, but for those of one batch */
export function openSpendAdditions(writer: Writer, heldPages = HELD_PAGES): SpendAdditions {
  const held = new Map<number, Uint8Array>();

  const write = async (): Promise<void> => {
    await writeSpendPages(writer, held);
    held.clear();
  };

  return {
    async add({ outputIds, spenderIds }) {
      if (held.size > heldPages) await write();
      const missing = new Set<number>();
      for (const outputId of outputIds) {
        const number = pageOfOutput(outputId);
        if (!held.has(number)) missing.add(number);
      }
      const loaded = await loadSpendPages(writer, missing);
      for (const number of missing) held.set(number, loaded.get(number) ?? createSpendPage());
      for (let i = 0; i < outputIds.length; i++)
        writeSpender(held.get(pageOfOutput(outputIds[i]!))!, outputIds[i]!, spenderIds[i]!);
    },
    async find(outputId) {
      const page = held.get(pageOfOutput(outputId));
      return page ? readSpender(page, outputId) : await findSpender(writer, outputId);
    },
    write,
    reset: () => held.clear(),
  };
}
