/** The chain API: schemas of many reads in one request. */

import Type, { type Static } from 'typebox';
import { AsOf, Count, Strict } from './common.ts';

/** Bounds of `/batch`. */
export const batchLimits = {
  /** Reads in one request. */
  reads: 100,
  /** Characters of the path and query of one of them. */
  pathLength: 1_024,
  /** Characters of all answers together. */
  answersLength: 4_194_304,
} as const;

/** Body of /batch. */
export const BatchBody = Strict(
  {
    reads: Type.Array(
      Type.String({
        minLength: 1,
        maxLength: batchLimits.pathLength,
        description:
          'Path and query of one GET, percent-encoded as in a URL: below /api/v1, such as "/address/{address}", or whole, such as ' +
          '"/api/vns/v1/address/{address}".',
      }),
      {
        minItems: 1,
        maxItems: batchLimits.reads,
        description: 'What is asked for, in the order of the answers.',
      },
    ),
  },
  { title: 'BatchBody' },
);

/** One of the answers of /batch. */
export const BatchItem = Strict(
  {
    status: Count('What the read would have been answered with by itself: 200, or the status of an error.'),
    body: Type.Unsafe<unknown>({
      description: 'The same JSON as by itself; for an error, its problem document.',
    }),
  },
  { title: 'BatchItem' },
);

/** Answer of /batch. */
export const BatchAnswer = Strict(
  {
    as_of: AsOf,
    answers: Type.Array(BatchItem, { description: 'As many as reads, in their order.' }),
  },
  { title: 'BatchAnswer' },
);

export type BatchAnswerJson = Static<typeof BatchAnswer>;
export type BatchItemJson = Static<typeof BatchItem>;
