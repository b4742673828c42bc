import type { Counters } from './instrument.ts';

/** What one input did. */
export type Look = {
  /** Blocks that ran, each as often as it did: the same on every machine. */
  steps: number;
  /** Whether a block ran that never ran before. */
  isNew: boolean;
  /** Whether a block ran more often than ever before, roughly. */
  isMore: boolean;
};

/** What all inputs together came to. */
export type Coverage = {
  /** Takes in what ran since the last call. */
  take(): Look;
  /** Blocks that ran. */
  reached(): number;
};

/** How often, roughly, as one bit of eight. */
function bucketOf(count: number): number {
  if (count <= 3) return 1 << (count - 1);
  if (count < 8) return 8;
  if (count < 16) return 16;
  if (count < 32) return 32;
  return count < 128 ? 64 : 128;
}

/** Begins with nothing reached. */
export function createCoverage({ counts, used }: Counters): Coverage {
  const seen = new Uint8Array(counts.length);
  let reached = 0;
  return {
    take() {
      const look: Look = { steps: 0, isNew: false, isMore: false };
      const end = used();
      for (let i = 0; i < end; i++) {
        const count = counts[i]!;
        if (count === 0) continue;
        counts[i] = 0;
        look.steps += count;
        const bit = bucketOf(count);
        const before = seen[i]!;
        if ((before & bit) !== 0) continue;
        if (before === 0) {
          reached += 1;
          look.isNew = true;
        }
        look.isMore = true;
        seen[i] = before | bit;
      }
      return look;
    },
    reached: () => reached,
  };
}
