import { isAmbiguousMerkleLeaf, merkleBranch } from '@coinfront/protocol/merkle.ts';
import { transactionSizes } from '@coinfront/protocol/transaction.ts';
import {
  type BlockRecord,
  type ChainView,
  parseStripped,
  readHeaderFields,
  type TxRecord,
} from './chain-reads.ts';

/** That a block has a transaction: from the txid to the merkle root in the header. Hashes in internal byte order. */
export type MerkleProof = {
  block: BlockRecord;
  position: number;
  branch: Uint8Array[];
  merkleRoot: Uint8Array;
  /** A transaction of 64 bytes cannot be told from an inner node: such a proof proves nothing. */
  isAmbiguous: boolean;
};

/** The proof of a confirmed transaction; undefined for one in the mempool. */
export async function findMerkleProof(view: ChainView, record: TxRecord): Promise<MerkleProof | undefined> {
  const { status } = record;
  const block = status.confirmed ? await view.findBlockAt(status.height) : undefined;
  if (!status.confirmed || block === undefined) return undefined;
  const txids = await view.listBlockTxids(block);
  return {
    block,
    position: status.position,
    branch: merkleBranch(txids, status.position),
    merkleRoot: readHeaderFields(block.header).merkleRoot,
    isAmbiguous: isAmbiguousMerkleLeaf(transactionSizes(parseStripped(record)).strippedSize),
  };
}
