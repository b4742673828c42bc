/** What the routes of the chain part are made with. */

import type { HistoryRange, MempoolHistoryJson } from '@coinfront/api/mempool-history.ts';
import type { PoolShareJson } from '@coinfront/api/mining.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { BlockRecord, ChainView } from '../../chain/chain-view.ts';
import type { HashrateWindow } from '../../chain/hashrate-rules.ts';
import type { ReadDependencies } from '../../http/read-route.ts';
import type { FollowReport } from '../../indexer/follow/follow.ts';
import type { BroadcastResult } from '../../node/broadcast.ts';
import type { NodeFees } from '../../node/fee-estimates.ts';
import type { MethodUse } from '../../node/methods.ts';
import type { NodeFacts } from '../../node/node-facts.ts';
import type { PollState } from '../../poll.ts';
import type { ReleaseState } from './releases.ts';
import type { RichList } from './rich-list/rank-balances.ts';
import type { ShownWatch } from './shown-watch.ts';
import type { SyncProgress } from './sync-progress.ts';

/** One thing that a search found; `path` is below the base address of the service. */
export type SearchHit = {
  kind: 'block' | 'transaction' | 'address' | 'name' | 'token' | 'proof' | 'payment';
  id: string;
  path: string;
};

/** One thing that begins with a text. */
export type Suggestion = { kind: 'name' | 'token'; id: string; label: string; path: string };

/** What another part has that begins with a text, so many at most. */
export type FindSuggestions = (
  start: string,
  view: ChainView,
  limit: number,
) => Promise<readonly Suggestion[]>;

/** A search of another part, in the same view; it answers nothing for what is not in its form. */
export type FindHits = (query: string, view: ChainView) => Promise<readonly SearchHit[]>;

/** The public pool's share of the network, for /stats. */
export type PoolShare = {
  /** Whether it depends on more than the chain. */
  isVolatile: boolean;
  read(view: ChainView, tip: BlockRecord, network: readonly HashrateWindow[]): Promise<PoolShareJson>;
};

/** Dependencies of the chain part, and of the Esplora part. */
export type ChainContext = ReadDependencies & {
  profile: CoinProfile;
  /** Version of this service. */
  version: string;
  /** What the node last said about itself. */
  getNodeState: () => PollState<NodeFacts>;
  /** What this process' indexer last reported; undefined where it has none, or one that stands by. */
  findIndexerReport: () => FollowReport | undefined;
  /** Undefined while the index is in step with the node. */
  findSyncProgress: () => SyncProgress | undefined;
  /** Whether a read of the index has met damage since the start. */
  isIndexDamaged: () => boolean;
  /** What the node last said about fees. */
  getFeeState: () => PollState<NodeFees>;
  /** Methods that the node refuses to this process; undefined until it could be asked. */
  listRefusedMethods: () => readonly MethodUse[] | undefined;
  /** Hands a transaction to the node; `txid` is its display hex. Throws NodeError when the node cannot be asked. */
  broadcast: (rawTxHex: string, txid: string) => Promise<BroadcastResult>;
  /** Waits until reads show a transaction that the node has taken, a bounded time. */
  waitUntilShown: ShownWatch;
  readReleases: () => Promise<ReleaseState>;
  /** For /config; undefined means no limit. */
  rateLimitPerMinute: number | undefined;
  /** For /config: how long payments wait past their expiry. */
  paymentWaitSeconds: number;
  /** For /config: currencies that a price can be in now. Absent where prices are taken in coins only. */
  listCurrencies?: (() => readonly string[]) | undefined;
  /** The mempool over time, as it was recorded. */
  readMempoolHistory: (range: HistoryRange) => Promise<MempoolHistoryJson>;
  /** The latest list of the richest addresses; undefined until there is one. Absent where none is kept. */
  readRichList?: (() => Promise<RichList | undefined>) | undefined;
  /** Searches of other parts, asked in this order. */
  searches: readonly FindHits[];
  /** Suggestions of other parts, asked in this order. */
  suggestions: readonly FindSuggestions[];
  /** Undefined where the coin has no public pool. */
  poolShare?: PoolShare | undefined;
};

/** Where this part's routes begin. */
export const chainPrefix = '/api/v1';
