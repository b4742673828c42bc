import { OUTPUT_ENTRY_BYTES, OUTPUTS } from './run-file-format.ts';
import type { Run } from './run-set.ts';
import type { PageSink } from './run-target.ts';

const PAGES_AT_ONCE = 64;

/** Puts outputs into the pages of a file, each of which is full but for the last. */
export type OutputPacker = {
  add(outputs: Uint8Array): void;
  finish(): void;
};

/** Begins with the first output of a file. */
export function packOutputs(sink: PageSink): OutputPacker {
  const page = new Uint8Array(Math.floor(sink.room / OUTPUT_ENTRY_BYTES) * OUTPUT_ENTRY_BYTES);
  let used = 0;
  const finish = (): void => {
    if (used > 0) sink.add({ place: 0, next: undefined, entries: page.subarray(0, used), sums: undefined });
    used = 0;
  };
  return {
    add(outputs) {
      for (let at = 0; at < outputs.length; ) {
        const taken = Math.min(outputs.length - at, page.length - used);
        page.set(outputs.subarray(at, at + taken), used);
        used += taken;
        at += taken;
        if (used === page.length) finish();
      }
    },
    finish,
  };
}

/** Copies the outputs of runs, one behind the other, by about so many at once. */
export type OutputCopy = {
  /** @returns whether there is more */
  advance(outputs: number): boolean;
};

/** Begins with the first of the first run. */
export function copyOutputs(sources: readonly Run[], packer: OutputPacker): OutputCopy {
  let run = 0;
  let page = 0;
  return {
    advance(outputs) {
      for (let done = 0; done < outputs; ) {
        const source = sources[run];
        if (!source) {
          packer.finish();
          return false;
        }
        const pages = source.file!.readMany(OUTPUTS, page, PAGES_AT_ONCE);
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
