import { GENESIS_TIME } from './genesis.ts';
import { writeUint32 } from './write-bytes.ts';

/** Bytes of every header of the bench. */
export const HEADER_BYTES = 80;

const VERSION = 0x20000000;
const REGTEST_BITS = 0x207fffff;
const BLOCK_INTERVAL_S = 150;

/** Writes a header at `at`; nobody mines it, the service leaves work to the node. Hashes are in internal byte order. */
export function writeHeader(
  target: Uint8Array,
  at: number,
  { previous, root, height }: { previous: Uint8Array; root: Uint8Array; height: number },
): void {
  writeUint32(target, at, VERSION);
  target.set(previous, at + 4);
  target.set(root, at + 36);
  writeUint32(target, at + 68, GENESIS_TIME + height * BLOCK_INTERVAL_S);
  writeUint32(target, at + 72, REGTEST_BITS);
  writeUint32(target, at + 76, 0);
}
