import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { hashEvents } from '@coinfront/protocol/hash-chain.ts';
import { encodeAnchorEvent, listAnchors } from '@coinfront/protocol/proofs/anchor.ts';
import { defineTable } from '../../db/table.ts';
import { sha256 } from '../../indexer/encoding/hashes.ts';
import { defineHashLog } from '../../indexer/parts/hash-log.ts';
import type { ConnectedBlock, IndexerPart, PartWriter } from '../../indexer/parts/part.ts';

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

/** The hash chain of proofs. All of their state follows from their events, so it has no hashes of its own. */
export const proofHashes = defineHashLog('proof');

/** Follows the anchors of proofs with this marker: every such output counts, in any transaction. */
export function createProofAnchors(marker: Uint8Array): IndexerPart {
  return {
    name: 'proof_anchors',
    version: 1,
    rules: bytesToHex(marker),
    tables: [anchorTable, anchorCountTable, ...proofHashes.tables],
    async connectBlock(block, writer) {
      const events: Uint8Array[] = [];
      for (const position of block.listDataCarriers(marker)) {
        events.push(...connectCarrier(block, writer, position, marker));
      }
      await proofHashes.connect(block, writer, hashEvents(events, sha256));
      if (events.length === 0) return;
      const before = await writer.find(anchorCountTable, [0]);
      await writer.put(anchorCountTable, { id: 0, anchors: Number(before?.anchors ?? 0) + events.length });
    },
  };
}

/** @returns the canonical bytes of its anchors */
function connectCarrier(
  block: ConnectedBlock,
  writer: PartWriter,
  position: number,
  marker: Uint8Array,
): Uint8Array[] {
  return listAnchors(block.getTransaction(position).outputs, marker).map((anchor) => {
    writer.append(anchorTable, { height: block.height, position, ...anchor });
    return encodeAnchorEvent({ position, txid: block.getTxid(position) }, anchor);
  });
}
