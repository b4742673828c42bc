import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { Config } from '../config.ts';
import { lookAt } from '../db/look-at.ts';
import { identifyIndex } from '../indexer/identity.ts';
import { findNewerIndex, IDENTITY_QUERY } from '../indexer/index-version.ts';
import { listIndexerParts } from '../indexer-parts.ts';
import { locateIndex } from './locate-index.ts';
import { refuseToStart } from './wired.ts';

/** Ends the start where the index was made by a newer version, before anything works on it. A database that is away is looked at later. */
export async function refuseNewerAtStart(config: Config, profile: CoinProfile): Promise<void> {
  const found = await lookAt(locateIndex(config), 'public', (rows) => rows(IDENTITY_QUERY)).catch(
    () => undefined,
  );
  const identity = found?.[0]?.value;
  if (typeof identity !== 'string') return;
  const newer = findNewerIndex(identity, identifyIndex(profile.genesisHash, listIndexerParts(profile)));
  if (newer !== undefined) refuseToStart([newer]);
}
