/** Takes pieces out of an input, large ones first, as long as what is left still shows the same. */
export async function shrink(
  input: Uint8Array,
  shows: (candidate: Uint8Array) => Promise<boolean>,
): Promise<Uint8Array> {
  let best = input;
  let tries = 2_000;
  for (let size = Math.max(1, best.length >> 1); size >= 1; size >>= 1) {
    for (let at = 0; at < best.length && tries > 0; tries--) {
      const candidate = Uint8Array.from([...best.subarray(0, at), ...best.subarray(at + size)]);
      if (await shows(candidate)) best = candidate;
      else at += size;
    }
  }
  return best;
}
