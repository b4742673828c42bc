import { parentPort, workerData } from 'node:worker_threads';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { DatabaseLocation, Writer } from './db/database.ts';
import { openDatabase } from './db/open.ts';
import { startBlockFeed } from './indexer/feed/block-feed.ts';
import type { ForeseenPrevouts } from './indexer/feed/foreseen-prevouts.ts';
import { type FollowReport, followNode } from './indexer/follow/follow.ts';
import { identifyIndex } from './indexer/identity.ts';
import { SENT_CHANNEL } from './indexer/mempool/sent-txs.ts';
import { openIndex } from './indexer/open-index.ts';
import { type LeaseMemory, openRevisionLease } from './indexer/revision-lease.ts';
import { listIndexerParts } from './indexer-parts.ts';
import { createNodeClient } from './node/rpc-client.ts';

/** What the indexer's thread is given at its start. */
export type IndexerThreadData = {
  nodeUrl: string;
  cookieFile: string | undefined;
  database: DatabaseLocation;
  profile: CoinProfile;
  horizonBlocks: number;
  cacheMb: number;
  /** Where other threads are told what the index has. */
  lease: LeaseMemory;
};

/**
 * From the indexer's thread. `standing_by`: another process indexes, and this one takes over when that ends. `distrust`: what the node
 * says of spent outputs is not believed any more.
 */
export type IndexerMessage =
  | { kind: 'report'; report: FollowReport }
  | { kind: 'standing_by' }
  | { kind: 'distrust'; reason: string };

/** To the indexer's thread. `renew`: somebody reads the lease; `sent`: display txid of what the node has just taken from a client. */
export type IndexerRequest = 'stop' | 'renew' | { sent: string };

const { nodeUrl, cookieFile, database, profile, horizonBlocks, cacheMb, lease } =
  workerData as IndexerThreadData;
/** The composition root of the indexer's thread. */
const parts = listIndexerParts(profile);
const port = parentPort!;
const stopping = new AbortController();
let nameSent = (_txid: string): void => {};
let renew = (): void => {};
port.on('message', (request: IndexerRequest) => {
  if (request === 'stop') stopping.abort();
  else if (request === 'renew') renew();
  else nameSent(request.sent);
});

const db = await openDatabase(database);
const writer = await waitForWriter();
if (writer) {
  await followWith(writer);
  await writer.close();
}
await db.close();
port.close();

/** Waits until this is the only writer; undefined when it is stopped before. */
async function waitForWriter(): Promise<Writer | undefined> {
  try {
    const onWait = () => post({ kind: 'standing_by' });
    return await db.openWriter({ signal: stopping.signal, cacheMb, onWait });
  } catch (error) {
    if (stopping.signal.aborted) return undefined;
    throw error;
  }
}

async function followWith(held: Writer): Promise<void> {
  const identity = identifyIndex(profile.genesisHash, parts);
  const { checkSession } = held;
  // Where reads cost no round trip nobody asks.
  const leased = checkSession && openRevisionLease(lease, { ...held, checkSession });
  const writer = leased?.writer ?? held;
  let foresee = (_prevouts: ForeseenPrevouts): void => {};
  const { index, mempool } = await openIndex({
    writer,
    engine: db.engine,
    parts,
    identity,
    horizonBlocks,
    ...(leased && { announce: leased.announce }),
    foresee: (prevouts) => foresee(prevouts),
  });
  if (leased) {
    await leased.begin();
    renew = () => void leased.renew();
  }

  // Other processes name by the database what they sent.
  await writer.listen?.(SENT_CHANNEL, (txids) => {
    for (const txid of txids.split(',')) nameSent(txid);
  });
  const node = createNodeClient({ url: nodeUrl, cookieFile });
  const feed = startBlockFeed({ nodeUrl, cookieFile, auxpow: profile.auxpow, database }, (reason) =>
    post({ kind: 'distrust', reason }),
  );
  foresee = feed.foresee;
  // A node that does not answer must not hold up the end.
  stopping.signal.addEventListener('abort', () => void Promise.all([node.close(), feed.close()]));
  await followNode({
    node,
    reader: writer,
    feed,
    index,
    mempool,
    rules: { genesisHash: profile.genesisHash, horizonBlocks },
    onReport: (report) => post({ kind: 'report', report }),
    onBegin: (name) => {
      nameSent = name;
    },
    signal: stopping.signal,
  });
  await Promise.all([node.close(), feed.close()]);
}

function post(message: IndexerMessage): void {
  port.postMessage(message);
}
