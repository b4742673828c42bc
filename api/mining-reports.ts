/** Mining: schemas of the blocks and payments that the software of a pool reports. */

import Type, { type Static } from 'typebox';
import { Amount, Count, Hash, Nullable, OneOf, Strict, Time } from './common.ts';
import { PoolNameParameter, Ratio, sourceFields } from './mining.ts';

/** Blocks, and payments, of a report at most. */
export const maxReported = 100;

/** Query of /pool/reports. */
export const PoolReportQuery = Strict({ source: Type.Optional(PoolNameParameter) });

/** What a pool says became of a block. */
export const reportedStates = ['pending', 'confirmed', 'orphaned'] as const;

/** Answer of /pool/reports. */
export const PoolReport = Strict(
  {
    ...sourceFields,
    blocks: Nullable(
      Type.Array(
        Strict(
          {
            height: Nullable(Count('Its height, in the chain that the pool mines.')),
            hash: Nullable(Hash('Its hash.')),
            time: Nullable(Time('When the pool found it.')),
            state: Nullable(OneOf(reportedStates, { description: 'What the pool says became of it.' })),
            reward: Nullable(Amount('What it brings, in coins of the chain that the pool mines.')),
            effort: Ratio('Effort that it took.'),
            finder: Nullable(Type.String({ description: 'The miner who found it.' })),
            confirmations: Nullable(
              Count(
                'Of the block with this hash in the best chain of this coin. Null where there is none: it was replaced, or it is a block of another chain.',
              ),
            ),
          },
          { title: 'ReportedBlock' },
        ),
        { description: `The latest ${maxReported} at most, newest first. Null where the source lists none.` },
      ),
    ),
    payments: Nullable(
      Type.Array(
        Strict(
          {
            time: Nullable(Time('When the pool made it.')),
            address: Nullable(Type.String({ description: 'Whom it paid.' })),
            amount: Amount('Coins of the chain that the pool mines.'),
            txid: Nullable(Hash('Its transaction.')),
          },
          { title: 'ReportedPayment' },
        ),
        { description: `The latest ${maxReported} at most, newest first. Null where the source lists none.` },
      ),
    ),
  },
  { title: 'PoolReport' },
);
export type PoolReportJson = Static<typeof PoolReport>;
