import { readCoinbaseTag } from '@coinfront/protocol/coinbase-tag.ts';
import {
  baseUnits,
  coins,
  feeOf,
  isoTime,
  type NodeBlock,
  type NodeChain,
  sumOutputs,
} from './node-chain.ts';

/** The fees of a block, what its coinbase pays and what it newly makes, in base units. */
export function sumBlock(chain: NodeChain, block: NodeBlock): { fees: bigint; paid: bigint; issued: bigint } {
  const [coinbase, ...others] = block.tx;
  const fees = others.reduce((sum, tx) => sum + feeOf(chain, tx)!, 0n);
  const paid = sumOutputs(coinbase!);
  return { fees, paid, issued: paid - fees };
}

/** The input script of a coinbase. */
const coinbaseScript = ({ tx: [coinbase] }: NodeBlock): string => coinbase!.vin[0]!.coinbase!;

/** What /api/v1/blocks must answer for a block, made of nothing but the node's own answers. */
export function expectedBlockSummary(chain: NodeChain, block: NodeBlock): Record<string, unknown> {
  const { fees, paid, issued } = sumBlock(chain, block);
  return {
    hash: block.hash,
    height: Number(block.height),
    confirmations: chain.height - Number(block.height) + 1,
    time: isoTime(block.time),
    median_time: isoTime(block.mediantime),
    tx_count: Number(block.nTx),
    size: Number(block.size),
    weight: Number(block.weight),
    difficulty: Number(block.difficulty),
    fees: coins(fees),
    coinbase_value: coins(paid),
    issued: coins(issued),
    coinbase_tag: readCoinbaseTag(Buffer.from(coinbaseScript(block), 'hex')) ?? null,
  };
}

/** What /api/v1/block must answer, beside the list of transactions. */
export function expectedBlock(chain: NodeChain, block: NodeBlock, header: string): Record<string, unknown> {
  return {
    ...expectedBlockSummary(chain, block),
    version: Number(block.version),
    merkle_root: block.merkleroot,
    bits: block.bits,
    nonce: Number(block.nonce),
    chainwork: block.chainwork,
    stripped_size: Number(block.strippedsize),
    previous_hash: block.previousblockhash ?? null,
    next_hash: chain.blocks[Number(block.height) + 1]?.hash ?? null,
    header,
  };
}

/** The transactions of a block as /api/v1/block must list them. */
export function expectedBlockTxs(chain: NodeChain, block: NodeBlock): Record<string, unknown>[] {
  return block.tx.map((tx, position) => {
    const fee = feeOf(chain, tx);
    return {
      txid: tx.txid,
      position,
      output_value: coins(sumOutputs(tx)),
      fee: fee === undefined ? null : coins(fee),
      weight: Number(tx.weight),
      vsize: Number(tx.vsize),
    };
  });
}

/** What /esplora/block must answer. */
export function expectedEsploraBlock(block: NodeBlock): Record<string, unknown> {
  return {
    id: block.hash,
    height: Number(block.height),
    version: Number(block.version),
    timestamp: Number(block.time),
    tx_count: Number(block.nTx),
    size: Number(block.size),
    weight: Number(block.weight),
    merkle_root: block.merkleroot,
    previousblockhash: block.previousblockhash ?? null,
    mediantime: Number(block.mediantime),
    nonce: Number(block.nonce),
    bits: Number.parseInt(block.bits, 16),
    difficulty: Number(block.difficulty),
  };
}

/** One output of a coinbase. */
export type Payout = { height: number; txid: string; vout: number; script: string; value: bigint };

/** Everything that coinbases pay, zero values left out, newest first. */
export function listPayouts(chain: NodeChain): Payout[] {
  return chain.blocks.toReversed().flatMap(({ height, tx: [coinbase] }) =>
    coinbase!.vout.flatMap(({ value, scriptPubKey }, vout) => {
      const payout = {
        height: Number(height),
        txid: coinbase!.txid,
        vout,
        script: scriptPubKey.hex,
        value: baseUnits(value),
      };
      return payout.value === 0n ? [] : [payout];
    }),
  );
}
