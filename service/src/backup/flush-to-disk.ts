import { open } from 'node:fs/promises';

/** Waits until a file, or the names in a folder, stay also where the machine stops. */
export async function flushToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
