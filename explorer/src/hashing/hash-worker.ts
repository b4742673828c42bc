/** Hashes a file piece by piece, away from the page: of a file of any size only a piece is in memory. */

import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@noble/hashes/sha2.js';
import type { HashMessage } from './hash-message.ts';

/** Large enough that reading costs little beside hashing, small enough to be nothing in memory. */
const PIECE_BYTES = 4 * 1024 * 1024;
const REPORT_MS = 100;

const post = (message: HashMessage) => postMessage(message);

addEventListener('message', ({ data: file }: MessageEvent<File>) => {
  hashFile(file).then(
    (digest) => post({ kind: 'done', digest }),
    (error: Error) => post({ kind: 'failed', reason: error.message }),
  );
});

async function hashFile(file: File): Promise<string> {
  const hasher = sha256.create();
  let reportedAtMs = 0;
  for (let start = 0; start < file.size; start += PIECE_BYTES) {
    hasher.update(new Uint8Array(await file.slice(start, start + PIECE_BYTES).arrayBuffer()));
    if (performance.now() - reportedAtMs >= REPORT_MS) {
      reportedAtMs = performance.now();
      post({ kind: 'progress', bytes: Math.min(start + PIECE_BYTES, file.size) });
    }
  }
  return bytesToHex(hasher.digest());
}
