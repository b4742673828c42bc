import { getHexBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile, PoolProfile } from '@coinfront/protocol/profile.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { subsidyAt } from '@coinfront/protocol/subsidy.ts';
import { parseTransaction, type Transaction } from '@coinfront/protocol/transaction.ts';
import type { NodeClient } from '../../../service/src/node/rpc-client.ts';
import { makeBlock } from '../../traffic/make-block.ts';
import { LEAST_MINED_RATE } from '../backlog.ts';

/** Ways in which a coinbase with the pool's tag pays: as it promises, with another share, or the operator nothing. */
export type Split = 'kept' | 'broken' | 'none';

type BestHeader = { height: number; mediantime: number; bits: string; version: number };
type Entry = {
  fees: { base: number };
  ancestorcount: number;
  ancestorsize: number;
  /** Base units. */
  ancestorfees: number;
  depends: string[];
};

/** As many as come in a few blocks; what is left waits for the next one. */
const MOST_TRANSACTIONS = 1_000;

/**
 * Mines a block of what waits in the mempool, whose coinbase has the pool's tag and pays the miner and the operator. The node's own
 * template is not to be had: it gives none while no other node is connected.
 *
 * @param minerScript where the miner is paid
 * @param nowMs the time of the block
 * @returns its hash
 * @throws Error when the node refuses it
 */
export async function minePoolBlock(
  node: NodeClient,
  profile: CoinProfile & { pool: PoolProfile },
  minerScript: Uint8Array,
  nowMs: number,
  split: Split = 'kept',
): Promise<string> {
  const best = await node.call<string>('getbestblockhash');
  const header = await node.call<BestHeader>('getblockheader', [best]);
  const height = header.height + 1;
  const { transactions, fees } = await chooseTransactions(node, profile.decimals);
  const value = (subsidyAt(height, profile) ?? 0n) + fees;
  const { operatorPercent, payoutScripts, tag } = profile.pool;
  const percent = split === 'kept' ? operatorPercent : split === 'broken' ? 5 * operatorPercent : 0;
  const operator = (value * BigInt(percent)) / 100n;
  const { hex, hash } = makeBlock({
    height,
    version: header.version,
    prevHash: getValue(parseDisplayHash(best)),
    time: Math.max(header.mediantime + 1, Math.floor(nowMs / 1000)),
    bits: Number.parseInt(header.bits, 16),
    payouts: [
      { value: value - operator, script: minerScript },
      ...(operator === 0n ? [] : [{ value: operator, script: payoutScripts[0]! }]),
    ],
    tag,
    transactions,
    worksByScrypt: true,
  });
  const refusal = await node.call<string | null>('submitblock', [hex]);
  if (refusal !== null) throw new Error(`The node refused a block of the pool: ${refusal}.`);
  return hash;
}

/** What pays enough, by itself or together with what it builds on, each behind what it spends. */
async function chooseTransactions(
  node: NodeClient,
  decimals: number,
): Promise<{ transactions: Transaction[]; fees: bigint }> {
  const entries = Object.entries(await node.call<Record<string, Entry>>('getrawmempool', [true]));
  const chosen = new Map<string, Entry>();
  for (const [txid, entry] of entries.sort(([, a], [, b]) => a.ancestorcount - b.ancestorcount)) {
    if (entry.ancestorfees < LEAST_MINED_RATE * entry.ancestorsize) continue;
    if (chosen.size < MOST_TRANSACTIONS && entry.depends.every((parent) => chosen.has(parent)))
      chosen.set(txid, entry);
  }
  const calls = [...chosen.keys()].map((txid) => ({ method: 'getrawtransaction', params: [txid] }));
  const answers = calls.length === 0 ? [] : await node.batch(calls);
  const transactions = answers.map((answer) => {
    if (!answer.ok) throw answer.error;
    return getValue(parseTransaction(getHexBytes(answer.value as string)));
  });
  const units = 10 ** decimals;
  const fees = [...chosen.values()].reduce((sum, entry) => sum + Math.round(entry.fees.base * units), 0);
  return { transactions, fees: BigInt(fees) };
}
