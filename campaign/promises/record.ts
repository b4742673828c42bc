import type { FeedEventJson } from '@coinfront/api/merchant-events.ts';
import type { ReceivedRequest } from '../../test/harness/receiver.ts';

/** What the service has promised by its answers: kept by this program, outside of the service. */

/** A payment that was answered with 201. */
export type PaymentPromise = {
  /** The Idempotency-Key and the description. */
  readonly key: string;
  readonly id: string;
  readonly address: string;
  readonly amount: bigint;
  readonly confirmations: number;
  /** Milliseconds, by the service's clock. */
  readonly expiresAt: number;
  /** Cancelling was answered with 200. */
  isCancelled: boolean;
  /** Cancelling was asked for, and no answer came. */
  mayBeCancelled: boolean;
};

/** A request to create whose answer did not come: it is asked again under the same key. */
export type OpenRequest = { readonly key: string; readonly body: Record<string, unknown> };

/** A transaction whose broadcast was answered with 200. */
export type BroadcastPromise = {
  readonly txid: string;
  readonly hex: string;
  /** A digest that it anchors. */
  readonly digest: string | undefined;
  /** The node has lost it since, with its memory, and another transaction has taken its coins. */
  isDropped: boolean;
};

/** All promises so far. */
export type PromiseRecord = {
  readonly payments: Map<string, PaymentPromise>;
  readonly openRequests: Map<string, OpenRequest>;
  readonly broadcasts: Map<string, BroadcastPromise>;
  /** Broadcasts without an answer. */
  readonly openBroadcasts: BroadcastPromise[];
  /** The feed of events as it was read, oldest first, and where to go on. */
  readonly events: ReadonlyMap<string, FeedEventJson>;
  readonly eventsOf: ReadonlyMap<string, readonly FeedEventJson[]>;
  /** @throws Error when the feed has given it before. */
  addEvent(event: FeedEventJson): void;
  feedCursor: string | undefined;
  /** Webhooks that came and have not been judged. */
  readonly arrived: ReceivedRequest[];
  /** Hash of each receipt of the registry that was shown, by its sequence. */
  readonly receipts: Map<number, string>;
  /** Secrets of contributors that were answered with 201. */
  readonly contributors: string[];
};

export function createRecord(): PromiseRecord {
  const events = new Map<string, FeedEventJson>();
  const eventsOf = new Map<string, FeedEventJson[]>();
  return {
    payments: new Map(),
    openRequests: new Map(),
    broadcasts: new Map(),
    openBroadcasts: [],
    events,
    eventsOf,
    addEvent(event) {
      if (events.has(event.id)) throw new Error(`The feed gave event ${event.id} for the second time.`);
      events.set(event.id, event);
      if (event.payment_id === null) return;
      const own = eventsOf.get(event.payment_id) ?? [];
      own.push(event);
      eventsOf.set(event.payment_id, own);
    },
    arrived: [],
    feedCursor: undefined,
    receipts: new Map(),
    contributors: [],
  };
}

/** Chooses one by a number from 0 to 1; undefined where there is none. */
export function choose<T>(items: readonly T[], which: number): T | undefined {
  return items[Math.min(Math.floor(which * items.length), items.length - 1)];
}
