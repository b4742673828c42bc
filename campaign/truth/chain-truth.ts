import { bytesToHex, getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction } from '@coinfront/protocol/transaction.ts';
import type { TestNode } from '../../test/harness/litecoind.ts';
import { createBlockLedger, type LedgerBlock, type LedgerOutput } from './block-ledger.ts';

/** An output to an address; no height while it is in the mempool. */
export type SeenOutput = LedgerOutput & { readonly height: number | undefined };

/** What the node says of chain and mempool, asked call by call and remembered. */
export type ChainTruth = {
  /** Brings it to the node's tip and mempool. */
  follow(): Promise<void>;
  height(): number;
  hashAt(height: number): string | undefined;
  findHeight(txid: string): number | undefined;
  isInMempool(txid: string): boolean;
  /** Outpoints (`txid:vout`) that the mempool spends. */
  isSpentInMempool(outpoint: string): boolean;
  /** Outputs to an address, in blocks and in the mempool. */
  listOutputs(address: string): SeenOutput[];
  /** Transactions of the newest blocks, newest first. */
  listNewest(count: number): readonly string[];
};

type NodeBlock = {
  hash: string;
  previousblockhash?: string;
  tx: {
    txid: string;
    vout: {
      n: number;
      value: number;
      scriptPubKey: { hex: string; address?: string; addresses?: string[] };
    }[];
  }[];
};
type MempoolTx = { outputs: { script: string; amount: bigint }[]; spends: string[] };

const UNITS_PER_COIN = 1e8;

/** Follows a node; scripts of addresses are given by `scriptOf`. */
export function createChainTruth(node: TestNode, scriptOf: (address: string) => string): ChainTruth {
  const ledger = createBlockLedger();
  let mempool = new Map<string, MempoolTx>();
  let spent = new Set<string>();

  async function followBlocks(): Promise<void> {
    for (;;) {
      const tipHeight = await node.rpc<number>('getblockcount');
      while (ledger.height() > tipHeight) ledger.disconnect();
      while (
        ledger.height() >= 0 &&
        (await node.rpc('getblockhash', ledger.height())) !== ledger.hashAt(ledger.height())
      )
        ledger.disconnect();
      if (ledger.height() === tipHeight) return;
      for (let height = ledger.height() + 1; height <= tipHeight; height++) {
        const hash = await node.rpc<string>('getblockhash', height);
        ledger.connect(describeBlock(await node.rpc<NodeBlock>('getblock', hash, 2)));
      }
    }
  }

  async function followMempool(): Promise<void> {
    const txids = await node.rpc<string[]>('getrawmempool');
    const next = new Map<string, MempoolTx>();
    for (const txid of txids) next.set(txid, mempool.get(txid) ?? (await readMempoolTx(node, txid)));
    mempool = next;
    spent = new Set([...next.values()].flatMap(({ spends }) => spends));
  }

  return {
    async follow() {
      await followBlocks();
      await followMempool();
    },
    height: ledger.height,
    hashAt: ledger.hashAt,
    findHeight: ledger.findHeight,
    isInMempool: (txid) => mempool.has(txid),
    isSpentInMempool: (outpoint) => spent.has(outpoint),
    listOutputs(address) {
      const script = scriptOf(address);
      const waiting = [...mempool].flatMap(([txid, { outputs }]) =>
        outputs.flatMap((output, vout) =>
          output.script === script ? [{ txid, vout, address, amount: output.amount, height: undefined }] : [],
        ),
      );
      return [...ledger.listOutputs(address), ...waiting];
    },
    listNewest: ledger.listNewest,
  };
}

function describeBlock({ hash, previousblockhash, tx }: NodeBlock): LedgerBlock {
  return {
    hash,
    previousHash: previousblockhash,
    txids: tx.map(({ txid }) => txid),
    outputs: tx.flatMap(({ txid, vout }) =>
      vout.flatMap(({ n, value, scriptPubKey }) => {
        const address = scriptPubKey.address ?? scriptPubKey.addresses?.[0];
        if (address === undefined) return [];
        return [{ txid, vout: n, address, amount: BigInt(Math.round(value * UNITS_PER_COIN)) }];
      }),
    ),
  };
}

async function readMempoolTx(node: TestNode, txid: string): Promise<MempoolTx> {
  const tx = getValue(parseTransaction(getHexBytes(await node.rpc<string>('getrawtransaction', txid))));
  return {
    outputs: tx.outputs.map(({ script, value }) => ({ script: bytesToHex(script), amount: value })),
    spends: tx.inputs.map(({ prevTxid, prevVout }) => `${toDisplayHash(prevTxid)}:${prevVout}`),
  };
}
