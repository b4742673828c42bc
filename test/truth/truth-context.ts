import type { TestNode } from '../harness/litecoind.ts';
import type { TestService } from '../harness/service.ts';
import type { NodeBlock, NodeChain, Placed } from './node-chain.ts';

/** A service, the node that it follows, and what that node says. */
export type TruthContext = {
  service: TestService;
  node: Pick<TestNode, 'rpc' | 'client'>;
  chain: NodeChain;
  /** Blocks below are looked at only as far as totals need them. */
  fromHeight?: number;
};

/** Regtest's rule, as Core's. */
export const MATURITY = 100;

/** The blocks to look at one by one. */
export function listBlocks({ chain, fromHeight = 0 }: TruthContext): readonly NodeBlock[] {
  return chain.blocks.slice(fromHeight);
}

/** The transactions to look at one by one, those of the mempool among them. */
export function listTxs({ chain, fromHeight = 0 }: TruthContext): Placed[] {
  return [...chain.txs.values()].filter(({ height }) => height === undefined || height >= fromHeight);
}

/** One of so many, for what is much the same for all. */
export function sample<T>(items: readonly T[], oneOf: number): T[] {
  return items.filter((_, index) => index % oneOf === 0);
}
