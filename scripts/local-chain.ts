import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from './free-ports.ts';
import { ensureWallet, findNodeBinary, isLitecoin, startNodeProcess } from './node-process.ts';
import { createTraffic } from './traffic/traffic.ts';

/** A regtest chain that lives: blocks every few seconds, and wallets that pay each other. */
export type LocalChain = {
  /** For `COINFRONT_NODE_URL`. */
  readonly nodeUrl: string;
  /** Where the node listens to other nodes, on loopback. */
  readonly p2pEndpoint: string;
  /** A new address of the node's wallet. */
  newAddress(): Promise<string>;
  /** Fails when mining cannot go on; never resolves before `stop`. */
  readonly mining: Promise<void>;
  stop(): Promise<void>;
};

const BLOCK_INTERVAL_MS = 4_000;
const TRANSACTIONS_PER_BLOCK = 8;
const FIRST_BUSY_BLOCKS = 10;
/** What people pay, so that wallets are advised what they would be elsewhere. */
const fee = 3_000n;

/** Starts, or continues, the chain kept in `dir`. The first start makes about 120 blocks. */
export async function startLocalChain(dir: string): Promise<LocalChain> {
  const p2pEndpoint = `127.0.0.1:${await findFreePort()}`;
  const extraArgs = [
    '-listen=1',
    `-bind=${p2pEndpoint}`,
    '-listenonion=0',
    // Litecoin's node replaces a transaction by one with a higher fee only when told so; Bitcoin's does always.
    ...(isLitecoin(findNodeBinary()) ? ['-mempoolreplacement=1'] : []),
  ];
  const node = await startNodeProcess({ dataDir: join(dir, 'node'), extraArgs });
  await ensureWallet(node.client);
  const isNew = (await node.client.call<number>('getblockcount')) === 0;
  const traffic = await createTraffic(node.client, { seed: Date.now(), fee });
  await traffic.prepare();
  for (let block = 0; isNew && block < FIRST_BUSY_BLOCKS; block += 1) {
    await traffic.sendSome(TRANSACTIONS_PER_BLOCK);
    await traffic.mineBlock();
  }

  const stopping = new AbortController();
  async function mine(): Promise<void> {
    while (!stopping.signal.aborted) {
      await traffic.sendSome(TRANSACTIONS_PER_BLOCK);
      await delay(BLOCK_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) await traffic.mineBlock();
    }
  }

  const mining = mine();
  return {
    nodeUrl: node.url,
    p2pEndpoint,
    mining,
    newAddress: () => node.client.call<string>('getnewaddress', ['', 'bech32']),
    async stop() {
      stopping.abort();
      // Whatever mining says now, the node is going away.
      await mining.catch(() => {});
      await node.stop();
      await node.client.close();
    },
  };
}
