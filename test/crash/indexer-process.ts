import regtest from '@coinfront/protocol/profiles/regtest.json' with { type: 'json' };
import { startBlockFeed } from '../../service/src/indexer/feed/block-feed.ts';
import { followNode } from '../../service/src/indexer/follow/follow.ts';
import { createNodeClient } from '../../service/src/node/rpc-client.ts';
import type { DatabaseLocation } from '../harness/engines.ts';
import { openTestIndexer, TEST_HORIZON, TEST_LIMITS, toServiceLocation } from '../harness/test-indexer.ts';

/**
 * The indexer as a process of its own that commits every few transactions, so that there are many moments at which it
 * can be killed. Prints the height after each report of its follower, and `ready` at the tip.
 */

/** What it is started with, as JSON. */
export type IndexerProcessOptions = {
  nodeUrl: string;
  database: DatabaseLocation;
  batchTxs: number;
  /** So many bytes are added to the indexes before a commit; 0 commits each batch. */
  freshBytes: number;
};

// Without options it only compiles what it is made of, for the cache of the runtime.
if (process.argv[2] === undefined) process.exit();
const { nodeUrl, database, batchTxs, freshBytes } = JSON.parse(process.argv[2]) as IndexerProcessOptions;
const indexer = await openTestIndexer(database, { limits: { ...TEST_LIMITS, freshBytes } });
await followNode({
  node: createNodeClient({ url: nodeUrl }),
  reader: indexer.writer,
  feed: startBlockFeed({
    nodeUrl,
    cookieFile: undefined,
    auxpow: regtest.auxpow,
    database: toServiceLocation(database),
  }),
  index: indexer.index,
  mempool: indexer.mempool,
  rules: { genesisHash: regtest.genesis_hash, horizonBlocks: TEST_HORIZON },
  batch: { bytes: Number.POSITIVE_INFINITY, txs: batchTxs },
  onReport: ({ state, height }) => console.log(state.kind, height),
  signal: new AbortController().signal,
});
