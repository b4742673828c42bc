import { NodeError } from './node-error.ts';
import { readFields, readHash } from './read-answer.ts';
import type { CallOptions, NodeClient } from './rpc-client.ts';

/** What a node says about itself and its chain. */
export type NodeFacts = {
  /** Core's name of the chain: `main`, `test`, `regtest`, … */
  readonly chain: string;
  /** Display hex. */
  readonly genesisHash: string;
  readonly blocks: number;
  /** Headers known; more than `blocks` while it catches up. */
  readonly headers: number;
  readonly initialBlockDownload: boolean;
  readonly pruned: boolean;
  /** Lowest height whose block is still there, when pruned. */
  readonly pruneHeight: number | undefined;
  readonly version: number;
  /** For example `/Satoshi:0.21.2/`. */
  readonly subversion: string;
  readonly connections: number;
  readonly warnings: string;
  /** Minimum relay fee, coins per 1,000 vbytes, as the node's own decimal text. */
  readonly relayFee: string;
  /** What a replacement pays more at least, in the same form; undefined where the node does not say. */
  readonly incrementalFee: string | undefined;
};

/** The part of a coin profile that a node is compared with. */
export type ExpectedChain = {
  readonly name: string;
  /** Display hex. */
  readonly genesisHash: string;
};

export type NodeCheck =
  | { readonly ok: true; readonly facts: NodeFacts }
  | { readonly ok: false; readonly reason: string; readonly facts: NodeFacts };

/**
 * Asks the node what it is, and compares its genesis block with the coin profile's.
 *
 * @throws NodeError when the node cannot be asked.
 */
export async function checkNode(
  node: NodeClient,
  expected: ExpectedChain,
  options: CallOptions = {},
): Promise<NodeCheck> {
  const facts = await fetchNodeFacts(node, options);
  if (facts.genesisHash === expected.genesisHash) return { ok: true, facts };
  return {
    ok: false,
    facts,
    reason:
      `The node at ${node.origin} follows another chain: its genesis block is ${facts.genesisHash} ` +
      `(chain "${facts.chain}"), the profile "${expected.name}" expects ${expected.genesisHash}. ` +
      'Set COINFRONT_COIN to the profile of this chain, or COINFRONT_NODE_URL to another node.',
  };
}

/**
 * Asks the node what it is.
 *
 * @throws NodeError when the node cannot be asked.
 */
export async function fetchNodeFacts(node: NodeClient, options: CallOptions = {}): Promise<NodeFacts> {
  const [chainInfo, networkInfo, genesisHash] = await Promise.all([
    node
      .callText<unknown>('getblockchaininfo', [], options)
      .then((answer) => readFields(node, 'description of its chain', answer)),
    node
      .callText<unknown>('getnetworkinfo', [], options)
      .then((answer) => readFields(node, 'description of its network', answer)),
    node
      .call<unknown>('getblockhash', [0], options)
      .then((answer) => readHash(node, 'hash of its genesis block', answer)),
  ]);
  const read = createFieldReader(node.origin, { ...networkInfo, ...chainInfo });
  return {
    chain: read.text('chain'),
    genesisHash,
    blocks: read.integer('blocks'),
    headers: read.integer('headers'),
    // Dogecoin's node, forked before Core 0.16, does not say.
    initialBlockDownload: chainInfo.initialblockdownload === true,
    pruned: chainInfo.pruned === true,
    pruneHeight: chainInfo.pruneheight === undefined ? undefined : read.integer('pruneheight'),
    version: read.integer('version'),
    subversion: read.text('subversion'),
    connections: read.integer('connections'),
    warnings: readWarnings(networkInfo.warnings),
    relayFee: read.decimal('relayfee'),
    incrementalFee: networkInfo.incrementalfee === undefined ? undefined : read.decimal('incrementalfee'),
  };
}

/**
 * The node's best block, display hex. By a method that the state of the node is asked by, too, so that no other has to be allowed.
 *
 * @throws NodeError when the node cannot be asked.
 */
export async function findBestBlock(node: NodeClient, options: CallOptions = {}): Promise<string> {
  const { bestblockhash } = await node.call<{ bestblockhash?: unknown }>('getblockchaininfo', [], options);
  if (typeof bestblockhash === 'string') return bestblockhash;
  throw new NodeError('invalid_answer', `The node at ${node.origin} gave no hash of its best block.`);
}

/** Text until Core 27, a list of texts since. */
function readWarnings(warnings: unknown): string {
  if (Array.isArray(warnings)) return warnings.filter((entry) => typeof entry === 'string').join(' ');
  return typeof warnings === 'string' ? warnings : '';
}

function createFieldReader(origin: string, answer: Record<string, unknown>) {
  function field(name: string, form: RegExp): string {
    const value = answer[name];
    if (typeof value === 'string' && form.test(value)) return value;
    throw new NodeError(
      'invalid_answer',
      `The node at ${origin} described itself without a usable "${name}".`,
    );
  }
  return {
    text: (name: string) => field(name, /^[^\n]{0,256}$/),
    integer: (name: string) => Number(field(name, /^\d{1,15}$/)),
    decimal: (name: string) => field(name, /^\d{1,20}(\.\d{1,20})?$/),
  };
}
