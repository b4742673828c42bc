import type { Client } from '../client/client.ts';
import type { AnchorDigestResult } from '../proofs/anchor-digest.ts';
import { anchorDigest } from '../proofs/anchor-digest.ts';
import { type FileSource, type HashOptions, hashFile } from './hash-file.ts';

/**
 * Anchors a file through a service: reads it as a stream, and sends its digest and nothing else. Where the service has
 * no wallet of its own, or none left for today, the result is `script`: then use {@link planAnchor} with own coins.
 *
 * @example
 * const { sha256, result } = await anchorFile(client, file, { onProgress: (bytes) => show(bytes) });
 */
export async function anchorFile(
  client: Client,
  source: FileSource,
  options: HashOptions = {},
): Promise<AnchorDigestResult> {
  const sha256 = await hashFile(source, options);
  return anchorDigest(client, { sha256 }, options.signal === undefined ? {} : { signal: options.signal });
}
