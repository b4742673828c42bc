import { walletUrl } from '../service/src/node/anchor-wallet.ts';
import { createNodeClient, type NodeClient } from '../service/src/node/rpc-client.ts';
import { ensureWallet } from './node-process.ts';

/**
 * The wallets of the local chain's node, one for each who pays: two that spend from one wallet take each other's coins.
 */
export type DemoWallets = {
  /** RPC of the wallet that pays for what people and examples ask for. */
  readonly mainUrl: string;
  readonly main: NodeClient;
  readonly traffic: NodeClient;
  readonly anchors: NodeClient;
  /** Opens them, also after a restart of the node; makes those that are not there yet. */
  open(): Promise<void>;
  close(): Promise<void>;
};

/** For `COINFRONT_ANCHOR_WALLET`. */
export const ANCHOR_WALLET = 'anchors';

const MAIN_WALLET = 'main';
const TRAFFIC_WALLET = 'traffic';
const TIMEOUT_MS = 120_000;

/** Names the wallets of a node that `client` speaks to at `nodeUrl`; `open` is the first to ask for them. */
export function createDemoWallets(client: NodeClient, nodeUrl: string): DemoWallets {
  const names = [MAIN_WALLET, TRAFFIC_WALLET, ANCHOR_WALLET] as const;
  const [main, traffic, anchors] = names.map((name) =>
    createNodeClient({ url: walletUrl(nodeUrl, name), timeoutMs: TIMEOUT_MS }),
  ) as [NodeClient, NodeClient, NodeClient];
  return {
    mainUrl: walletUrl(nodeUrl, MAIN_WALLET),
    main,
    traffic,
    anchors,
    async open() {
      for (const name of names) await ensureWallet(client, name);
    },
    async close() {
      await Promise.all([main, traffic, anchors].map((wallet) => wallet.close()));
    },
  };
}
