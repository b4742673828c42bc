/** The life of one name: what was done with it, and what became of it when nothing was. */

import Type, { type Static } from 'typebox';
import { Amount, AsOf, Count, Hash, Nullable, OneOf, Strict } from './common.ts';
import { MomentView, PartyView } from './names.ts';
import { pageOf } from './paging.ts';

/** What can happen to a name. */
export const nameEvents = [
  'registered',
  'renewed',
  'transferred',
  'shown',
  'described',
  'expired',
  'released',
  'lapsed',
] as const;

/** One event of a name's life. */
export const NameEventView = Strict(
  {
    kind: OneOf(nameEvents, {
      description:
        '`registered`, `renewed`, `transferred`: a valid operation. `shown`: its owner set it as the reverse record of his address. `described`: its owner set or removed its text records. `expired`: it no longer resolved. `released`: its grace was over, ' +
        'anybody could register it for a premium. `lapsed`: the premium was over, too.',
    }),
    at: MomentView,
    txid: Nullable(Hash('Of an operation: its transaction.')),
    sender: Nullable(PartyView),
    owner: Nullable(PartyView),
    periods: Nullable(Count('Of `registered` and `renewed`: periods that were paid for.')),
    paid: Nullable(Amount('Of `registered` and `renewed`: what was paid to the fee script.')),
    expiry: Nullable(Count('Of an operation: the expiry from then on.')),
  },
  { title: 'NameEvent' },
);
export type NameEventJson = Static<typeof NameEventView>;

/** The events of a name. */
export const NameTimeline = Strict(
  {
    name: Type.String({ description: 'The name.' }),
    as_of: AsOf,
    ...pageOf(NameEventView, {
      description:
        'Newest first. On the first page come before all others those that lie ahead if nothing is done: their `at` is `estimated`. ' +
        '`limit` counts operations. `owner` is who has the name from `registered` or `transferred` on, otherwise null. A page looks at up ' +
        'to 1000 operations, invalid ones too, so it can have none and yet a `next_cursor`.',
    }),
  },
  { title: 'NameTimeline' },
);
export type NameTimelineJson = Static<typeof NameTimeline>;
