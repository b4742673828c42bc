import type { Terminal } from './context.ts';

/** A line that tells how far long work is. */
export type Progress = {
  show(text: string): void;
  /** Takes the line away. */
  end(): void;
};

/** Shows progress where somebody watches, and nothing elsewhere. */
export function createProgress({ isWatched, note }: Terminal): Progress {
  let width = 0;
  return {
    show(text) {
      if (!isWatched) return;
      note(`\r${text.padEnd(width)}`);
      width = text.length;
    },
    end() {
      if (width > 0) note(`\r${' '.repeat(width)}\r`);
      width = 0;
    },
  };
}
