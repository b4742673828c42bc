/** Entry bundles (C2SP `tlog-tiles`): entries one after the other, each with its length before it. */

import { concatBytes } from '../bytes.ts';
import { fail, ok, type Result } from '../result.ts';

/** Bytes of an entry at most. */
export const MAX_ENTRY_BYTES = 65_535;
const LENGTH_BYTES = 2;

/** @throws RangeError when an entry is too long */
export function writeEntryBundle(entries: readonly Uint8Array[]): Uint8Array {
  return concatBytes(
    ...entries.flatMap((entry) => {
      if (entry.length > MAX_ENTRY_BYTES) throw new RangeError(`an entry of ${entry.length} bytes`);
      return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry];
    }),
  );
}

/** The entries of a bundle; they are not checked. */
export function readEntryBundle(bytes: Uint8Array): Result<Uint8Array[]> {
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at + LENGTH_BYTES;
    const end = start + ((bytes[at]! << 8) | (bytes[at + 1] ?? 0));
    if (start > bytes.length || end > bytes.length) return fail('an entry is cut off');
    entries.push(bytes.subarray(start, end));
    at = end;
  }
  return ok(entries);
}
