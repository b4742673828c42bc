import type { DiskPace } from './disk-pace.ts';

/** So many are brought to memory at once: the disk is asked for as much as it can do at a time, and little is gone again before it is read. */
const SLICE = 512;

/**
 * Reads one item after another; where the disk is slow, those of a slice are brought to memory all at once before.
 *
 * @param touch brings to memory what reading the item takes, or most of it
 * @param read waits for nothing but the disk
 */
export async function readInSlices<T>(
  pace: DiskPace | undefined,
  items: readonly T[],
  touch: (item: T) => Promise<void>,
  read: (item: T) => void,
): Promise<void> {
  for (let first = 0; first < items.length; first += SLICE) {
    const slice = items.slice(first, first + SLICE);
    if (!pace?.isSlow) {
      for (const item of slice) read(item);
      continue;
    }
    const touched = new Set(slice.filter(() => !pace.takesSample()));
    await Promise.all(Array.from(touched, touch));
    for (const item of slice) {
      if (touched.has(item)) pace.untimed(() => read(item));
      else read(item);
    }
  }
}
