import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createDemoWallets } from './demo-wallets.ts';
import { fillPurse } from './fill-purse.ts';
import { findFreePort } from './free-ports.ts';
import { limitLines, type Say } from './limit-lines.ts';
import { findNodeBinary, isLitecoin, startNodeProcess } from './node-process.ts';
import { createTraffic } from './traffic/traffic.ts';

/** A regtest chain that lives: blocks every few seconds, and wallets that pay each other. */
export type LocalChain = {
  /** For `COINFRONT_NODE_URL`. */
  readonly nodeUrl: string;
  /** RPC of the node's wallet that people and examples pay from; the traffic has one of its own. */
  readonly walletUrl: string;
  /** Where the node listens to other nodes, on loopback. */
  readonly p2pEndpoint: string;
  /** A new address of the wallet that people and examples pay from. */
  newAddress(): Promise<string>;
  stop(): Promise<void>;
};

export type LocalChainOptions = {
  readonly blockIntervalMs?: number;
  /** Told what could not be done and is tried again, at most once a minute. Standard error by default. */
  readonly say?: Say;
};

const BLOCK_INTERVAL_MS = 4_000;
const COMPLAINT_INTERVAL_MS = 60_000;
const TRANSACTIONS_PER_BLOCK = 8;
const FIRST_BUSY_BLOCKS = 10;
/** What the wallet that pays for anchors is given. */
const ANCHOR_PURSE = { least: 5, coins: 20, amount: '1' };
/** What people pay, so that wallets are advised what they would be elsewhere. */
const fee = 3_000n;

/**
 * Starts, or continues, the chain kept in `dir`. The first start makes about 120 blocks. Once it runs, nothing ends it but
 * `stop`: what fails is said and tried again, and a node that ended is started again.
 *
 * @throws Error when the node does not come up
 */
export async function startLocalChain(dir: string, options: LocalChainOptions = {}): Promise<LocalChain> {
  const { blockIntervalMs = BLOCK_INTERVAL_MS, say = console.error } = options;
  const p2pEndpoint = `127.0.0.1:${await findFreePort()}`;
  const extraArgs = [
    '-listen=1',
    `-bind=${p2pEndpoint}`,
    '-listenonion=0',
    // Litecoin's node replaces a transaction by one with a higher fee only when told so; Bitcoin's does always.
    ...(isLitecoin(findNodeBinary()) ? ['-mempoolreplacement=1'] : []),
  ];
  const node = await startNodeProcess({ dataDir: join(dir, 'node'), extraArgs });
  const wallets = createDemoWallets(node.client, node.url);
  await wallets.open();
  const isNew = (await node.client.call<number>('getblockcount')) === 0;
  const traffic = await createTraffic(wallets.traffic, { seed: Date.now(), fee, funder: wallets.main });

  const stopping = new AbortController();
  const complain = limitLines(say, COMPLAINT_INTERVAL_MS);

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

  async function mine(): Promise<void> {
    while (!stopping.signal.aborted) {
      await attempt("The local chain's traffic", send);
      await delay(blockIntervalMs, undefined, { signal: stopping.signal }).catch(() => {});
      await attempt('A block of the local chain', () => traffic.mineBlock());
    }
  }

  await attempt('Filling the wallets of the local chain', prepare);
  for (let block = 0; isNew && block < FIRST_BUSY_BLOCKS; block += 1) {
    await attempt("The local chain's traffic", send);
    await attempt('A block of the local chain', () => traffic.mineBlock());
  }
  const mining = mine();
  return {
    nodeUrl: node.url,
    walletUrl: wallets.mainUrl,
    p2pEndpoint,
    newAddress: () => wallets.main.call<string>('getnewaddress', ['', 'bech32']),
    async stop() {
      stopping.abort();
      await mining;
      await node.stop();
      await wallets.close();
      await node.client.close();
    },
  };
}
