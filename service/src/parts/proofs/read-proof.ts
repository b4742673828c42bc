import type { AnchorJson, ProofJson, ProofState } from '@coinfront/api/proofs.ts';
import { bytesToHex, equalBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { anchorScript } from '@coinfront/protocol/proofs/anchor.ts';
import { serializeTransaction } from '@coinfront/protocol/transaction.ts';
import { type BlockRecord, type ChainView, confirmationsAt, parseStripped } from '../../chain/chain-reads.ts';
import type { FirstOutput } from '../../chain/chain-view.ts';
import { findMerkleProof } from '../../chain/merkle-proof.ts';
import { makeRowCursor, readRowCursor } from '../../http/position-cursor.ts';

/** What the profile says of proofs. */
export type ProofRules = { marker: Uint8Array; finalConfirmations: number };

/** Bytes of a transaction that a proof carries at most; a larger one is read by its txid. */
const MAX_TX_BYTES = 100_000;
const SHOWN_PENDING = 25;

type Page = {
  limit: number;
  cursor: string | undefined;
  /** Told of the bytes of each transaction that is looked through. */
  charge(bytes: number): void;
};

/** What is known of a digest. */
export async function readProof(
  view: ChainView,
  tip: BlockRecord,
  digest: Uint8Array,
  rules: ProofRules,
  page: Page,
): Promise<ProofJson> {
  const script = anchorScript(digest, rules.marker);
  const first = await view.findFirstOutput(script);
  const pending = await view.listMempoolHistory(script, undefined, SHOWN_PENDING);
  const { further, cursor } =
    first === undefined ? { further: [], cursor: null } : await listFurther(view, tip, script, first, page);
  return {
    sha256: bytesToHex(digest),
    state: stateOf(first, pending.length, tip, rules),
    script: bytesToHex(script),
    anchors: (await view.getScriptStats(script)).fundedCount,
    primary: first === undefined ? null : await readProvenAnchor(view, tip, first),
    pending: pending.flatMap(({ txid, status }) =>
      status.confirmed
        ? []
        : [{ txid: toDisplayHash(txid), first_seen: new Date(status.firstSeenMs).toISOString() }],
    ),
    further,
    next_cursor: cursor,
  };
}

function stateOf(
  first: FirstOutput | undefined,
  pending: number,
  tip: BlockRecord,
  { finalConfirmations }: ProofRules,
): ProofState {
  if (first === undefined) return pending > 0 ? 'mempool' : 'unknown';
  return confirmationsAt(first.height, tip) >= finalConfirmations ? 'final' : 'confirmed';
}

/** Where an anchor stands, as it is shown. */
export function serialiseAnchor(
  { txid, vout, position }: FirstOutput,
  block: BlockRecord,
  tip: BlockRecord,
): AnchorJson {
  return {
    txid: toDisplayHash(txid),
    vout,
    height: block.height,
    position,
    block_hash: toDisplayHash(block.hash),
    block_time: new Date(block.time * 1000).toISOString(),
    median_time: new Date(block.medianTimePast * 1000).toISOString(),
    confirmations: confirmationsAt(block.height, tip),
  };
}

async function readProvenAnchor(
  view: ChainView,
  tip: BlockRecord,
  first: FirstOutput,
): Promise<NonNullable<ProofJson['primary']>> {
  const record = await view.findTx(first.txid);
  const proof = record && (await findMerkleProof(view, record));
  if (!record || !proof) throw new Error(`the anchor ${toDisplayHash(first.txid)} has no block`);
  const stripped = serializeTransaction(parseStripped(record), { witness: false });
  return {
    ...serialiseAnchor(first, proof.block, tip),
    tx: stripped.length > MAX_TX_BYTES ? null : bytesToHex(stripped),
    branch: proof.branch.map(toDisplayHash),
    merkle_root: toDisplayHash(proof.merkleRoot),
    header: bytesToHex(proof.block.header),
    ambiguous: proof.isAmbiguous,
  };
}

/**
 * A page of the anchors besides the first one, newest first in the order of the protocol: height, transaction, output. What is
 * counted are outputs: one transaction may carry a digest thousands of times.
 */
async function listFurther(
  view: ChainView,
  tip: BlockRecord,
  script: Uint8Array,
  first: FirstOutput,
  { limit, cursor, charge }: Page,
): Promise<{ further: AnchorJson[]; cursor: string | null }> {
  const list = { kind: 'anchors', subject: bytesToHex(script) };
  const from = await readRowCursor(view, list, cursor, 2);
  // The transaction that the page before ended in comes again, from the output below the last on.
  const [resumedId, resumedVout] = from?.numbers ?? [];
  const further: AnchorJson[] = [];
  let lastId = 0;
  const below = resumedId === undefined ? undefined : resumedId + 1;
  for (const { txId, txid, status } of await view.listHistory(script, below, limit + 2)) {
    const record = await view.findTx(txid);
    const block = status.confirmed ? await view.findBlockAt(status.height) : undefined;
    if (!record || !block || !status.confirmed) continue;
    charge(record.raw.length);
    const { outputs } = parseStripped(record);
    for (let vout = outputs.length - 1; vout >= 0; vout--) {
      if (txId === resumedId && vout >= resumedVout!) continue;
      const isFirst = vout === first.vout && equalBytes(txid, first.txid);
      if (isFirst || !equalBytes(outputs[vout]!.script, script)) continue;
      if (further.length === limit) {
        const { height, vout: lastVout } = further.at(-1)!;
        return { further, cursor: await makeRowCursor(view, list, height, [lastId, lastVout]) };
      }
      further.push(
        serialiseAnchor({ txid, vout, height: block.height, position: status.position }, block, tip),
      );
      lastId = txId;
    }
  }
  return { further, cursor: null };
}
