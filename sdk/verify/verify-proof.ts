import type { LeafJson } from '@coinfront/api/proof-calendar.ts';
import type { ProofJson } from '@coinfront/api/proofs.ts';
import { parseHeader } from '@coinfront/protocol/block.ts';
import { parseDisplayHash, parseHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import {
  LEAF_FAULTS,
  type LeafFault,
  type LeafPlace,
  verifyLeaf,
} from '@coinfront/protocol/proofs/verify-leaf.ts';
import { verifyProof as verifyAnchor } from '@coinfront/protocol/proofs/verify-proof.ts';
import { checkHeaders, type HeaderFault, type UNCHECKED } from './check-headers.ts';
import type { WorkKind } from './proof-of-work.ts';

/** Why a proof proves nothing. */
export type ProofVerdictFault = LeafFault | 'proof_missing' | 'proof_malformed' | HeaderFault;

/** What is known of a proof after it was checked without any service. */
export type ProofVerdict =
  | {
      ok: true;
      /** Display hex. */
      txid: string;
      blockHash: string;
      /** What the block's miner wrote into its header, Unix seconds. */
      time: number;
      /** Of the block and the headers after it: how many, and the hashes that they are expected to have taken. */
      headers: number;
      work: bigint;
      /** Whether the work was checked, header by header. */
      workChecked: boolean;
      unchecked: (keyof typeof UNCHECKED)[];
    }
  | { ok: false; code: ProofVerdictFault; detail: string };

export type VerifyProofOptions = {
  /** How the coin proves work ({@link findWorkKind}); without it work is not checked. */
  work?: WorkKind | undefined;
  /** The easiest target that the coin allows ({@link findEasiestTarget}): easier headers are none of its own. */
  easiestTarget?: bigint | undefined;
  /** Headers, hex, that follow the proof's block one by one, from wherever they came. */
  headers?: readonly string[];
  /** Hash of the proof's block, or of one of `headers`, from a source that you trust: such as your own node. */
  trustedBlock?: string;
  /** First four bytes of payloads that anchor; those of the specification unless given. */
  marker?: Uint8Array;
};

const MARKER = Uint8Array.of(0x56, 0x50, 0x46, 0x31);
const HEX_DIGEST = /^[0-9a-f]{64}$/;
const MAX_HEADERS = 100_000;
const MAX_PATH = 64;

/** A proof: of a digest that a transaction of its own carries, or of one that is a leaf of the calendar. */
export type KeptProof = Pick<ProofJson, 'primary'> & Partial<Pick<LeafJson, 'leaf'>>;

/**
 * Checks offline that a digest stands in a block: that the transaction anchors it, or the root of a tree that has it, that the merkle branch
 * leads from the transaction to the header, and that the header, and those after it, carry proof of work. It says what it did not check.
 *
 * @param digest - SHA-256 of the file, hex, computed by yourself
 * @param proof - an answer of `/api/v1/proof/lookup/{sha256}` or `/api/v1/proof/leaf/{sha256}`, perhaps kept for years
 * @example
 * const verdict = verifyProof(await hashFile(file), proof, { work: findWorkKind(genesisHash), trustedBlock });
 */
export function verifyProof(
  digest: string,
  proof: KeptProof,
  { work, easiestTarget, headers = [], trustedBlock, marker = MARKER }: VerifyProofOptions = {},
): ProofVerdict {
  // It may come from a file that somebody has kept: anything.
  const primary = (proof as typeof proof | null)?.primary;
  if (!primary) return fault('proof_missing', 'The digest is in no block yet.');
  const parsed = readPrimary(primary, digest, headers);
  const place = proof.leaf == null ? undefined : readPlace(proof.leaf);
  if (parsed === undefined || place === 'malformed')
    return fault('proof_malformed', 'The digest, the proof or a header has not its form.');
  const anchored =
    place === undefined
      ? verifyAnchor(parsed.digest, parsed.anchor, marker)
      : verifyLeaf(parsed.digest, place, parsed.anchor, marker);
  if (!anchored.ok) return fault(anchored.reason, LEAF_FAULTS[anchored.reason]);

  const chain = checkHeaders([parsed.anchor.header, ...parsed.headers], {
    work,
    easiestTarget,
    trustedBlock,
  });
  if (!chain.ok) return chain;
  const { txid, blockHash, time } = anchored.value;
  return { ...chain, txid: toDisplayHash(txid), blockHash: toDisplayHash(blockHash), time };
}

type Primary = NonNullable<ProofJson['primary']>;

function readPrimary(
  { tx, vout, position, branch, header }: Primary,
  digest: string,
  headers: readonly string[],
) {
  if (
    !HEX_DIGEST.test(digest) ||
    typeof tx !== 'string' ||
    !Array.isArray(branch) ||
    headers.length > MAX_HEADERS
  ) {
    return undefined;
  }
  const steps = branch.map((hash) => parseDisplayHash(String(hash)));
  const [rawTx, digestBytes, headerBytes, ...later] = [tx, digest, header, ...headers].map((hex) =>
    parseHex(String(hex)),
  );
  if (!rawTx?.ok || !digestBytes?.ok || !headerBytes?.ok) return undefined;
  const isIndex = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;
  if (!isIndex(vout) || !isIndex(position)) return undefined;
  const read: Uint8Array[] = [];
  for (const each of later) {
    if (!each.ok || !parseHeader(each.value).ok) return undefined;
    read.push(each.value);
  }
  const hashes: Uint8Array[] = [];
  for (const step of steps) {
    if (!step.ok) return undefined;
    hashes.push(step.value);
  }
  return {
    digest: digestBytes.value,
    headers: read,
    anchor: { rawTx: rawTx.value, vout, position, branch: hashes, header: headerBytes.value },
  };
}

function readPlace({ index, size, path, root }: NonNullable<LeafJson['leaf']>): LeafPlace | 'malformed' {
  if (!Array.isArray(path) || path.length > MAX_PATH) return 'malformed';
  const hashes: Uint8Array[] = [];
  for (const hex of [root, ...path]) {
    const parsed = parseHex(String(hex));
    if (!parsed.ok) return 'malformed';
    hashes.push(parsed.value);
  }
  const [rootHash, ...siblings] = hashes;
  return { index, size, path: siblings, root: rootHash! };
}

function fault(code: ProofVerdictFault, detail: string): ProofVerdict & { ok: false } {
  return { ok: false, code, detail };
}
