/** Lists that come in pages: their parameters, and what their answers have in common. */

import Type, { type TSchema } from 'typebox';
import { Nullable, Strict } from './common.ts';

/** Items of a page unless the request says otherwise, and at most. */
export const pageLimits = { default: 25, max: 100 } as const;

/** How many items a page may have. */
export const LimitParameter = Type.Integer({
  minimum: 1,
  maximum: pageLimits.max,
  default: pageLimits.default,
  description: `Items of a page at most; ${pageLimits.default} unless given, never more than ${pageLimits.max}.`,
});

/** Where a page begins. */
const CursorParameter = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'The next_cursor of the page before. Opaque; good for this list only.',
});

/** What the query of a paged list has besides its own parameters. */
export const pageParameters = {
  limit: Type.Optional(LimitParameter),
  cursor: Type.Optional(CursorParameter),
};

/** Query of a paged list without parameters of its own. */
export const PageQuery = Strict(pageParameters);

/** The cursor that a page ends with. */
export const NextCursor = Nullable(
  Type.String({ description: 'Give it as `cursor` for the next page. Null on the last page.' }),
);

/** What the answer of a paged list has besides its own fields. */
export function pageOf<T extends TSchema>(item: T, options: { description?: string } = {}) {
  return { items: Type.Array(item, options), next_cursor: NextCursor };
}
