import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { createStateHasher, hashEvents } from '@coinfront/protocol/hash-chain.ts';
import {
  type Anchor,
  type AnchorPlace,
  digestStateRow,
  encodeAnchorEvent,
  listAnchors,
} from '@coinfront/protocol/proofs/anchor.ts';
import { defineTable } from '../../db/table.ts';
import { sha256 } from '../../indexer/encoding/hashes.ts';
import { defineHashLog } from '../../indexer/parts/hash-log.ts';
import type { ConnectedBlock, IndexerPart, PartRow, PartWriter } from '../../indexer/parts/part.ts';

/** Every anchor of the chain in chain order; the script index of the chain finds those of one digest. */
export const anchorTable = {
  kind: 'log',
  table: defineTable({
    name: 'proof_anchor',
    columns: { height: 'int', position: 'int', vout: 'int', digest: 'bytes' },
    primaryKey: ['height', 'position', 'vout'],
  }),
} as const;

/** The primary anchor of each digest: the live state, in its order. */
export const digestTable = {
  kind: 'state',
  table: defineTable({
    name: 'proof_digest',
    columns: { digest: 'bytes', height: 'int', position: 'int', vout: 'int', txid: 'bytes' },
    primaryKey: ['digest'],
  }),
} as const;

/** How many anchors there are: one row. */
export const anchorCountTable = {
  kind: 'state',
  table: defineTable({ name: 'proof_count', columns: { id: 'int', anchors: 'int' }, primaryKey: ['id'] }),
} as const;

/** The hash chain of proofs. */
export const proofHashes = defineHashLog('proof');

/** Follows the anchors of proofs with this marker: every such output counts, in any transaction. */
export function createProofAnchors(marker: Uint8Array): IndexerPart {
  return {
    name: 'proof_anchors',
    version: 2,
    rules: bytesToHex(marker),
    tables: [anchorTable, digestTable, anchorCountTable, ...proofHashes.tables],
    async connectBlock(block, writer) {
      const anchors = block.listDataCarriers(marker).flatMap((position) => {
        const { outputs } = block.getTransaction(position);
        return listAnchors(outputs, marker).map(({ vout, digest }) => ({
          height: block.height,
          position,
          vout,
          // A copy: a view would keep the bytes of its whole block for as long as the row is remembered.
          digest: digest.slice(),
        }));
      });
      for (const anchor of anchors) writer.append(anchorTable, anchor);
      await writePrimaries(block, writer, anchors);
      if (anchors.length > 0) {
        const before = await writer.find(anchorCountTable, [0]);
        const count = Number(before?.anchors ?? 0) + anchors.length;
        await writer.put(anchorCountTable, { id: 0, anchors: count });
      }
      const events = anchors.map((anchor) =>
        encodeAnchorEvent({ position: anchor.position, txid: block.getTxid(anchor.position) }, anchor),
      );
      await proofHashes.connect(block, writer, hashEvents(events, sha256), () => hashDigests(writer));
    },
  };
}

/** The first anchor of a digest stays its primary one. */
async function writePrimaries(
  block: ConnectedBlock,
  writer: PartWriter,
  anchors: readonly (Anchor & AnchorPlace)[],
): Promise<void> {
  if (anchors.length === 0) return;
  const cells = await writer.open(
    digestTable,
    anchors.map(({ digest }) => [digest]),
  );
  for (const [i, { digest, height, position, vout }] of anchors.entries()) {
    if (cells[i]!.row !== undefined) continue;
    const txid = block.getTxid(position).slice();
    writer.set(cells[i]!, { digest, height, position, vout, txid });
  }
}

/** The row of the live state that a row of {@link digestTable} stands for. */
export function toDigestStateRow(row: PartRow) {
  const place = { height: Number(row.height), position: Number(row.position), vout: Number(row.vout) };
  return digestStateRow(row.digest as Uint8Array, place, row.txid as Uint8Array);
}

async function hashDigests(writer: PartWriter): Promise<Uint8Array> {
  const hasher = createStateHasher();
  for await (const row of writer.scan(digestTable)) hasher.add(toDigestStateRow(row));
  return hasher.finish();
}
