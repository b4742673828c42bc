import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../scripts/traffic/random.ts';
import { createReadChain } from '../../service/src/chain/read-chain.ts';
import { openDatabase } from '../../service/src/db/open.ts';
import { hasTables } from '../../service/src/db/tables.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { howMany } from '../harness/how-many.ts';
import { auditIndex } from '../harness/index-audit.ts';
import { compareDumps, dumpIndex } from '../harness/index-dump.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { prepareOpenNode } from '../harness/open-node.ts';
import { createOpenTraffic, type OpenTraffic } from '../harness/open-traffic.ts';
import { startService, type TestService } from '../harness/service.ts';
import { mineSigned } from '../harness/signed-blocks.ts';
import { createSigner, fundSigners, type Signer } from '../harness/signing-wallet.ts';
import { catchUp, openTestIndexer, toServiceLocation } from '../harness/test-indexer.ts';
import { auditTip } from '../harness/tip-audit.ts';
import { connectToLedger, playLedger, profile, signRandomOf } from '../tokens/token-traffic.ts';
import type { IndexerProcessOptions } from './indexer-process.ts';

const seed = Math.floor(Math.random() * 2 ** 32);
const random = createRandom(seed);

const INDEXER = join(import.meta.dirname, 'indexer-process.ts');
const BLOCKS = 120;
const TOKEN_BLOCKS = 30;
const TXS_PER_BLOCK = 25;
const EARLY_KILLS = howMany(4, 8);
const TOTALS = {
  sqlite: { indexer: howMany(12, 25), service: howMany(3, 5) },
  postgres: { indexer: howMany(8, 16), service: howMany(2, 4) },
};

let node: TestNode;
/** Where the runtime keeps compiled modules, which makes half the time of a start. */
let compiled: string;
let traffic: OpenTraffic;
let signers: Signer[];
/** Blocks of the best chain that the traffic mined. */
let hashes: string[];
/** Those of them that carry token operations and nothing else. */
const tokenBlocks = new Set<string>();

beforeAll(async () => {
  // A killed process leaves its long poll behind, which holds one of the node's threads to its end.
  node = await startNode({ extraArgs: ['-rpcthreads=100', '-checkblockindex=0'] });
  signers = Array.from({ length: TXS_PER_BLOCK }, (_, i) => createSigner(`killed ${i}`, profile));
  await node.mine(120);
  await fundSigners(node, signers, 20);
  const chain = await prepareOpenNode(node);
  traffic = createOpenTraffic(chain, random, await chain.makeCoins(200));
  compiled = await mkdtemp(join(tmpdir(), 'coinfront-compiled-'));
  await once(spawn(process.execPath, [INDEXER], { env: { NODE_COMPILE_CACHE: compiled } }), 'exit');
  hashes = [];
  for (let i = 0; i < BLOCKS - TOKEN_BLOCKS; i++) hashes.push(await traffic.mineBlock(TXS_PER_BLOCK));
  await mineTokens();
});
afterAll(async () => {
  await node?.stop();
  if (compiled) await rm(compiled, { recursive: true });
});

/**
 * The last blocks of the first branch are full of token operations, valid and not: syncs are killed while they connect
 * them, and reorgs while they undo them.
 */
async function mineTokens(): Promise<void> {
  const { ledger } = playLedger([]);
  for (let i = 0; i < TOKEN_BLOCKS; i++) {
    const signed = signers.map((signer) => {
      const known = ledger.listTokens();
      const kind =
        known.length < 3 ? 'create' : random.pick(['mint', 'transfer', 'transfer', 'burn'] as const);
      return signRandomOf(
        random,
        kind,
        signer,
        signers,
        known.length < 3 ? undefined : random.pick(known).tokenId,
      );
    });
    const block = await mineSigned(node, signed);
    connectToLedger(ledger, block);
    hashes.push(toDisplayHash(block.hash));
    tokenBlocks.add(toDisplayHash(block.hash));
  }
  expect(ledger.listBalances().length).toBeGreaterThan(3);
}

