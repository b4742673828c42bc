import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseProfile } from '@coinfront/protocol/profile.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { NodeClient } from '../../service/src/node/rpc-client.ts';
import { fillPurse } from '../fill-purse.ts';
import { findFreePort } from '../free-ports.ts';
import { limitLines, type Say } from '../limit-lines.ts';
import { findNodeBinary, isLitecoin, startNodeProcess } from '../node-process.ts';
import { createRandom } from '../traffic/random.ts';
import { createTraffic } from '../traffic/traffic.ts';
import { backlogNodeArgs, createBacklog } from './backlog.ts';
import { makeDemoCoin, writeDemoCoin } from './coin.ts';
import { createPace } from './pace.ts';
import type { Split } from './pool/mine-pool-block.ts';
import { openDemoPool } from './pool/pool.ts';
import { createDemoWallets } from './wallets.ts';

/** A regtest chain that lives: blocks of a pool and of others, wallets that pay each other, and a mempool in which some wait. */
export type LocalChain = {
  /** For `COINFRONT_NODE_URL`. */
  readonly nodeUrl: string;
  /** For `COINFRONT_COIN`. */
  readonly coinFile: string;
  /** For `COINFRONT_POOL_SOURCE`. */
  readonly poolFolder: string;
  /** RPC of the node's wallet that people and examples pay from; the traffic has one of its own. */
  readonly walletUrl: string;
  readonly main: NodeClient;
  /** The node's wallet of those who have names and tokens. */
  readonly players: NodeClient;
  /** Where the node listens to other nodes, on loopback. */
  readonly p2pEndpoints: readonly string[];
  /** Whether this start is the chain's first. */
  readonly isNew: boolean;
  height(): Promise<number>;
  /** A new address of the wallet that people and examples pay from. */
  newAddress(): Promise<string>;
  /** Mines blocks of the past at once, before the chain lives. */
  mineHistory(blocks: number): Promise<void>;
  /** Mines a block with the pool's tag that pays as `split` says, before the chain lives. */
  mineTagged(split: Split): Promise<void>;
  /** From now on blocks and traffic come by themselves. */
  live(): Promise<void>;
  /** The next so many blocks come soon. */
  hurry(blocks: number): void;
  /** Done before each block, while the chain lives. */
  onTurn(act: () => Promise<void>): void;
  stop(): Promise<void>;
};

export type LocalChainOptions = {
  /** Between blocks while somebody waits for one. */
  readonly blockIntervalMs?: number | undefined;
  /** Between blocks while nobody does. */
  readonly calmIntervalMs?: number;
  /** Told what could not be done and is tried again, at most once a minute. Standard error by default. */
  readonly say?: Say;
  /** Told of the first chain while it is made. */
  readonly onProgress?: (height: number, ofBlocks: number) => void;
};

const BLOCK_INTERVAL_MS = 5_000;
const CALM_INTERVAL_MS = 30_000;
const COMPLAINT_INTERVAL_MS = 60_000;
const POOL_FILES_MS = 30_000;
const TRANSACTIONS_PER_BLOCK = 8;
const FIRST_BUSY_BLOCKS = 10;
/** How many blocks a new chain has when it begins to live, how far apart they are, and which of them have transactions. */
const HISTORY = { blocks: 660, intervalS: 150, busyEvery: 25, transactions: 4 };
/** From this height on the wallet that is paid for the first blocks can spend. */
const READY_HEIGHT = 110;
const FIRST_AT_ONCE = 10;
/** What the wallet that pays for anchors is given. */
const ANCHOR_PURSE = { least: 5, coins: 20, amount: '1' };
/** What people pay, so that wallets are advised what they would be elsewhere; some are in more of a hurry. */
const FEES = [3_000n, 3_000n, 3_000n, 6_000n, 12_000n, 24_000n];
const ENDPOINTS = 2;

