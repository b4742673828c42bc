/** The tables of webhooks: receivers, secrets, events and their deliveries. Units as in `payment-tables.ts`. */

/** A webhook secret. It signs, so it has to be known: it cannot be kept as a hash. */
export type WebhookSecretTable = {
  id: string;
  merchant_id: string;
  secret: string;
  created_at: number;
  expires_at: number | null;
};

/** What a delivery sends, and how it is signed. */
export type WebhookFormat = 'coinfront' | 'btcpay';

/** A receiver that gets a merchant's events besides the one that the payment or the merchant names. */
export type WebhookEndpointTable = {
  id: string;
  merchant_id: string;
  url: string;
  format: WebhookFormat;
  /** What signs instead of the merchant's secrets; null: those do. */
  secret: string | null;
  /** Types of events that it gets, in the words of its format, a JSON array; null: all. */
  events: string | null;
  /** 0 while nothing is sent to it. */
  enabled: number;
  description: string;
  created_at: number;
};

/** A receiver that answered 410: nothing more is sent to it until a delivery is asked for again. */
export type DisabledReceiverTable = { merchant_id: string; url: string; disabled_at: number };

/** What merchants are told, with the exact bytes. */
export type EventTable = {
  id: string;
  merchant_id: string;
  payment_id: string | null;
  type: string;
  sequence: number;
  body: string;
  created_at: number;
  /** Its number in the merchant's feed, from 1 without a gap; null until the feed is read up to it. */
  position: number | null;
  /** The latest `created_at` up to this position; null as `position` is. Grows with it, so that a time can be found. */
  position_at: number | null;
};

/** How far a merchant's feed of events is numbered. Whoever numbers holds this row. */
export type EventFeedTable = {
  merchant_id: string;
  /** The last number that was given; 0 before the first. */
  position: number;
  /** `position_at` of that one. */
  position_at: number;
  /** Events of before are not part of the feed. */
  begins_at: number;
  /** The highest number of those that were purged; 0 while none was. */
  purged: number;
};

export type DeliveryState = 'pending' | 'delivered' | 'dead' | 'disabled';

/** One event on its way to one receiver. */
export type DeliveryTable = {
  id: string;
  event_id: string;
  merchant_id: string;
  url: string;
  /**
   * Merchant, and scheme, host and port of `url`, with a space between: no merchant and no receiver takes more than its share. Where
   * deliveries are sent one after another, a third word: what they are for.
   */
  lane: string;
  state: DeliveryState;
  /** Tries that were begun. */
  attempts: number;
  /** Tries of earlier schedules: each time it is asked for again, the schedule begins anew. */
  attempts_before: number;
  /** 1 while somebody is sending it; only until `next_at`. */
  is_taken: number;
  /** When it is tried next; whoever takes it moves this on by the length of a claim. */
  next_at: number;
  last_status: number | null;
  last_error: string | null;
  created_at: number;
  ended_at: number | null;
  /** The endpoint that it is for, which may be there no more; null for the receiver that payment or merchant name. */
  webhook_id: string | null;
  /** What is sent instead of the event's own body, without the payment's metadata, which are added then; null: that is. */
  body: string | null;
};

export type DeliveryAttemptTable = {
  delivery_id: string;
  attempt: number;
  at: number;
  duration_ms: number;
  status: number | null;
  error: string | null;
};

export type WebhookTables = {
  webhook_secret: WebhookSecretTable;
  webhook_endpoint: WebhookEndpointTable;
  disabled_receiver: DisabledReceiverTable;
  event: EventTable;
  event_feed: EventFeedTable;
  delivery: DeliveryTable;
  delivery_attempt: DeliveryAttemptTable;
};
