import { concat, isEqual, toHex } from './bytes.ts';
import { createFields, demand } from './carrier.ts';
import { event, int, type Row } from './encoding.ts';
import type { Journal } from './journal.ts';
import type { Placed } from './protocol.ts';

type Primary = {
  readonly height: number;
  readonly index: number;
  readonly vout: number;
  readonly txid: Uint8Array;
};

/** `docs/protocols/proofs.md`: anchors of digests. */
export type Proofs = {
  /** The events of a transaction's anchors. */
  apply(placed: Placed): Uint8Array[];
  listRows(): Row[];
  /** Puts a row of a state into one that is empty as yet. @throws Invalid */
  putRow(row: Row): void;
};

export function createProofs(marker: Uint8Array, journal: Journal): Proofs {
  const primaries = journal.createTable<Primary>();
  return {
    apply({ tx, index, height }) {
      return tx.outputs.flatMap(({ script }, vout) => {
        const digest = findDigest(script, marker);
        if (digest === undefined) return [];
        const key = toHex(digest);
        // In the order of the chain: the first is the primary one.
        if (primaries.get(key) === undefined) primaries.set(key, { height, index, vout, txid: tx.txid });
        return [event(index, tx.txid, 1, int(vout), digest)];
      });
    },
    listRows: () =>
      Array.from(primaries.entries(), ([digest, { height, index, vout, txid }]) => ({
        kind: 1,
        key: new Uint8Array(Buffer.from(digest, 'hex')),
        value: concat(int(height), int(index), int(vout), txid),
      })),
    putRow({ kind, key, value }) {
      demand(kind === 1 && key.length === 32, 'row_form');
      const fields = createFields(value, 0);
      const [height, index, vout] = [fields.integer(), fields.integer(), fields.integer()].map(Number);
      const txid = fields.bytes(32);
      fields.end();
      primaries.set(toHex(key), { height: height!, index: index!, vout: vout!, txid });
    },
  };
}

/** The digest that a script anchors: exactly a push of marker and 32 bytes. */
export function findDigest(script: Uint8Array, marker: Uint8Array): Uint8Array | undefined {
  const isAnchor = script.length === 38 && script[0] === 0x6a && script[1] === 0x24;
  return isAnchor && isEqual(script.subarray(2, 6), marker) ? script.subarray(6) : undefined;
}
