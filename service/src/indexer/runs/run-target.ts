import type { RunFilter } from './run-filter.ts';
import type { RunKind } from './run-kinds.ts';
import { PAGE_BYTES, type Sums } from './run-page.ts';

/** A page of a run as it is built. */
export type BuiltPage = {
  /** Where its first entry lies among all that a run may have: see {@link RunKind.locate}; of the first page 0. */
  readonly place: number;
  /** That of the page behind it; undefined for the last one. */
  readonly next: number | undefined;
  /** Valid during the call that hands it over. */
  readonly entries: Uint8Array;
  /** What lies before it of the script that its first entry belongs to. */
  readonly sums: Sums | undefined;
};

/** Takes the pages of one kind, in their order. */
export type PageSink = {
  /** Bytes of entries that a page has room for. */
  readonly room: number;
  add(page: BuiltPage): void;
};

/** Where the pages of a run go while it is built: kind after kind, in the order of `runKinds`. */
export type RunTarget = {
  begin(kind: RunKind): PageSink;
  /** Ends the kind that was begun last. */
  end(filter: RunFilter | undefined): void;
  /** Writes what waits to be written, so that memory stays bounded. */
  drain(): Promise<void>;
};

/** Takes pages and keeps nothing. */
export const nowhere: RunTarget = {
  begin: () => ({ room: PAGE_BYTES, add() {} }),
  end() {},
  async drain() {},
};
