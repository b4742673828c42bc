import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { createReadChain } from '../chain/read-chain.ts';
import { createClientNames } from '../clients/client-names.ts';
import type { Config } from '../config.ts';
import { adviseOnIndex, watchDamage } from '../db/damage.ts';
import { openDatabase } from '../db/open.ts';
import { openPrecious } from '../db/precious.ts';
import { identifyIndex } from '../indexer/identity.ts';
import { listIndexerParts } from '../indexer-parts.ts';
import { preciousMigrations } from '../migrations.ts';
import { locateIndex, locatePrecious } from './locate-index.ts';
import { refuseToStart } from './wired.ts';

/** The two databases, and the view of the chain that all parts read. */
export type Storage = Awaited<ReturnType<typeof openStorage>>;

/** Opens the index for reading and the precious data, which are brought up to date. */
export async function openStorage(config: Config, profile: CoinProfile) {
  const location = locateIndex(config);
  const index = await openDatabase(location).catch((error: Error) =>
    refuseToStart([`The database cannot be opened: ${error.message}`]),
  );
  const { database, isDamaged } = watchDamage(index, adviseOnIndex(location));
  const precious = await openPrecious(locatePrecious(config), preciousMigrations).catch((error: Error) =>
    refuseToStart([error.message]),
  );
  return {
    engine: index.engine,
    /** Sends a message to the indexer, in whatever process it is; undefined where that is this one or nobody. */
    notify: index.notify,
    precious,
    nameClient: createClientNames(precious),
    readChain: createReadChain(database, {
      identity: identifyIndex(profile.genesisHash, listIndexerParts(profile)),
    }),
    /** Whether a read of the index has met damage. */
    isIndexDamaged: isDamaged,
    close: () => Promise.all([index.close(), precious.close()]),
  };
}
