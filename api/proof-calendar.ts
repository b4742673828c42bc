/** The calendar: digests that are anchored together, by the root of a tree. */

import Type, { type Static } from 'typebox';
import { Count, Hash, Hex, Nullable, OneOf, Strict, Time } from './common.ts';
import { Digest, DigestParameter, ProvenAnchorView, TakenDigestView } from './proofs.ts';

/** Digests of one request at most. */
export const maxBatchDigests = 4_000;

/** Body of POST /proof/batch. */
export const DigestBatchBody = Strict(
  {
    sha256: Type.Array(DigestParameter, {
      minItems: 1,
      maxItems: maxBatchDigests,
      description: `SHA-256 digests, ${maxBatchDigests} at most.`,
    }),
  },
  { title: 'DigestBatch' },
);

/** Answer of POST /proof/batch. */
export const DigestBatchView = Strict(
  {
    items: Type.Array(TakenDigestView, {
      maxItems: maxBatchDigests,
      description: 'One for each digest, in their order.',
    }),
  },
  { title: 'DigestBatchResult' },
);
export type DigestBatchJson = Static<typeof DigestBatchView>;

/** States of a digest of the calendar. */
export const leafStates = ['unknown', 'pending', 'mempool', 'confirmed', 'final'] as const;
export type LeafState = (typeof leafStates)[number];

/** Where a digest stands in a tree. */
export const LeafPlaceView = Strict(
  {
    batch: Count('Number of the tree.'),
    index: Count('Place of the leaf in the tree.'),
    size: Count('Leaves of the tree.'),
    path: Type.Array(Hex('A sibling on the way to the root.'), {
      maxItems: 52,
      description: 'From the leaf up. Hashes are read as they stand, not reversed.',
    }),
    root: Hex('Root of the tree: the digest that is anchored.'),
    sealed_at: Time('When the tree was made.'),
  },
  { title: 'LeafPlace' },
);

/** What the calendar has of a digest, with all that checks it. */
export const LeafView = Strict(
  {
    sha256: Digest,
    state: OneOf(leafStates, {
      description:
        '`unknown`: the calendar never took it. `pending`: it was taken, and no transaction is seen yet. The others are those of the root.',
    }),
    accepted_at: Nullable(Time('When it was taken; null once it is in a tree.')),
    leaf: Nullable(LeafPlaceView),
    primary: Nullable(ProvenAnchorView),
    pending: Type.Array(
      Strict({
        txid: Hash('A transaction in the mempool that carries the root.'),
        first_seen: Time('When it came.'),
      }),
      { maxItems: 25, description: 'Newest first, 25 at most.' },
    ),
  },
  { title: 'CalendarLeaf' },
);
export type LeafJson = Static<typeof LeafView>;

/** Query of GET /proof/ots/{sha256}. */
export const OtsFileQuery = Strict({
  pending: Type.Optional(
    OneOf(['true', 'false'], {
      description: 'Whether a digest that waits in the calendar gives a file that can be upgraded later.',
    }),
  ),
});
