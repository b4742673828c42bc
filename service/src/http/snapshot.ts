/**
 * Names the snapshot that a response was read from: `X-Chain-Height`, `X-Chain-Tip`, and an ETag.
 *
 * The ETag is made of what the body depends on - the tip, and the mempool's version where the mempool shows - and
 * of a salt for what the program and the coin profile add. So 304 is answered before any work is done, and every
 * process of one deployment gives the same ETag. What depends on more has an ETag that is made of the answer itself.
 *
 * ETags are weak (RFC 9110, 8.8.1): they name what is said, which is the same however its bytes are compressed.
 */

import { hash } from 'node:crypto';

import { equalBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';

/**
 * What a response depends on beyond its URL; `volatile` is more than the snapshot: what the node last said, or what is in
 * other tables. Only the whole answer tells whether it has changed.
 */
export type Dependence = 'tip' | 'mempool' | 'volatile';

/** Header values of one snapshot. */
export type SnapshotNames = { height: string; tip: string; tipTag: string; mempoolTag: string };

type SnapshotKey = { height: number; hash: Uint8Array };

/** Creates the function that names snapshots; it remembers the last one, so that naming costs nothing between blocks. */
export function createSnapshotNamer(
  salt: string,
): (tip: SnapshotKey, mempoolVersion: number) => SnapshotNames {
  let lastHash = new Uint8Array(0);
  let lastVersion = -1;
  let last: SnapshotNames = { height: '', tip: '', tipTag: '', mempoolTag: '' };
  return (tip, mempoolVersion) => {
    if (mempoolVersion === lastVersion && equalBytes(tip.hash, lastHash)) return last;
    const tipHash = toDisplayHash(tip.hash);
    // The end of a hash: its beginning is zeros, and 80 bits of it are plenty to tell tips apart.
    const tag = `${salt}-${tip.height.toString(36)}-${tipHash.slice(-20)}`;
    lastHash = Uint8Array.from(tip.hash);
    lastVersion = mempoolVersion;
    last = {
      height: String(tip.height),
      tip: tipHash,
      tipTag: `W/"${tag}"`,
      mempoolTag: `W/"${tag}-${mempoolVersion.toString(36)}"`,
    };
    return last;
  };
}

/** A snapshot as bodies name it. */
export function describeAsOf(tip: SnapshotKey): { height: number; hash: string } {
  return { height: tip.height, hash: toDisplayHash(tip.hash) };
}

/**
 * Whether `If-None-Match` (RFC 9110, 13.1.2: weak comparison) names this ETag. `*` names whatever is there, which only
 * an answer tells.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag) return true;
  const wanted = opaqueTag(etag);
  return header.split(',').some((each) => opaqueTag(each.trim()) === wanted);
}

function opaqueTag(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}

/** The ETag of an answer that is not a function of a snapshot: made of its text. */
export function nameText(text: string): string {
  return `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}

/**
 * How long a response may be kept.
 *
 * - `mempool`: bodies that show the mempool or what may be spent. Always revalidated; the ETag makes that cheap. A
 *   wallet that has just broadcast must see it.
 * - `tip`, `volatile`: bodies that change with each block, with what the node says, or that have sums of the mempool: two seconds.
 * - `buried`: a block, or a proof, with 100 confirmations and more. Only `confirmations` still changes in it, and
 *   `X-Chain-Height` says for which height it was right: ten minutes.
 * - `fixed`: bytes named by their own hash, buried: a year, never revalidated.
 * - `none`: state of this service, not of the chain.
 */
export const cacheControls = {
  mempool: 'public, no-cache',
  tip: 'public, max-age=2',
  volatile: 'public, max-age=2',
  buried: 'public, max-age=600',
  fixed: 'public, max-age=31536000, immutable',
  none: 'no-store',
} as const;

/** A key of {@link cacheControls}. */
export type CachePolicy = keyof typeof cacheControls;

/** From how many confirmations on a block is taken as not to be undone, for caching only. */
export const buriedConfirmations = 100;
