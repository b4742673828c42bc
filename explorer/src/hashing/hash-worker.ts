/** Hashes a file piece by piece, away from the page: of a file of any size only a piece is in memory. */

import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { createSha256Stream } from '@coinfront/protocol/sha256-stream.ts';
import type { HashMessage } from './hash-message.ts';

/** Large enough that reading costs little beside hashing, small enough to be nothing in memory. */
const PIECE_BYTES = 1024 * 1024;
const REPORT_MS = 100;

const post = (message: HashMessage) => postMessage(message);

addEventListener('message', ({ data: file }: MessageEvent<File>) => {
  hashFile(file).then(
    (digest) => post({ kind: 'done', digest }),
    (error: Error) => post({ kind: 'failed', reason: error.message }),
  );
});

async function hashFile(file: File): Promise<string> {
  const hasher = createSha256Stream();
  let bytes = 0;
  let reportedAtMs = 0;
  for await (const piece of listPieces(file)) {
    hasher.update(piece);
    bytes += piece.length;
    if (performance.now() - reportedAtMs >= REPORT_MS) {
      reportedAtMs = performance.now();
      post({ kind: 'progress', bytes, isFast: hasher.isFast });
    }
  }
  return bytesToHex(hasher.digest());
}

/** One buffer is read into again and again: a new one for each piece waits long for its collection, and gigabytes pile up. */
async function* listPieces(file: File): AsyncGenerator<Uint8Array> {
  const reader = openByteReader(file);
  if (reader === undefined) {
    for (let start = 0; start < file.size; start += PIECE_BYTES) {
      yield new Uint8Array(await file.slice(start, start + PIECE_BYTES).arrayBuffer());
    }
    return;
  }
  let buffer = new ArrayBuffer(PIECE_BYTES);
  for (;;) {
    const { done, value } = await reader.read(new Uint8Array(buffer));
    if (done) return;
    yield value;
    buffer = value.buffer;
  }
}

/** Undefined in browsers whose files are no byte streams. */
function openByteReader(file: File): ReadableStreamBYOBReader | undefined {
  try {
    return file.stream().getReader({ mode: 'byob' });
  } catch {
    return undefined;
  }
}
