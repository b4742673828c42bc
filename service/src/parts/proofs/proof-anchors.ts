import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { readProofDigest } from '@coinfront/protocol/proofs/proof-script.ts';
import { defineTable } from '../../db/table.ts';
import type { ConnectedBlock, IndexerPart, PartWriter } from '../../indexer/part.ts';

/** Every anchor of the chain in chain order; the script index of the chain finds those of one digest. */
export const anchorTable = {
  kind: 'log',
  table: defineTable({
    name: 'proof_anchor',
    columns: { height: 'int', position: 'int', vout: 'int', digest: 'bytes' },
    primaryKey: ['height', 'position', 'vout'],
  }),
} as const;

/** How many anchors there are: one row. */
export const anchorCountTable = {
  kind: 'state',
  table: defineTable({ name: 'proof_count', columns: { id: 'int', anchors: 'int' }, primaryKey: ['id'] }),
} as const;

/** Follows the anchors of proofs with this marker: every such output counts, in any transaction. */
export function createProofAnchors(marker: Uint8Array): IndexerPart {
  return {
    name: 'proof_anchors',
    version: 1,
    rules: bytesToHex(marker),
    tables: [anchorTable, anchorCountTable],
    async connectBlock(block, writer) {
      let found = 0;
      for (const position of block.listDataCarriers())
        found += connectCarrier(block, writer, position, marker);
      if (found === 0) return;
      const before = await writer.find(anchorCountTable, [0]);
      await writer.put(anchorCountTable, { id: 0, anchors: Number(before?.anchors ?? 0) + found });
    },
  };
}

function connectCarrier(
  block: ConnectedBlock,
  writer: PartWriter,
  position: number,
  marker: Uint8Array,
): number {
  let found = 0;
  for (const [vout, { script }] of block.getTransaction(position).outputs.entries()) {
    const digest = readProofDigest(script, marker);
    if (digest === undefined) continue;
    writer.append(anchorTable, { height: block.height, position, vout, digest });
    found++;
  }
  return found;
}
