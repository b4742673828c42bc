/** API keys that a merchant makes by itself, each with a name and a scope. */

import Type, { type Static } from 'typebox';
import { Nullable, OneOf, Strict, Time } from './common.ts';
import { pageOf, pageParameters } from './paging.ts';

/** What a key may do, from the least to the most; each includes the one before. */
export const keyScopes = ['read', 'create', 'all'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Keys of one merchant, characters of a name, seconds of a key's life. */
export const merchantKeyLimits = {
  count: 50,
  nameLength: 100,
  expiresIn: { min: 60, max: 315_360_000 },
} as const;

const Name = Type.String({
  minLength: 1,
  maxLength: merchantKeyLimits.nameLength,
  description: 'By which people tell it apart from others.',
});
const Scope = OneOf(keyScopes, {
  description:
    '`read`: everything that only reads. `create`: besides, creating payments and cancelling them. `all`: everything.',
});

/** Identifier of a key. */
export const KeyIdParameter = Type.String({
  pattern: '^key_[0-9A-HJKMNP-TV-Z]{20}$',
  minLength: 24,
  maxLength: 24,
  description: 'Identifier of an API key; not the key itself.',
});

/** Path of one key. */
export const KeyParams = Strict({ key_id: KeyIdParameter });

/** Body of POST /merchant/keys. */
export const KeyRequestBody = Strict(
  {
    name: Name,
    scope: Scope,
    expires_in: Type.Optional(
      Type.Integer({
        minimum: merchantKeyLimits.expiresIn.min,
        maximum: merchantKeyLimits.expiresIn.max,
        description: 'Seconds until it ends by itself; it does not unless given.',
      }),
    ),
  },
  { title: 'KeyRequest' },
);
export type KeyRequestJson = Static<typeof KeyRequestBody>;

const keyFields = {
  id: KeyIdParameter,
  name: Nullable(Type.String({ description: 'Its name; null for a key that the operator made.' })),
  scope: Scope,
  hint: Type.String({ description: 'Its first characters.' }),
  created_at: Time('When it was made.'),
  last_used_at: Nullable(Time('When it was last used, to the hour; null: not yet.')),
  expires_at: Nullable(Time('When it ends; null: not by itself.')),
};

/** An API key, without what only its holder knows. */
export const KeyView = Strict(keyFields, { title: 'Key' });
export type KeyJson = Static<typeof KeyView>;

/** Answer of POST /merchant/keys. */
export const CreatedKeyView = Strict(
  { ...keyFields, key: Type.String({ description: 'The key. It is not shown again.' }) },
  { title: 'CreatedKey' },
);
export type CreatedKeyJson = Static<typeof CreatedKeyView>;

/** Query of the list of keys. */
export const KeyListQuery = Strict(pageParameters);

/** A merchant's valid keys, oldest first. */
export const KeyList = Strict(pageOf(KeyView), { title: 'KeyList' });
export type KeyListJson = Static<typeof KeyList>;
