import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { HttpServer } from '../http/server.ts';
import type { createSnapshotNamer } from '../http/snapshot.ts';
import type { Indexer } from '../start-indexer.ts';
import type { Storage } from './open-storage.ts';
import type { WatchedNode } from './watch-node.ts';

/** What every part stands on. */
export type Ground = {
  readonly config: Config;
  readonly profile: CoinProfile;
  readonly logger: Logger;
  readonly node: WatchedNode;
  readonly indexer: Indexer | undefined;
  readonly storage: Storage;
  readonly server: HttpServer;
  /** Whether the explorer was built, so that there are pages to link to. */
  readonly hasExplorer: boolean;
  readonly nameSnapshot: ReturnType<typeof createSnapshotNamer>;
};

/** A listener for errors of work in the background: it is tried again by itself. */
export function logFailure({ logger }: Pick<Ground, 'logger'>, what: string): (error: unknown) => void {
  return (error) => logger.error({ err: error }, `${what}; it is tried again.`);
}
