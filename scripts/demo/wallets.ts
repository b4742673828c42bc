import { walletUrl } from '../../service/src/node/anchor-wallet.ts';
import { createNodeClient, type NodeClient } from '../../service/src/node/rpc-client.ts';
import { ensureWallet } from '../node-process.ts';

/**
 * The wallets of the local chain's node, one for each who pays: two that spend from one wallet take each other's coins.
 */
export type DemoWallets = {
  /** RPC of the wallet that people pay from, and that gives all others their coins. */
  readonly mainUrl: string;
  readonly main: NodeClient;
  readonly traffic: NodeClient;
  readonly anchors: NodeClient;
  /** Of those who have names and tokens, give to the treasury, and mine for the pool. */
  readonly players: NodeClient;
  /** Opens them, also after a restart of the node; makes those that are not there yet. */
  open(): Promise<void>;
  close(): Promise<void>;
};

/** For `COINFRONT_ANCHOR_WALLET`. */
export const ANCHOR_WALLET = 'anchors';

const names = ['main', 'traffic', ANCHOR_WALLET, 'players'] as const;
const TIMEOUT_MS = 120_000;

/** Names the wallets of a node that `client` speaks to at `nodeUrl`; `open` is the first to ask for them. */
export function createDemoWallets(client: NodeClient, nodeUrl: string): DemoWallets {
  const all = names.map((name) => createNodeClient({ url: walletUrl(nodeUrl, name), timeoutMs: TIMEOUT_MS }));
  const [main, traffic, anchors, players] = all as [NodeClient, NodeClient, NodeClient, NodeClient];
  return {
    mainUrl: walletUrl(nodeUrl, 'main'),
    main,
    traffic,
    anchors,
    players,
    async open() {
      for (const name of names) await ensureWallet(client, name);
    },
    async close() {
      await Promise.all(all.map((wallet) => wallet.close()));
    },
  };
}
