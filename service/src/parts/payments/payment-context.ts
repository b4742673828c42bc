import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { Precious, Query } from '../../db/precious.ts';
import type { PaymentTables } from './payment-tables.ts';

/** What everything of this part needs. */
export type PaymentContext = {
  precious: Precious;
  profile: CoinProfile;
  /** What clients call this service, without a slash at the end; empty makes links relative to it. */
  publicUrl: string;
  /** Unix milliseconds. */
  now: () => number;
  /** Called after a commit that wrote an event: it can be sent. */
  onEvent: () => void;
  /** Called after a commit that changed what has to be judged. */
  onDue: () => void;
};

/** Queries of the tables of payments. */
export type PaymentQuery = Query<PaymentTables>;
