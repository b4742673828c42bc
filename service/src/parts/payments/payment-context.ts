import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { Result } from '@coinfront/protocol/result.ts';
import type { ChainView, ReadChain } from '../../chain/chain-view.ts';
import type { Precious, Query } from '../../db/precious.ts';
import type { BodyReader } from '../../http/read-body.ts';
import type { Rates } from './rates/follow-rates.ts';
import type { PaymentTables } from './schema/payment-tables.ts';

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

/** What the routes of this part need besides. */
export type PaymentRouteContext = PaymentContext & {
  readChain: ReadChain;
  /** The normalised form of a URL that webhooks may be sent to, or why they may not, as told to the merchant. */
  checkWebhookUrl: (url: string) => Result<string>;
  /** Whether the operator has opened a host: browsers may be led there by plain http. */
  isOpenedHost: (host: string) => boolean;
  /** Whether this service has pages of transactions. */
  hasExplorer: boolean;
  /** The address that a name stands for; undefined when it has none. Absent where names are not served. */
  resolveName?: (name: string) => Promise<string | undefined>;
  /** What coins cost in other money. Absent where the operator has no rates. */
  rates?: Rates;
  /** Base units for 1,000 virtual bytes: what gets into one of the next blocks, and what the node relays at least. */
  estimateFeeRate: (view: ChainView) => Promise<bigint>;
  getRelayRate: () => bigint;
  /** Reads texts, and refuses keys in them: what a form says is no JSON. */
  bodies: Pick<BodyReader, 'readText' | 'readJson'>;
};

/** Queries of the tables of payments. */
export type PaymentQuery = Query<PaymentTables>;
