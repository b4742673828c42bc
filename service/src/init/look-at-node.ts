import { parseShippedProfile, shippedProfileNames } from '@coinfront/protocol/shipped-profiles.ts';
import { countTransactions } from '../node/count-transactions.ts';
import { fetchNodeFacts, type NodeFacts } from '../node/node-facts.ts';
import { createNodeClient, type NodeClient } from '../node/rpc-client.ts';
import type { NodeAddress } from './find-nodes.ts';

/** What `init` wants to know of a node. */
export type NodeLook = {
  facts: NodeFacts;
  /** Whether blocks can be had by REST. */
  rest: boolean;
  /** Undefined where the node does not say. */
  txindex: boolean | undefined;
  /** Transactions of its chain; undefined where they cannot be counted. */
  transactions: number | undefined;
};

const TIMEOUT_MS = 10_000;

/**
 * Asks a node what it is.
 *
 * @throws NodeError where it does not answer, or refuses
 */
export async function lookAtNode({ url, cookieFile }: NodeAddress): Promise<NodeLook> {
  const node = createNodeClient({ url, cookieFile, timeoutMs: TIMEOUT_MS });
  try {
    const facts = await fetchNodeFacts(node);
    const [rest, txindex, count] = await Promise.all([
      hasRest(node, facts.genesisHash),
      hasTxindex(node),
      countTransactions(node, facts.blocks, { height: 0, txs: 1 }).catch(() => undefined),
    ]);
    return { facts, rest, txindex, transactions: count?.txs };
  } finally {
    await node.close();
  }
}

async function hasRest(node: NodeClient, hash: string): Promise<boolean> {
  const answer = await node.get(`/rest/headers/1/${hash}.bin`).catch(() => undefined);
  return answer?.status === 200;
}

async function hasTxindex(node: NodeClient): Promise<boolean | undefined> {
  const indexes = await node.call<object>('getindexinfo').catch(() => undefined);
  return indexes === undefined ? undefined : 'txindex' in indexes;
}

/** The shipped profiles of the chain that begins with this block. */
export function findProfiles(genesisHash: string): string[] {
  return shippedProfileNames.filter((name) => {
    const profile = parseShippedProfile(name);
    return profile.ok && profile.value.genesisHash === genesisHash;
  });
}
