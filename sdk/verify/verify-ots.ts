import { blockHashOf, parseHeader } from '@coinfront/protocol/block.ts';
import { bytesToHex, equalBytes, parseHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { blockTagOf } from '@coinfront/protocol/ots/ots-attestations.ts';
import { parseOts } from '@coinfront/protocol/ots/parse-ots.ts';
import { checkHeaders, type HeaderFault, type HeaderOptions, type UNCHECKED } from './check-headers.ts';

/** What a file of OpenTimestamps says. */
export type OtsContent = {
  /** What the timestamped file was hashed with, and its digest, hex. */
  hash: string;
  digest: string;
  /** Blocks of the chain that is asked about, and the merkle root (internal byte order, hex) that each has to have. */
  blocks: { height: number; merkleRoot: string }[];
  /** Calendars that have promised more. */
  pending: string[];
  /** How many attestations are by other chains, or of a kind that is not known. */
  others: number;
};

/**
 * Reads a file of OpenTimestamps.
 *
 * @param genesisHash - of the chain whose blocks are of interest, display hex
 * @example
 * const read = readOts(await readFile('contract.pdf.ots'), genesisHash);
 */
export function readOts(
  file: Uint8Array,
  genesisHash: string,
): { ok: true; value: OtsContent } | { ok: false; detail: string } {
  const tag = blockTagOf(genesisHash);
  const parsed = parseOts(file, tag);
  if (!parsed.ok) return { ok: false, detail: `It is no file of OpenTimestamps: ${parsed.reason}.` };
  const content: OtsContent = {
    hash: parsed.value.file.hash,
    digest: bytesToHex(parsed.value.file.digest),
    blocks: [],
    pending: [],
    others: 0,
  };
  for (const { attestation, message } of parsed.value.attested) {
    if (attestation.kind === 'pending') content.pending.push(attestation.uri);
    else if (attestation.kind === 'block' && attestation.tag === tag)
      content.blocks.push({ height: attestation.height, merkleRoot: bytesToHex(message) });
    else content.others += 1;
  }
  return { ok: true, value: content };
}

/** Why a file of OpenTimestamps proves nothing. */
export type OtsFault =
  | 'ots_malformed'
  | 'digest_differs'
  | 'block_missing'
  | 'header_malformed'
  | 'root_differs'
  | HeaderFault;

/** What a file of OpenTimestamps proves with headers that were handed over. */
export type OtsVerdict =
  | {
      ok: true;
      height: number;
      blockHash: string;
      /** What the block's miner wrote into its header, Unix seconds. */
      time: number;
      headers: number;
      work: bigint;
      workChecked: boolean;
      unchecked: (keyof typeof UNCHECKED)[];
    }
  | { ok: false; code: OtsFault; detail: string };

export type VerifyOtsOptions = HeaderOptions & {
  genesisHash: string;
  /** Height of the first header: one of those that {@link readOts} tells. */
  height: number;
  /** Headers, hex: that of the block of this height, and those that follow it one by one. */
  headers: readonly string[];
};

/**
 * Checks a file of OpenTimestamps against headers of a chain: that its operations lead from the digest to the merkle root of a block, and that the
 * header of the block, and those after it, carry proof of work. It says what it did not check.
 *
 * @param digest - of the timestamped file, hex, computed by yourself with the hash that {@link readOts} tells
 * @example
 * const verdict = verifyOts(digest, file, { genesisHash, height: 812340, headers, work: findWorkKind(genesisHash) });
 */
export function verifyOts(
  digest: string,
  file: Uint8Array,
  { genesisHash, height, headers, ...options }: VerifyOtsOptions,
): OtsVerdict {
  const read = readOts(file, genesisHash);
  if (!read.ok) return fault('ots_malformed', read.detail);
  const { value } = read;
  if (value.digest !== digest.toLowerCase())
    return fault('digest_differs', `The file of OpenTimestamps is about another digest, ${value.digest}.`);
  const roots = value.blocks.filter((block) => block.height === height);
  if (roots.length === 0)
    return fault('block_missing', `It has no attestation by block ${height} of this chain.`);
  const chain: Uint8Array[] = [];
  for (const hex of headers) {
    const bytes = parseHex(hex);
    if (!bytes.ok || !parseHeader(bytes.value).ok)
      return fault('header_malformed', 'A header has not 80 bytes.');
    chain.push(bytes.value);
  }
  const [first] = chain;
  const header = first && parseHeader(first);
  if (first === undefined || !header?.ok)
    return fault('header_malformed', `The header of block ${height} is missing.`);
  const { merkleRoot, time } = header.value;
  if (!roots.some((root) => equalBytes(Uint8Array.from(merkleRoot), hexBytes(root.merkleRoot))))
    return fault('root_differs', `Block ${height} of this chain has another merkle root.`);
  const checked = checkHeaders(chain, options);
  if (!checked.ok) return checked;
  return { ...checked, height, blockHash: toDisplayHash(blockHashOf(first)), time };
}

function hexBytes(hex: string): Uint8Array {
  const parsed = parseHex(hex);
  return parsed.ok ? parsed.value : new Uint8Array(0);
}

function fault(code: OtsFault, detail: string): OtsVerdict & { ok: false } {
  return { ok: false, code, detail };
}
