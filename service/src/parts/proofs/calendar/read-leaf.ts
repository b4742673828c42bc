import type { LeafJson } from '@coinfront/api/proof-calendar.ts';
import type { TakenDigestJson } from '@coinfront/api/proofs.ts';
import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { BlockRecord, ChainView } from '../../../chain/chain-reads.ts';
import { type ProofRules, readProof } from '../read-proof.ts';
import { batchOfPart, type CalendarLeaf, type FoundLeaf } from './find-leaf.ts';
import type { KnownDigest } from './pending-store.ts';

/** No further anchors of a root are of interest. */
const firstOnly = { limit: 1, cursor: undefined, charge: () => {} };

/** What the calendar and the chain have of a digest. */
export async function readLeaf(
  view: ChainView,
  tip: BlockRecord,
  digest: string,
  found: FoundLeaf | undefined,
  rules: ProofRules,
): Promise<LeafJson> {
  const { acceptedAt, leaf } = found ?? {};
  const common = {
    sha256: digest,
    accepted_at: acceptedAt === undefined ? null : new Date(acceptedAt).toISOString(),
  };
  if (leaf === undefined)
    return {
      ...common,
      state: found === undefined ? 'unknown' : 'pending',
      leaf: null,
      primary: null,
      pending: [],
    };
  const { state, primary, pending } = await readProof(view, tip, getHexBytes(leaf.root), rules, firstOnly);
  return {
    ...common,
    state: state === 'unknown' ? 'pending' : state,
    leaf: describePlace(leaf),
    primary,
    pending,
  };
}

function describePlace({ path, sealedAt, ...leaf }: CalendarLeaf): NonNullable<LeafJson['leaf']> {
  return { ...leaf, path: path.map(bytesToHex), sealed_at: new Date(sealedAt).toISOString() };
}

/** A digest that was taken, as it is answered. */
export function describeTaken({ digest, acceptedAt, part }: KnownDigest): TakenDigestJson {
  return {
    sha256: digest,
    accepted_at: acceptedAt === undefined ? null : new Date(acceptedAt).toISOString(),
    batch: part === undefined ? null : batchOfPart(part),
  };
}
