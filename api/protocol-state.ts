/** The live state of proofs, names and tokens: the rows that state(h) is the hash of, in pages. */

import Type, { type Static } from 'typebox';
import { AsOf, Count, Hex, Nullable, OneOf, Strict } from './common.ts';
import { pageOf } from './paging.ts';
import { RulesId } from './protocol-hashes.ts';

/** Rows of a page. */
export const stateLimits = { default: 100, max: 500 } as const;

/** Query of a page of the state. */
export const StateQuery = Strict({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: stateLimits.max,
      default: stateLimits.default,
      description: `Rows of a page at most; ${stateLimits.default} unless given, never more than ${stateLimits.max}.`,
    }),
  ),
  height: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 0x7fffffff,
      description:
        'The state behind the block of this height; the tip unless given. It must still be one that can be undone: see `COINFRONT_REORG_HORIZON`. A cursor has its own.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 160,
      pattern: '^[A-Za-z0-9_-]+$',
      description:
        'The next_cursor of the page before. Opaque; good for this list, and while the state of its block can be read.',
    }),
  ),
});

/** Query of the hashes of a height. */
export const HashesQuery = Strict({
  state: Type.Optional(
    OneOf(['true', 'false'], {
      description:
        'Asks for state(h): it is kept of heights that 1,000 divides, and computed of blocks that can still be undone. Of others there is none (`state_unavailable`).',
    }),
  ),
});

/** A row of the state. */
export const StateRowView = Strict(
  {
    kind: Count('Kind of the row: see docs/protocols/hash-chain.md.'),
    key: Hex('Its key.'),
    value: Hex('Its value.'),
    script: Nullable(
      Hex(
        'The script whose SHA-256 is in the row: of the owner of a name, the issuer of a token, the holder of a balance. It is not hashed by itself. Null for other rows.',
      ),
    ),
  },
  { title: 'StateRow' },
);

/** A page of the state. */
export const StatePageView = Strict(
  {
    as_of: AsOf,
    rules_id: RulesId,
    chain_hash: Hex('chain(h) of the block of `as_of`.'),
    ...pageOf(StateRowView, {
      description:
        'In the order in which they are hashed. A page can have fewer than asked for, or none, and not be the last.',
    }),
  },
  { title: 'StatePage' },
);
export type StatePageJson = Static<typeof StatePageView>;
