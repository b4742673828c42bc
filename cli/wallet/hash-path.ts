import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { hashFile } from '@coinfront/sdk/wallet/hash-file.ts';
import { misuse } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { createProgress } from '../shell/progress.ts';

/**
 * The SHA-256 of a file, read piece by piece here; or a digest that was given in its place.
 *
 * @returns hex
 * @throws CliError `misused`
 */
export async function readDigest({ terminal, signal }: Context, path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    if (/^[0-9a-fA-F]{64}$/.test(path)) return path.toLowerCase();
    throw misuse(`"${path}" is neither a file nor a SHA-256 digest.`);
  }
  if (found.isDirectory()) throw misuse(`"${path}" is a folder: anchor an archive of it.`);
  const progress = createProgress(terminal);
  try {
    return await hashFile(createReadStream(path), {
      signal,
      onProgress: (bytes) =>
        progress.show(`${Math.floor((100 * bytes) / Math.max(found.size, 1))}% hashed …`),
    });
  } finally {
    progress.end();
  }
}
