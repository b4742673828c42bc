/** With which name an address is to be shown, as its owner says. */

import Type, { type Static } from 'typebox';
import { AsOf, Nullable, OneOf, Strict } from './common.ts';
import { MomentView } from './names.ts';
import { AddressText } from './unsigned.ts';

/** Why an address has no name to be shown with. */
export const reverseReasons = ['inactive', 'none', 'expired'] as const;

const reverseFields = {
  address: Type.String({ description: 'The address.' }),
  name: Nullable(
    Type.String({
      description:
        'The name to show for the address: its owner has set it, and it resolves to the address. Null where there is none.',
    }),
  ),
  reason: Nullable(
    OneOf(reverseReasons, {
      description:
        'Why `name` is null. `inactive`: the coin has no reverse records, or not yet. `none`: nothing was set, or it was removed, or the ' +
        'name has gone to somebody else. `expired`: what was set does not resolve until it is renewed.',
    }),
  ),
  expiry: Nullable(MomentView),
};

/** The reverse record of an address. */
export const NameReverse = Strict({ as_of: AsOf, ...reverseFields }, { title: 'NameReverse' });
export type NameReverseJson = Static<typeof NameReverse>;

/** Addresses of one request. */
export const MAX_REVERSE_ADDRESSES = 100;

/** Body of `POST /reverse`. */
export const NameReverseBody = Strict(
  {
    addresses: Type.Array(AddressText('An address.'), {
      minItems: 1,
      maxItems: MAX_REVERSE_ADDRESSES,
      description: `Up to ${MAX_REVERSE_ADDRESSES}, such as those of a list that is shown.`,
    }),
  },
  { title: 'NameReverseRequest' },
);

/** The reverse records of several addresses. */
export const NameReverseList = Strict(
  {
    as_of: AsOf,
    items: Type.Array(Strict(reverseFields, { title: 'AddressReverse' }), {
      description: 'One for each address, in the order of the request.',
    }),
  },
  { title: 'NameReverseList' },
);
export type NameReverseListJson = Static<typeof NameReverseList>;