forEachEngine(`the index after kill -9 (seed ${seed})`, (engine) => {
  test('at many moments of a sync and of reorgs is that of a fresh sync, and each time in order', {
    timeout: 400_000,
  }, async () => {
    const location = await engine.openUrl();
    const { indexer, service } = TOTALS[engine.kind];
    const kills = [...Array(indexer).fill(killIndexer), ...Array(service).fill(killService)];
    // The service would be done with the first sync in one commit.
    const order = [...kills.slice(0, EARLY_KILLS), ...shuffle(kills.slice(EARLY_KILLS))];
    for (const [i, kill] of order.entries()) {
      // When there is nothing left to do, there is another branch to follow.
      if (await isAtTip(location)) await makeReorg();
      await kill(location);
      expect(await auditAfterKill(location), `after kill ${i + 1}, seed ${seed}`).toEqual([]);
    }
    const survivor = await openTestIndexer(location);
    onTestFinished(() => survivor.close());
    await catchUp(node.client, survivor);
    const fresh = await openTestIndexer(await engine.openUrl());
    onTestFinished(() => fresh.close());
    await catchUp(node.client, fresh);
    expect(
      compareDumps(await dumpIndex(survivor.database), await dumpIndex(fresh.database)),
      `seed ${seed}`,
    ).toEqual([]);
    expect(await auditIndex(survivor.database)).toEqual([]);
  });
});

/** Runs the indexer in small batches, and kills it some batches and milliseconds after its start, or while it starts. */
async function killIndexer(database: DatabaseLocation): Promise<void> {
  const options: IndexerProcessOptions = {
    nodeUrl: node.url,
    database,
    batchTxs: random.integer(10, 100),
    freshBytes: random.pick([0, 0, 30_000, 300_000]),
  };
  const child = spawn(process.execPath, [INDEXER, JSON.stringify(options)], {
    env: { NODE_COMPILE_CACHE: compiled },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  if (random.integer(1, 6) === 1) await delay(random.integer(0, 500));
  else {
    const reports = random.integer(1, 8);
    let seen = 0;
    for await (const line of createInterface(child.stdout)) {
      if (++seen >= reports || line.startsWith('ready')) break;
    }
    await delay(random.integer(0, 20));
  }
  expect(child.exitCode, 'it ended by itself').toBeNull();
  child.kill('SIGKILL');
  await exited;
  process.off('exit', killAtExit);
}

/** Runs the service itself, which has to serve one whole chain until it is killed. */
async function killService(database: DatabaseLocation): Promise<void> {
  const service = await startService({ nodeUrl: node.url, database, waitFor: 'answer' });
  await expectLinkedBlocks(service);
  if (random.integer(1, 2) === 1) await service.waitForTip();
  await delay(random.integer(0, 50));
  await expectLinkedBlocks(service);
  expect(service.isRunning(), service.printed()).toBe(true);
  await service.kill();
}

async function expectLinkedBlocks({ get }: TestService): Promise<void> {
  const list = await get('/api/v1/blocks?limit=100');
  // Until the first commit there is nothing to serve.
  if (list.status === 503) return;
  expect(list.status).toBe(200);
  const blocks: { height: number; hash: string }[] = list.json.items;
  const height = Number(list.headers.get('x-chain-height'));
  expect(blocks[0]!.hash).toBe(list.headers.get('x-chain-tip'));
  expect(blocks.map((block) => block.height)).toEqual(blocks.map((_, i) => height - i));
  for (const [i, { hash, height: heightOfBlock }] of blocks.entries()) {
    const header = await node.rpc<{ height: number; previousblockhash?: string }>('getblockheader', hash);
    expect(header.height).toBe(heightOfBlock);
    if (i + 1 < blocks.length) expect(header.previousblockhash).toBe(blocks[i + 1]!.hash);
  }
}

/** What is there between a kill and the next start. */
async function auditAfterKill(location: DatabaseLocation): Promise<string[]> {
  const database = await openDatabase(toServiceLocation(location));
  try {
    const isMade = await database.snapshot((reader) => hasTables(reader, database.engine));
    return isMade ? await auditTip(database) : [];
  } finally {
    await database.close();
  }
}

async function isAtTip(location: DatabaseLocation): Promise<boolean> {
  const database = await openDatabase(toServiceLocation(location));
  const { tip } = await createReadChain(database)(async (view) => ({ tip: view.tip }));
  await database.close();
  return tip !== undefined && toDisplayHash(tip.hash) === (await node.rpc('getbestblockhash'));
}

function shuffle<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Replaces the last blocks by a longer branch, or a shorter one that the node is made to take. */
async function makeReorg(): Promise<void> {
  const depth = random.integer(1, Math.min(80, hashes.length - 1));
  const lost = hashes.splice(-depth);
  await node.rpc('invalidateblock', lost[0]);
  // Blocks of token operations spend other coins.
  traffic.goBackTo(hashes.findLast((hash) => !tokenBlocks.has(hash))!);
  for (let i = random.integer(Math.ceil(depth / 2), depth + 10); i > 0; i--)
    hashes.push(await traffic.mineBlock(random.integer(0, TXS_PER_BLOCK)));
}
