/** Sixteen pages of transactions or so. */
const SLAB_BYTES = 64 * 1_024;

/**
 * Gives room for pages of files that are read one after another, out of slabs: memory outside the heap for each page by itself took as long as
 * reading the page. Whoever keeps some bytes of a page for longer than an answer takes copies them, or the whole slab stays.
 */
export function createPageRoom(): (bytes: number) => Uint8Array {
  let slab = allocate(SLAB_BYTES);
  let used = 0;
  return (bytes) => {
    if (bytes > SLAB_BYTES / 8) return allocate(bytes);
    if (used + bytes > SLAB_BYTES) {
      slab = allocate(SLAB_BYTES);
      used = 0;
    }
    const room = slab.subarray(used, used + bytes);
    used += bytes;
    return room;
  };
}

/** Memory with whatever was in it. Not as a Buffer, of which `slice` is a view that holds all of it. */
function allocate(bytes: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer);
}
