import { isNodeError, NodeError } from './node-error.ts';
import type { HttpAnswer } from './node-http.ts';
import type { CallOptions, NodeClient } from './rpc-client.ts';

/** Raw blocks of one node, by REST where the node serves it, else by RPC. Hashes are display hex. */
export type BlockSource = {
  /**
   * The serialised block as the node stores it.
   *
   * @throws NodeError `rpc` when the node does not know the block or has pruned it.
   */
  fetchBlock(hash: string, options?: CallOptions): Promise<Uint8Array>;
  /**
   * Hashes of the best chain, both ends included. A long range takes several requests, so a reorg in
   * between can mix two chains: check every block's previous hash.
   *
   * @throws NodeError `rpc` when the range ends above the node's tip.
   */
  fetchHashes(fromHeight: number, toHeight: number, options?: CallOptions): Promise<string[]>;
  /**
   * Up to `count` (at most 2,000) serialised headers of the best chain, from `startHash` on, back to back;
   * empty when that block is not on the best chain, undefined when the node serves no REST.
   */
  findHeaders(startHash: string, count: number, options?: CallOptions): Promise<Uint8Array | undefined>;
  /**
   * What the node says of the outputs that a block spends, as it is served since Bitcoin Core 30; undefined where it says nothing. A
   * node that does not serve it, or not in time, is not asked again. Never a failure: nobody needs it.
   */
  findSpentOutputs(hash: string, options?: CallOptions): Promise<Uint8Array | undefined>;
  /** How blocks are fetched now; asks the node the first time. */
  transport(options?: CallOptions): Promise<'rest' | 'rpc'>;
};

const HASH = /^[0-9a-f]{64}$/;

/** Makes a block source of a node. Nothing is asked before the first use. */
export function createBlockSource(node: NodeClient): BlockSource {
  let servesRest: boolean | undefined;
  let mayServeSpent = true;

  async function usesRest(options: CallOptions): Promise<boolean> {
    servesRest ??= await probeRest(node, options);
    return servesRest;
  }

  async function fetchByRpc(hash: string, options: CallOptions): Promise<Uint8Array> {
    const hex = await node.call<unknown>('getblock', [hash, 0], options);
    if (typeof hex !== 'string' || !isHex(hex)) {
      throw new NodeError('invalid_answer', `The node at ${node.origin} gave block ${hash} as no hex text.`);
    }
    return Buffer.from(hex, 'hex');
  }

  return {
    async fetchBlock(hash, options = {}) {
      requireHash(hash);
      if (!(await usesRest(options))) return fetchByRpc(hash, options);
      const answer = await node.get(`/rest/block/${hash}.bin`, options);
      if (answer.status === 200) return answer.body;
      throwIfUnavailable(node, answer);
      // Unknown, pruned, or a node restarted without REST: the RPC says which.
      const bytes = await fetchByRpc(hash, options);
      servesRest = undefined;
      return bytes;
    },

    async fetchHashes(fromHeight, toHeight, options = {}) {
      const calls = [];
      for (let height = fromHeight; height <= toHeight; height += 1) {
        calls.push({ method: 'getblockhash', params: [height] });
      }
      const answers = await node.batch(calls, options);
      return answers.map((answer) => {
        if (!answer.ok) throw answer.error;
        if (typeof answer.value !== 'string' || !HASH.test(answer.value)) {
          throw new NodeError(
            'invalid_answer',
            `The node at ${node.origin} gave a block hash of another form.`,
          );
        }
        return answer.value;
      });
    },

    async findHeaders(startHash, count, options = {}) {
      requireHash(startHash);
      if (!(await usesRest(options))) return undefined;
      const bounded = Math.min(2000, Math.max(1, Math.trunc(count)));
      const answer = await node.get(`/rest/headers/${bounded}/${startHash}.bin`, options);
      if (answer.status === 200) return answer.body;
      throwIfUnavailable(node, answer);
      return undefined;
    },

    async findSpentOutputs(hash, options = {}) {
      requireHash(hash);
      if (!mayServeSpent) return undefined;
      try {
        if (!(await usesRest(options))) return undefined;
        const answer = await node.get(`/rest/spenttxouts/${hash}.bin`, options);
        if (answer.status === 200) return answer.body;
        if (answer.status < 500) mayServeSpent = false;
      } catch (error) {
        if (isNodeError(error, 'timeout') || isNodeError(error, 'invalid_answer')) mayServeSpent = false;
      }
      return undefined;
    },

    transport: async (options = {}) => ((await usesRest(options)) ? 'rest' : 'rpc'),
  };
}

async function probeRest(node: NodeClient, options: CallOptions): Promise<boolean> {
  const answer = await node.get('/rest/chaininfo.json', options);
  throwIfUnavailable(node, answer);
  return answer.status === 200;
}

/** A node that starts or is overloaded says nothing about what it serves. */
function throwIfUnavailable(node: NodeClient, answer: HttpAnswer): void {
  if (answer.status < 500) return;
  const text = Buffer.from(answer.body.subarray(0, 200)).toString('latin1');
  throw new NodeError(
    answer.status === 503 && text.includes('unavailable') ? 'warming_up' : 'busy',
    `The node at ${node.origin} answered its REST interface with HTTP ${answer.status}: ${text.trim()}`,
  );
}

function requireHash(hash: string): void {
  if (!HASH.test(hash))
    throw new TypeError(`A block hash has 64 lowercase hex digits; received ${hash.length}.`);
}

function isHex(text: string): boolean {
  // Buffer.from stops silently at the first digit that is none, so the length tells.
  return (
    text.length % 2 === 0 && Buffer.byteLength(text, 'hex') * 2 === text.length && /^[0-9a-f]*$/.test(text)
  );
}
