import { sql } from '../../db/statement.ts';
import type { PartRow } from '../../indexer/parts/part.ts';
import type { StateSource } from '../../replicas/state-source.ts';
import { digestTable, toDigestStateRow } from './proof-anchors.ts';

const LIST_BEHIND = sql<PartRow>(
  'select digest, height, position, vout, txid from proof_digest where digest > $1 order by digest limit $2',
);

/** The live state of proofs: each digest with its primary anchor. */
export const proofState: StateSource = {
  kinds: [1],
  async readBehind({ reader }, _height, _kind, key, limit) {
    const rows = await reader.all(LIST_BEHIND, [key, limit]);
    const last = rows.length < limit ? undefined : (rows.at(-1)?.digest as Uint8Array);
    return { rows: rows.map((row) => ({ row: toDigestStateRow(row) })), last };
  },
  tables: [digestTable.table],
  async listChanged(_view, _height, undone) {
    return undone.list(digestTable.table).map(({ key, before }) => ({
      kind: 1,
      key: key[0] as Uint8Array,
      was: before && { row: toDigestStateRow(before) },
    }));
  },
};
