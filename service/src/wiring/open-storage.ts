import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { Logger } from 'pino';
import type { ReadChain } from '../chain/chain-view.ts';
import { createReadChain } from '../chain/read-chain.ts';
import { createClientNames } from '../clients/client-names.ts';
import type { Config } from '../config.ts';
import { adviseOnIndex, watchDamage } from '../db/damage.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open.ts';
import { openReplicated } from '../db/postgres-replicas.ts';
import { openPrecious } from '../db/precious.ts';
import type { ReplicaState } from '../db/replica-watch.ts';
import { identifyIndex } from '../indexer/identity.ts';
import { GET_REVISION } from '../indexer/revision.ts';
import { listIndexerParts } from '../indexer-parts.ts';
import { preciousMigrations } from '../migrations.ts';
import type { Indexer } from '../start-indexer.ts';
import { locateIndex, locatePrecious } from './locate-index.ts';
import { refuseToStart } from './wired.ts';

/** The two databases, and the view of the chain that all parts read. */
export type Storage = Awaited<ReturnType<typeof openStorage>>;

async function openIndex(
  config: Config,
  logger: Logger,
): Promise<{ database: Database; listReplicas?: () => ReadonlyMap<string, ReplicaState> }> {
  const { databaseReadUrl, roles } = config;
  const location = locateIndex(config);
  if (location.kind !== 'postgres' || databaseReadUrl === undefined || !roles.has('api'))
    return { database: await openDatabase(location) };
  const { database, listStates } = await openReplicated(location.url, databaseReadUrl, {
    position: GET_REVISION,
    // Processes that are started together have different ones, mostly.
    first: process.pid,
    onChange(replica, problem) {
      if (problem === undefined) logger.info({ replica }, 'The replica is read from again.');
      else logger.warn({ replica, problem }, 'The replica is not read from for now.');
    },
  });
  return { database, listReplicas: listStates };
}

/** The same view of the chain, read from the primary. */
function createPrimaryReads(readChain: ReadChain): ReadChain {
  const read: ReadChain = (work, options) => readChain(work, { ...options, fromPrimary: true });
  return readChain.peek ? Object.assign(read, { peek: readChain.peek }) : read;
}

/** Opens the index for reading and the precious data, which are brought up to date. */
export async function openStorage(
  config: Config,
  profile: CoinProfile,
  logger: Logger,
  indexer: Pick<Indexer, 'findRevision'> | undefined,
) {
  const location = locateIndex(config);
  const { database: index, listReplicas } = await openIndex(config, logger).catch((error: Error) =>
    refuseToStart([`The database cannot be opened: ${error.message}`]),
  );
  const { database, isDamaged } = watchDamage(index, adviseOnIndex(location));
  const precious = await openPrecious(locatePrecious(config), preciousMigrations).catch((error: Error) =>
    refuseToStart([error.message]),
  );
  const readChain = createReadChain(database, {
    identity: identifyIndex(profile.genesisHash, listIndexerParts(profile)),
    findRevision: () => indexer?.findRevision(),
  });
  return {
    engine: index.engine,
    /** Sends a message to the indexer, in whatever process it is; undefined where that is this one or nobody. */
    notify: index.notify,
    precious,
    nameClient: createClientNames(precious),
    /** For answers; from a replica where there are some. */
    readChain,
    /** For what goes on from what was just written, and for jobs: never from a replica. */
    readPrimary: listReplicas ? createPrimaryReads(readChain) : readChain,
    /** What the connections to PostgreSQL are doing, by pool; on SQLite there are none. */
    listPools: () => new Map([...(index.listPools?.() ?? []), ...(precious.listPools?.() ?? [])]),
    /** How the replicas are, where there are some. */
    listReplicas,
    /** Whether a read of the index has met damage. */
    isIndexDamaged: isDamaged,
    close: () => Promise.all([index.close(), precious.close()]),
  };
}
