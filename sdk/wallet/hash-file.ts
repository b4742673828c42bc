import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@noble/hashes/sha2.js';

/** Bytes from wherever: a `File` or `Blob`, a web stream, Node's streams, or bytes at hand. */
export type FileSource = Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Uint8Array;

export type HashOptions = {
  signal?: AbortSignal;
  /** Is told how many bytes were read so far. */
  onProgress?: (bytes: number) => void;
};

/**
 * SHA-256 of a file, read as a stream: of a file of any size only a piece at a time is in memory. Nothing but the digest
 * is ever sent anywhere.
 *
 * @returns hex, as sha256sum prints it
 * @example
 * const digest = await hashFile(input.files[0]);
 * const digest = await hashFile(createReadStream('contract.pdf'));
 */
export async function hashFile(
  source: FileSource,
  { signal, onProgress }: HashOptions = {},
): Promise<string> {
  signal?.throwIfAborted();
  const hash = sha256.create();
  let bytes = 0;
  for await (const piece of listPieces(source)) {
    signal?.throwIfAborted();
    hash.update(piece);
    bytes += piece.length;
    onProgress?.(bytes);
  }
  return bytesToHex(hash.digest());
}

async function* listPieces(source: FileSource): AsyncGenerator<Uint8Array> {
  if (source instanceof Uint8Array) {
    yield source;
  } else if ('getReader' in source || 'stream' in source) {
    // Safari's streams are not async iterable.
    const reader = ('stream' in source ? source.stream() : source).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  } else {
    yield* source;
  }
}
