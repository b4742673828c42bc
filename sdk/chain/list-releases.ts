import type { ReleaseListJson } from '@coinfront/api/chain-releases.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type ListReleasesResult = ReleaseListJson;
export type ListReleasesError = CoinfrontError<CallErrorCode>;

/**
 * Software releases with checksums.
 *
 * The operator's manifest. Check the SHA-256 of what you download against it.
 *
 * @throws {ListReleasesError}
 * @example
 * const releases = await listReleases(client);
 */
export function listReleases(client: Client, options?: CallOptions): Promise<ListReleasesResult> {
  return client.request({ method: 'GET', path: '/api/v1/releases' }, options);
}
