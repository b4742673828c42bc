import { blockHashOf, serializeHeader } from '@coinfront/protocol/block.ts';
import { scanBlock } from '@coinfront/protocol/block-scan.ts';
import { concatBytes } from '@coinfront/protocol/bytes.ts';
import { merkleRoot } from '@coinfront/protocol/merkle.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { serializeTransaction, type Transaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { createWriter } from '@coinfront/protocol/writer.ts';
import { sha256 } from '../../service/src/indexer/encoding/hashes.ts';
import type { FetchedBlock } from '../../service/src/indexer/feed/fetched-block.ts';

/** A block of these transactions upon another, as it is fetched; without proof of work. */
export function assembleBlock(
  parent: FetchedBlock | undefined,
  { height, time, nonce, txs }: { height: number; time: number; nonce: number; txs: readonly Transaction[] },
): FetchedBlock {
  const header = serializeHeader({
    version: 1,
    prevHash: parent?.hash ?? new Uint8Array(32),
    merkleRoot: merkleRoot(txs.map(txidOf)),
    time,
    bits: 0x207fffff,
    nonce,
  });
  const writer = createWriter(1_000);
  writer.compactSize(txs.length);
  const raw = concatBytes(
    header,
    writer.finish(),
    ...txs.map((tx) => serializeTransaction(tx, { witness: true })),
  );
  return { height, hash: blockHashOf(header), scan: getValue(scanBlock(raw, { auxpow: false, sha256 })) };
}
