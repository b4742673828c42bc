/** Signed logs: what is told of them besides the texts and tiles of C2SP. */

import Type, { type Static } from 'typebox';
import { Count, Hex, OneOf, Strict, Time } from './common.ts';

const Size = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

/** A checkpoint as a text. */
export const CheckpointText = Type.String({
  description: 'A signed note: origin, entries, root in base64, an empty line, signatures.',
});

/** Query of a proof of consistency. */
export const LogGrowthQuery = Strict({
  from: Size('Entries of the earlier checkpoint.'),
  to: Size('Entries of the later one; not more than the log has.'),
});

/** A proof that a log goes on from an earlier checkpoint. */
export const LogGrowthView = Strict(
  {
    from: Count('Entries of the earlier checkpoint.'),
    to: Count('Entries of the later one.'),
    path: Type.Array(Hex('A hash of the proof (RFC 6962, 2.1.2), in its order.')),
  },
  { title: 'LogGrowth' },
);
export type LogGrowthJson = Static<typeof LogGrowthView>;

/** The checkpoint by which something was given to the chain. */
export const LogAnchorView = Strict(
  {
    log_size: Count('Entries of the checkpoint.'),
    digest: Hex('SHA-256 of its three lines: what /api/v1/proof/{sha256} finds in the chain.'),
  },
  {
    title: 'LogAnchor',
    description:
      'The first checkpoint with the entry whose digest was given to the chain. Null while there is none: before it was sent, and where the operator has no wallet for it; then only kept checkpoints and witnesses show a change.',
  },
);
export type LogAnchorJson = Static<typeof LogAnchorView>;

/** Checkpoints that a witness has refused. */
export const RefusedHeadList = Strict(
  {
    items: Type.Array(
      Strict(
        {
          origin: Type.String({ description: 'The log.' }),
          reason: OneOf(['other_root', 'not_consistent', 'no_proof', 'shorter', 'other_key'], {
            description:
              '`other_root`: two roots for one size. `not_consistent`: the proof of the log that the larger goes on from the smaller does not hold. `no_proof`: it gave none. `shorter`: it had more entries, and still had fewer when it was asked again. `other_key`: the service shows a log under another key.',
          }),
          is_proof: Type.Boolean({
            description: 'Whether both checkpoints together prove to everybody that the log was changed.',
          }),
          refused: CheckpointText,
          cosigned: CheckpointText,
          refused_at: Time('When it was refused first.'),
        },
        { title: 'RefusedHead' },
      ),
      { maxItems: 200 },
    ),
  },
  { title: 'RefusedHeadList' },
);
