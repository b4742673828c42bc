import { bytesToHex } from '../bytes.ts';
import type { StateRow } from '../canonical.ts';
import { hashState } from '../hash-chain.ts';
import type { PlacedTransaction } from '../operation.ts';
import { digestStateRow, encodeAnchorEvent, listAnchors } from '../proofs/anchor.ts';
import { createHashLog } from './ledger.ts';

/** The anchors of a chain in memory: the first of a digest is its primary one. */
export type ProofLedger = {
  connectBlock(blockHash: Uint8Array, transactions: readonly PlacedTransaction[]): void;
  chainHash(): Uint8Array;
  stateHash(): Uint8Array;
  /** The live state in its order. */
  listRows(): StateRow[];
};

/** Creates an empty ledger. */
export function createProofLedger(marker: Uint8Array): ProofLedger {
  const hashes = createHashLog();
  const primaries = new Map<string, StateRow>();
  return {
    connectBlock(blockHash, transactions) {
      const events: Uint8Array[] = [];
      for (const place of transactions) {
        for (const anchor of listAnchors(place.tx.outputs, marker)) {
          events.push(encodeAnchorEvent(place, anchor));
          const key = bytesToHex(anchor.digest);
          const row = digestStateRow(anchor.digest, { ...place, vout: anchor.vout }, place.txid);
          if (!primaries.has(key)) primaries.set(key, row);
        }
      }
      hashes.connect(blockHash, events);
    },
    chainHash: hashes.chain,
    stateHash: () => hashState(primaries.values()),
    listRows: () => [...primaries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
  };
}
