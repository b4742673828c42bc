import { AUXPOW_VERSION_BIT } from '@coinfront/protocol/block.ts';
import { getHexBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, type TxOutput } from '@coinfront/protocol/transaction.ts';
import { makeBlock } from '../../scripts/traffic/make-block.ts';
import type { TestNode } from './litecoind.ts';
import type { RawTx } from './raw-coins.ts';
import { testProfile, worksByScrypt } from './test-coin.ts';

/**
 * Mines one block whose coinbase pays exactly these outputs: what no miner of the node would do, such as leaving
 * coins unclaimed or paying one address several times. Gives its hash.
 *
 * @param tag - what a pool writes into its coinbases
 */
export async function mineByHand(
  node: Pick<TestNode, 'rpc'>,
  payouts: readonly TxOutput[],
  txs: readonly RawTx[] = [],
  tag = '',
): Promise<string> {
  const best = await node.rpc<string>('getbestblockhash');
  const { height, mediantime, bits, version } = await node.rpc<BestHeader>('getblockheader', best);
  const { hex, hash } = makeBlock({
    height: height + 1,
    version: testProfile.auxpow ? version & ~AUXPOW_VERSION_BIT : version,
    prevHash: getValue(parseDisplayHash(best)),
    time: Math.max(mediantime + 1, Math.floor(Date.now() / 1000)),
    bits: Number.parseInt(bits, 16),
    payouts,
    tag,
    transactions: txs.map((tx) => getValue(parseTransaction(getHexBytes(tx.hex)))),
    worksByScrypt,
  });
  const refusal = await node.rpc<string | null>('submitblock', hex);
  if (refusal !== null) throw new Error(`The node refused a block made by hand: ${refusal}.`);
  return hash;
}

type BestHeader = { height: number; mediantime: number; bits: string; version: number };
