import { SLOT_BYTES } from './run-file-format.ts';
import type { Run } from './run-set.ts';
import type { PageSink } from './run-target.ts';

/**
 * Sections of a file whose entries are in the order of the chain, so that those of a merged run are those of its sources one behind
 * the other: outputs, places of transactions.
 */

const PAGES_AT_ONCE = 64;

/** Puts entries into the pages of a file, each of which is full but for the last. */
export type EntryPacker = {
  add(entries: Uint8Array): void;
  finish(): void;
};

/** Begins with the first entry of a section. */
export function packEntries(sink: PageSink, entryBytes: number): EntryPacker {
  const page = new Uint8Array(Math.floor(sink.room / entryBytes) * entryBytes);
  let used = 0;
  const finish = (): void => {
    if (used > 0) sink.add({ place: 0, next: undefined, entries: page.subarray(0, used), sums: undefined });
    used = 0;
  };
  return {
    add(entries) {
      for (let at = 0; at < entries.length; ) {
        const taken = Math.min(entries.length - at, page.length - used);
        page.set(entries.subarray(at, at + taken), used);
        used += taken;
        at += taken;
        if (used === page.length) finish();
      }
    },
    finish,
  };
}

/** Copies sections of runs, one behind the other, by about so many entries at once. */
export type SectionCopy = {
  /** @returns whether there is more */
  advance(entries: number): boolean;
};

/** Begins with the first entry of the first run. */
export function copySection(sources: readonly Run[], section: number, packer: EntryPacker): SectionCopy {
  const slots = new Uint8Array(PAGES_AT_ONCE * SLOT_BYTES);
  let run = 0;
  let page = 0;
  return {
    advance(entries) {
      for (let done = 0; done < entries; ) {
        const source = sources[run];
        if (!source) {
          packer.finish();
          return false;
        }
        const pages = source.file!.readMany(section, page, slots);
        page += pages.length;
        for (const { data, start, count } of pages) {
          packer.add(data.subarray(start));
          done += count;
        }
        if (pages.length === 0) {
          run++;
          page = 0;
        }
      }
      return true;
    },
  };
}
