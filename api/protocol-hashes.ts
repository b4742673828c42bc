/** What proofs, names and tokens have in common: hashes of their state, by which services that follow the same chain compare it. */

import Type, { type Static } from 'typebox';
import { Count, Hash, Hex, Nullable, OneOf, Strict, Time } from './common.ts';

/** The rules that a state was derived by. */
export const RulesId = Hex(
  'SHA-256 of the rules in the coin profile: hashes of services with another one cannot be compared. See docs/protocols/hash-chain.md.',
);

/** The latest state that was hashed. */
export const LatestState = Nullable(
  Strict(
    { height: Count('A height that 1,000 divides.'), hash: Hex('state(h).') },
    { description: 'The latest one; null before the first.' },
  ),
);

/** Path of the hashes of a height. */
export const HeightParams = Strict({
  height: Type.Integer({ minimum: 0, maximum: 0x7fffffff, description: 'Height of a block.' }),
});

/** How a peer compares. */
export const replicaStates = [
  'agrees',
  'differs',
  'other_rules',
  'unreachable',
  'incomparable',
  'unchecked',
] as const;

/** A peer that this service compares itself with. */
export const ReplicaView = Strict(
  {
    url: Type.String({ description: 'Its base address.' }),
    state: OneOf(replicaStates, {
      description:
        '`other_rules`: its coin profile has other rules for the same coin (`rules_id`), so that nothing can be said of its state. `incomparable`: it follows another coin, or another marker. `unchecked`: not yet asked.',
    }),
    height: Nullable(Count('Height of its index.')),
    chain_hash: Nullable(Hex('chain(h) at that height, as it says.')),
    compared_height: Nullable(Count('The height at which both were compared.')),
    first_difference: Nullable(Count('The lowest height at which the hashes differ, where they do.')),
    same_block: Nullable(
      Type.Boolean({
        description:
          'Whether both have the same block at that height. If so one of them derived its state wrongly; if not they follow different branches.',
      }),
    ),
    checked_at: Nullable(Time('When it was asked.')),
  },
  { title: 'Replica' },
);
export type ReplicaJson = Static<typeof ReplicaView>;

/** The peers of a status. */
export const ReplicaList = Type.Array(ReplicaView, {
  description: 'The peers that the operator configured; asked in the background.',
});

/** What is read of a peer's status. Services of an earlier version say less. */
export const PeerStatusView = Type.Object({
  as_of: Type.Object({ height: Count('Height of the tip.') }),
  chain_hash: Hex('chain(h) of the tip.'),
  marker: Hex('First four bytes of a payload.'),
  genesis_hash: Type.Optional(Hash('The chain.')),
  activation_height: Type.Optional(Count('The first height at which operations count.')),
  rules_id: Type.Optional(RulesId),
});

/** What is read of a peer's hashes. */
export const PeerHashesView = Type.Object({
  block_hash: Hash('Its block.'),
  chain_hash: Hex('chain(h).'),
  state_hash: Nullable(Hex('state(h).')),
});