/**
 * Starts, or continues, the chain kept in `dir`. The first start makes about 120 blocks. Once it lives, nothing ends it but
 * `stop`: what fails is said and tried again, and a node that ended is started again.
 *
 * @throws Error when the node does not come up
 */
export async function startLocalChain(dir: string, options: LocalChainOptions = {}): Promise<LocalChain> {
  const { blockIntervalMs = BLOCK_INTERVAL_MS, say = console.error, onProgress = () => {} } = options;
  const { calmIntervalMs = Math.max(blockIntervalMs, CALM_INTERVAL_MS) } = options;
  const p2pEndpoints: string[] = [];
  while (p2pEndpoints.length < ENDPOINTS) p2pEndpoints.push(`127.0.0.1:${await findFreePort()}`);
  const extraArgs = [
    '-listen=1',
    ...p2pEndpoints.map((endpoint) => `-bind=${endpoint}`),
    '-listenonion=0',
    ...backlogNodeArgs,
    // Litecoin's node replaces a transaction by one with a higher fee only when told so; Bitcoin's does always.
    ...(isLitecoin(findNodeBinary()) ? ['-mempoolreplacement=1'] : []),
  ];
  onProgress(0, HISTORY.blocks);
  const node = await startNodeProcess({ dataDir: join(dir, 'node'), extraArgs });
  const wallets = createDemoWallets(node.client, node.url);
  await wallets.open();
  const height = () => node.client.call<number>('getblockcount');
  const isNew = (await height()) === 0;
  const random = createRandom(Date.now());
  const traffic = await createTraffic(wallets.traffic, {
    seed: Date.now(),
    fee: () => random.pick(FEES),
    funder: wallets.main,
  });
  const pool = await openDemoPool(dir, wallets.players, random, Date.now());
  const backlog = createBacklog(wallets.traffic, getValue(parseProfile(makeDemoCoin())), random);
  const pace = createPace({ node: node.client, soonMs: blockIntervalMs, calmMs: calmIntervalMs });

  const stopping = new AbortController();
  const complain = limitLines(say, COMPLAINT_INTERVAL_MS);
  const turns: (() => Promise<void>)[] = [backlog.takeTurn];

  /** Does a step of the demo. What goes wrong with it is told and nothing else: service and chain go on without it. */
  async function attempt(what: string, step: () => Promise<unknown>): Promise<void> {
    if (stopping.signal.aborted) return;
    try {
      if (!node.isRunning()) {
        complain('The local node has ended. It is started again.');
        await node.start();
        await wallets.open();
      }
      await step();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!stopping.signal.aborted) complain(`${what} failed and is tried again: ${reason}`);
    }
  }

  async function prepare(): Promise<void> {
    await traffic.prepare();
    const newAddress = () => wallets.anchors.call<string>('getnewaddress', ['', 'bech32']);
    await fillPurse(wallets.main, wallets.anchors, { ...ANCHOR_PURSE, newAddress });
  }

  async function send(): Promise<void> {
    if ((await traffic.sendSome(TRANSACTIONS_PER_BLOCK)) < TRANSACTIONS_PER_BLOCK) await prepare();
  }

  /** A block of the pool, when it is the pool's turn; else of somebody. */
  async function mineBlock(atMs: number): Promise<void> {
    // Before a block of others: it would not wait for the next one.
    await traffic.mineUnrelayed();
    const minePools = pool.work(atMs);
    if (minePools === undefined) await traffic.mineBlock();
    else {
      await minePools();
      await traffic.settle();
    }
  }

  // Blocks of the past have its times: the node is told what time it is.
  let pastS = Math.floor(Date.now() / 1000) - HISTORY.blocks * HISTORY.intervalS;
  function nextPast(): number {
    const at = Math.min(pastS, Math.floor(Date.now() / 1000));
    pastS += HISTORY.intervalS;
    return at;
  }
  async function enterPast(): Promise<number> {
    const at = nextPast();
    await node.client.call('setmocktime', [at]);
    return at * 1000;
  }

  /** Mines empty blocks at these times, in as few requests as can be. */
  async function mineEmpty(times: readonly number[], address: string): Promise<void> {
    const calls = times.flatMap((at) => [
      { method: 'setmocktime', params: [at] },
      { method: 'generatetoaddress', params: [1, address] },
    ]);
    if (calls.length === 0) return;
    for (const answer of await node.client.batch(calls)) if (!answer.ok) throw answer.error;
    onProgress(await height(), HISTORY.blocks);
  }

  async function mineFirstBlocks(): Promise<void> {
    const address = await wallets.main.call<string>('getnewaddress', ['', 'bech32']);
    for (let made = await height(); made < READY_HEIGHT; made += FIRST_AT_ONCE) {
      await mineEmpty(Array.from({ length: FIRST_AT_ONCE }, nextPast), address);
    }
  }

  async function mineHistory(blocks: number): Promise<void> {
    const address = await wallets.main.call<string>('getnewaddress', ['', 'bech32']);
    let empty: number[] = [];
    for (let left = blocks; left > 0 && !stopping.signal.aborted; left -= 1) {
      if (left === 1 || left % HISTORY.busyEvery === 0) {
        await mineEmpty(empty.splice(0), address);
        const at = await enterPast();
        if (left > 1) await traffic.sendSome(HISTORY.transactions);
        await mineBlock(at);
        continue;
      }
      const at = nextPast();
      const minePools = pool.work(at * 1000);
      empty.push(at);
      if (minePools === undefined) continue;
      // The pool's is the last of them.
      await mineEmpty(empty.slice(0, -1), address);
      await node.client.call('setmocktime', [at]);
      await minePools();
      empty = [];
    }
    await mineEmpty(empty, address);
  }

  async function takeTurns(): Promise<void> {
    for (const act of turns) await attempt('A part of the local chain', act);
  }

  async function run(): Promise<void> {
    let acting: Promise<void> | undefined;
    let filesAt = Number.NEGATIVE_INFINITY;
    while (!stopping.signal.aborted) {
      await attempt("The local chain's traffic", send);
      acting ??= takeTurns().finally(() => {
        acting = undefined;
      });
      // What they send should not be taken for somebody's who waits for a block. But no block waits for them: while somebody
      // keeps the node's wallet busy they take long.
      await Promise.race([acting, delay(blockIntervalMs, undefined, { signal: stopping.signal })]).catch(
        () => {},
      );
      if (performance.now() - filesAt >= POOL_FILES_MS) {
        await attempt("The pool's files", async () => pool.writeFiles(Date.now()));
        filesAt = performance.now();
      }
      await pace.waitForTurn(stopping.signal);
      await attempt('A block of the local chain', () => mineBlock(Date.now()));
    }
    await acting;
  }

  let running: Promise<void> | undefined;
  if (isNew) await mineFirstBlocks();
  await attempt('Filling the wallets of the local chain', prepare);
  for (let block = 0; isNew && block < FIRST_BUSY_BLOCKS; block += 1) {
    await attempt("The local chain's traffic", send);
    await attempt('A block of the local chain', async () => mineBlock(await enterPast()));
  }
  pool.writeFiles(Date.now());
  return {
    nodeUrl: node.url,
    coinFile: writeDemoCoin(dir),
    poolFolder: pool.folder,
    walletUrl: wallets.mainUrl,
    main: wallets.main,
    players: wallets.players,
    p2pEndpoints,
    isNew,
    height,
    newAddress: () => wallets.main.call<string>('getnewaddress', ['', 'bech32']),
    mineHistory,
    async mineTagged(split) {
      await pool.mineBlock(split, await enterPast());
    },
    async live() {
      await node.client.call('setmocktime', [0]);
      running ??= run();
    },
    hurry: pace.hurry,
    onTurn: (act) => void turns.push(act),
    async stop() {
      stopping.abort();
      await running;
      await node.stop();
      await wallets.close();
      await node.client.close();
    },
  };
}
