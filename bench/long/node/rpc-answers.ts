import { HEADER_BYTES } from '../chain/header.ts';
import type { ServedChain } from './served-chain.ts';
import type { ServedMempool } from './served-mempool.ts';

/** Answers one call of the node's RPC. Throws what a node refuses. */
export type AnswerCall = (method: string, params: readonly unknown[]) => unknown;

/** What a node says of a call that it refuses. */
export type Refusal = { code: number; message: string };

const METHOD_NOT_FOUND = -32_601;
const NOT_FOUND = -5;
const OUT_OF_RANGE = -8;

/** The calls that a follower makes, of a node that has the whole chain. */
export function createCallAnswers(chain: ServedChain, mempool: ServedMempool): AnswerCall {
  const tipHash = (): string => chain.hashAt(chain.tipHeight())!;
  const describeHeader = (hash: unknown) => {
    const height = chain.heightOf(String(hash));
    if (height === undefined) return refuse(NOT_FOUND, 'Block not found');
    const isShown = chain.hashAt(height) === hash;
    return {
      hash,
      height,
      confirmations: isShown ? chain.tipHeight() - height + 1 : -1,
      previousblockhash: isShown ? chain.hashAt(height - 1) : undefined,
    };
  };
  const answers: Record<string, (...params: readonly unknown[]) => unknown> = {
    getbestblockhash: tipHash,
    getblockcount: () => chain.tipHeight(),
    getblockhash: (height) =>
      chain.hashAt(Number(height)) ?? refuse(OUT_OF_RANGE, 'Block height out of range'),
    getblockheader: describeHeader,
    getblock: (hash) => chain.read(String(hash))?.toString('hex') ?? refuse(NOT_FOUND, 'Block not found'),
    getblockchaininfo: () => ({
      chain: 'regtest',
      blocks: chain.tipHeight(),
      headers: chain.tipHeight(),
      bestblockhash: tipHash(),
      initialblockdownload: false,
      pruned: false,
      warnings: '',
    }),
    getnetworkinfo: () => ({
      version: 210_201,
      subversion: '/BenchChain:1.0.0/',
      connections: 8,
      relayfee: 0.00001,
      warnings: '',
    }),
    getchaintxstats: () => ({ txcount: chain.countTransactions() }),
    getchaintips: () => [{ height: chain.tipHeight(), hash: tipHash(), branchlen: 0, status: 'active' }],
    getmempoolinfo: () => ({
      loaded: true,
      size: mempool.size(),
      bytes: 0,
      mempoolminfee: 0.00001,
      minrelaytxfee: 0.00001,
    }),
    getrawmempool: mempool.list,
    getrawtransaction: (txid) =>
      mempool.find(String(txid)) ?? refuse(NOT_FOUND, 'No such mempool transaction'),
    estimatesmartfee: (blocks) => ({ errors: ['Insufficient data or no feerate found'], blocks }),
  };
  return (method, params) => {
    const answer = answers[method];
    return answer ? answer(...params) : refuse(METHOD_NOT_FOUND, `Method not found: ${method}`);
  };
}

/** The headers of the best chain from a block on, back to back. */
export function readHeaders(chain: ServedChain, hash: string, count: number): Buffer {
  const start = chain.heightOf(hash);
  if (start === undefined || chain.hashAt(start) !== hash) return Buffer.alloc(0);
  const last = Math.min(chain.tipHeight(), start + count - 1);
  const headers = [];
  for (let height = start; height <= last; height++) {
    headers.push(chain.read(chain.hashAt(height)!, HEADER_BYTES)!);
  }
  return Buffer.concat(headers);
}

function refuse(code: number, message: string): never {
  throw { code, message } satisfies Refusal;
}
