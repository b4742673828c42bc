/** Sixteen pages of transactions or so. */
const SLAB_BYTES = 64 * 1_024;

/**
 * Gives room for pages of files that are read one after another, out of slabs: memory outside the heap for each page by itself took as long as
 * reading the page. Whoever keeps some bytes of a page for longer than an answer takes copies them, or the whole slab stays.
 */
export function createPageRoom(): (bytes: number) => Uint8Array {
  let slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  let used = 0;
  return (bytes) => {
    if (bytes > SLAB_BYTES / 8) return Buffer.allocUnsafeSlow(bytes);
    if (used + bytes > SLAB_BYTES) {
      slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      used = 0;
    }
    const room = slab.subarray(used, used + bytes);
    used += bytes;
    return room;
  };
}
