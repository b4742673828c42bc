import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** A file as it was found. */
export type FileContent = { text: string; changedAtMs: number };

/**
 * Creates a reader of a file that others change: it gives the content when it is another than the last time, and
 * undefined when it is the same.
 *
 * @throws Error from the reader, also when it finds the same fault again
 */
export function watchFile(path: string, maxBytes: number): () => Promise<FileContent | undefined> {
  let seen = '';
  return async () => {
    // Not to wait for a writer where somebody made a pipe of it.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error) => {
      seen = '';
      throw new Error(`it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
    });
    try {
      const facts = await handle.stat();
      const stamp = `${facts.size} ${facts.mtimeMs} ${facts.ino}`;
      if (stamp === seen) return undefined;
      if (!facts.isFile()) throw new Error('it is not a regular file');
      if (facts.size > maxBytes) throw new Error(`it has ${facts.size} bytes, ${maxBytes} are accepted`);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(facts.size), 0, facts.size, 0);
      seen = stamp;
      return { text: buffer.toString('utf8', 0, bytesRead), changedAtMs: Math.floor(facts.mtimeMs) };
    } finally {
      await handle.close();
    }
  };
}
