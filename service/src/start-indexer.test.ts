import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FollowReport } from './indexer/follow/follow.ts';
import { type Indexer, type IndexerSettings, startIndexer } from './start-indexer.ts';

/** Nothing listens there. */
const noNode = 'http://u:p@127.0.0.1:1';

let folder: string;
let indexer: Indexer | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinfront-indexer-'));
});
afterEach(async () => {
  await indexer?.stop();
  await rm(folder, { recursive: true });
});

function describe(dataDir: string, nodeUrl: string): IndexerSettings {
  return {
    nodeUrl,
    cookieFile: undefined,
    database: { kind: 'sqlite', file: join(dataDir, 'chain.db') },
    profile: getShippedProfile('regtest'),
    horizonBlocks: 10,
    cacheMb: 16,
  };
}

/** Starts the indexer, and hands out what it tells as promises. */
function start(dataDir: string, nodeUrl: string) {
  const crashes: Error[] = [];
  const firstCrash = Promise.withResolvers<FollowReport | undefined>();
  const secondCrash = Promise.withResolvers<void>();
  const change = Promise.withResolvers<FollowReport>();
  indexer = startIndexer(describe(dataDir, nodeUrl), {
    onCrash(error) {
      crashes.push(error);
      // What is reported is set right after the call.
      queueMicrotask(() => firstCrash.resolve(indexer?.findReport()));
      if (crashes.length === 2) secondCrash.resolve();
    },
    onChange: change.resolve,
  });
  return {
    crashes,
    firstCrash: firstCrash.promise,
    secondCrash: secondCrash.promise,
    change: change.promise,
  };
}

test('a thread that crashes is reported as failed, and started anew until it runs', async () => {
  const blocked = join(folder, 'data');
  await writeFile(blocked, 'a file where a folder should be');
  const { crashes, firstCrash, change } = start(blocked, noNode);
  expect(await firstCrash).toMatchObject({ state: { kind: 'failed' }, mempoolComplete: false });
  expect(crashes[0]?.message).toMatch(/EEXIST|ENOTDIR/);
  await rm(blocked);
  expect(await change).toMatchObject({ state: { kind: 'starting' }, height: -1 });
});

test('a thread that crashes while it is the only writer gives the lock back', async () => {
  // The client of the node is made once the lock is held, and refuses such an address.
  const { crashes, secondCrash } = start(folder, 'nonsense');
  await secondCrash;
  expect(crashes.map(({ message }) => message)).toEqual(Array(2).fill(expect.stringMatching(/node URL/)));
});

test('stopping ends a thread that waits for another writer, without a crash', async () => {
  const { change } = start(folder, noNode);
  await change;
  const first = indexer!;
  const standby = Promise.withResolvers<void>();
  const crashes: Error[] = [];
  const second = startIndexer(describe(folder, noNode), {
    onCrash: (error) => crashes.push(error),
    onStandby: standby.resolve,
  });
  await standby.promise;
  expect(second.findReport()).toBeUndefined();
  await second.stop();
  expect(crashes).toEqual([]);
  expect(first.findReport()).toBeDefined();
});
