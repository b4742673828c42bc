import type { TxProofJson } from '@coinfront/api/chain-transactions.ts';
import { blockHashOf, parseHeader } from '@coinfront/protocol/block.ts';
import { parseDisplayHash, parseHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { isAmbiguousMerkleLeaf, verifyMerkleBranch } from '@coinfront/protocol/merkle.ts';
import { parseTransaction, transactionSizes, txidOf } from '@coinfront/protocol/transaction.ts';
import { hasProofOfWork, type WorkKind } from './proof-of-work.ts';

/** A block that was shown to hold a transaction. */
export type ProvenBlock = {
  /** Display hex. */
  txid: string;
  blockHash: string;
  /** What its miner wrote, Unix seconds. */
  time: number;
  /** Whether its header carries the work that it says; that it is of the best chain nobody proves here. */
  workChecked: boolean;
};

/**
 * Checks offline that a block holds a transaction, from its bytes and an answer of `/tx/{txid}/proof`. Undefined when it
 * does not, when the transaction cannot be told from a node of the tree, or when nobody worked for the header.
 *
 * @param rawTx - hex; the proof alone would not show what the transaction says
 * @example
 * const block = verifyTransactionProof(raw_tx, await getTransactionProof(client, { txid }), { work: findWorkKind(genesisHash) });
 */
export function verifyTransactionProof(
  rawTx: string,
  proof: Pick<TxProofJson, 'branch' | 'header' | 'position'>,
  { work }: { work?: WorkKind | undefined } = {},
): ProvenBlock | undefined {
  // It may come from a file that somebody has kept: anything.
  if (typeof proof !== 'object' || proof === null) return undefined;
  const [bytes, headerBytes] = [rawTx, proof.header].map((hex) => parseHex(String(hex)));
  const tx = bytes?.ok ? parseTransaction(bytes.value) : undefined;
  const header = headerBytes?.ok ? parseHeader(headerBytes.value) : undefined;
  if (!tx?.ok || !headerBytes?.ok || !header?.ok || !Array.isArray(proof.branch)) return undefined;
  if (isAmbiguousMerkleLeaf(transactionSizes(tx.value).strippedSize)) return undefined;
  const branch: Uint8Array[] = [];
  for (const text of proof.branch) {
    const hash = parseDisplayHash(String(text));
    if (!hash.ok) return undefined;
    branch.push(hash.value);
  }
  const txid = txidOf(tx.value);
  if (!verifyMerkleBranch(txid, branch, proof.position, header.value.merkleRoot).ok) return undefined;
  const kind = work === undefined || work === 'auxpow' ? undefined : work;
  if (kind !== undefined && !hasProofOfWork(headerBytes.value, kind)) return undefined;
  return {
    txid: toDisplayHash(txid),
    blockHash: toDisplayHash(blockHashOf(headerBytes.value)),
    time: header.value.time,
    workChecked: kind !== undefined,
  };
}
