/**
 * The tables of payments. Times are Unix milliseconds, amounts decimal text of base units, hashes and txids display hex,
 * `script_hash` the SHA-256 of a scriptPubKey in hex, flags 0 or 1.
 */

import type { KeyScope } from '@coinfront/api/merchant-keys.ts';
import type { PaymentReason, PaymentStatus } from '@coinfront/api/payments.ts';
import type { MerchantCheckoutTable } from './checkout-tables.ts';
import type { RefundTable, ResolutionTable } from './refund-tables.ts';
import type { WebhookTables } from './webhook-tables.ts';

/** Who takes payments; made by the operator. */
export type MerchantTable = {
  id: string;
  name: string;
  /** Where events go that name no payment, and those of payments without an address of their own. */
  webhook_url: string | null;
  /** `pool.low` is told when fewer addresses than this are ready. */
  pool_low_threshold: number;
  /** Hundredths of a percent by which a payment may be short, unless it says otherwise. */
  tolerance_bps: number;
  /** Base units that a payment may be short at most; null: only the percentage bounds it. */
  tolerance_max: string | null;
  /** Sequence of the last event that belongs to no payment. */
  sequence: number;
  created_at: number;
  disabled_at: number | null;
  /** Seconds in which a new payment has to be seen unless it says otherwise; null for that of the service. */
  default_expires_in: number | null;
  /** Confirmations that a new payment requires unless it says otherwise; null for those of the service. */
  default_confirmations: number | null;
};

/** An API key: only its SHA-256. */
export type ApiKeyTable = {
  hash: string;
  merchant_id: string;
  id: string;
  /** Given by the merchant who made it; null for the operator's. */
  name: string | null;
  scope: KeyScope;
  /** First characters, so that people can tell keys apart. */
  hint: string;
  created_at: number;
  /** The operator's: set when another takes its place; null means that it is the present one. */
  expires_at: number | null;
  /** Accurate to the hour; null until its first use. */
  last_used_at: number | null;
  /**
   * What an application was granted with it, in BTCPay's words, a JSON array of permissions: it is good under `/btcpay` only. Null for
   * all others.
   */
  granted: string | null;
};

export type PaymentTable = {
  id: string;
  merchant_id: string;
  status: PaymentStatus;
  reason: PaymentReason | null;
  /** As given: an address or a name; null when the address came from the pool. */
  recipient: string | null;
  address: string;
  script_hash: string;
  amount: string;
  description: string;
  order_id: string | null;
  /** JSON without white space, numbers as they were given. */
  metadata: string | null;
  confirmations_required: number;
  webhook_url: string | null;
  /** Where the checkout page leads back to; checked, normalised. */
  return_url: string | null;
  created_at: number;
  expires_at: number;
  updated_at: number;
  /** Base units by which less than the amount is enough. */
  tolerance: string;
  /** When the buyer's money reached what is due; null while it is less, and when it is over. */
  paid_at: number | null;
  /** When it became `paid` or `overpaid`; null while it is neither, and where that was before this was kept. */
  settled_at: number | null;
  /** Tip when it was made: only what is mined above counts. */
  created_height: number;
  /** 1 when a later payment of the merchant has the same script: new outputs are that one's. */
  superseded: number;
  seen: string;
  mined: string;
  deep: string;
  late: string;
  /** 1 while the whole of what is due has been in sight since its expiry: so long nothing comes too late. */
  held: number;
  /** 1 from the first `paid` or `overpaid` on. */
  settled: number;
  final: number;
  cancelled_at: number | null;
  /** When its merchant said that what had come is enough; null when that was taken back, or has ended. */
  accepted_at: number | null;
  /** What had come then; null as `accepted_at` is. */
  accepted_amount: string | null;
  /** Since when what had been in blocks, or settled, is not any more; null while it is, and when it never was. */
  lost_at: number | null;
  /** Sum of its refunds that are not cancelled. */
  refunded: string;
  /**
   * What of its money its merchant lets be; never more than is left over beside `refunded`. Below zero what is missing to
   * `refunded`, and let be.
   */
  resolved: string;
  /** Where the buyer wants money back; the first word wins. */
  refund_address: string | null;
  refund_address_at: number | null;
  /** Of its last event. */
  sequence: number;
  /** The next height at which depth alone can change its status; null when none can. */
  check_height: number | null;
  /** The time after which time alone changes it; null when none does. One that has passed has it judged anew. */
  check_at: number | null;
  /**
   * Not 0 when it has to be judged whatever the chain does. 1: it is new, or changed by its merchant, and its script has
   * to be looked through first. 2: its outputs changed, or its script was looked through.
   */
  is_due: number;
  /** ISO 4217; null, as all of `price_`, when the amount was given in coins. */
  price_currency: string | null;
  /** Decimal text with all decimals of the currency. */
  price_amount: string | null;
  /** What one coin cost then, exact decimal text; `amount` follows from it. */
  price_rate: string | null;
  /** Names with spaces between them. */
  price_sources: string | null;
  /** Time of the rate. */
  price_at: number | null;
};

/** An output to a payment's script. Of each merchant's payments an outpoint belongs to one, for good. */
export type PaymentOutputTable = {
  txid: string;
  vout: number;
  merchant_id: string;
  payment_id: string;
  value: string;
  coinbase: number;
  /** Block it is in; null in the mempool, or when it is gone. */
  height: number | null;
  block_hash: string | null;
  block_time: number | null;
  first_seen_at: number;
  /** 1 while neither chain nor mempool has it. */
  gone: number;
  /** 0; or why it is never counted, see {@link exclusions}. */
  excluded: number;
  /** 1 when it came, or came back, after expiry or cancellation. The merchant can accept it, then it is 0. */
  late: number;
  /** 1 while its unconfirmed transaction may be replaced (BIP-125); null when nobody has looked. */
  replaceable: number | null;
  /** Base units per virtual byte that its transaction pays, as the mempool had it; null when it was never there. */
  fee_rate: string | null;
};

/** Why an output to a payment's script is not part of it: it was there before, or took the place of what was. */
export const exclusions = { earlier: 1, replacesEarlier: 2 } as const;

/**
 * An outpoint that a transaction spends which paid a script before a payment asked for that script. Whatever else spends
 * it, and pays the script, takes the place of that old money: it belongs where the old money does.
 */
export type EarlierSpendTable = {
  merchant_id: string;
  script_hash: string;
  txid: string;
  vout: number;
  payment_id: string;
  /** As of the old money: see {@link exclusions}. */
  excluded: number;
  /** The transaction that spends it, the latest that is known. */
  spender: string;
};

export type PoolState = 'ready' | 'leased' | 'retired';

/** An address of a merchant's pool. No two merchants ever have the same script. */
export type PoolAddressTable = {
  script_hash: string;
  merchant_id: string;
  address: string;
  /** Order of leasing. */
  position: number;
  state: PoolState;
  payment_id: string | null;
  /** Derivation path below the given key; null for a given address. */
  path: string | null;
  imported_at: number;
  leased_at: number | null;
};

/** An answer that is given again to the same request. */
export type IdempotencyTable = {
  merchant_id: string;
  key: string;
  request_hash: string;
  status: number;
  body: string;
  created_at: number;
};

/** Up to which block payments were judged. */
export type FollowCursorTable = { part: string; height: number; hash: string };

/** Blocks whose outputs are recorded, the latest of them: what a reorganisation is found by. */
export type FollowedBlockTable = { height: number; hash: string };

/** How often a job was taken up: who took it up last may write. */
/** `shared`: what of the job others may take part in at the moment, as JSON; null: nothing. */
export type JobTurnTable = { job: string; turn: number; shared: string | null };

export type PaymentTables = WebhookTables & {
  merchant: MerchantTable;
  merchant_checkout: MerchantCheckoutTable;
  api_key: ApiKeyTable;
  payment: PaymentTable;
  payment_output: PaymentOutputTable;
  earlier_spend: EarlierSpendTable;
  refund: RefundTable;
  resolution: ResolutionTable;
  pool_address: PoolAddressTable;
  idempotency: IdempotencyTable;
  follow_cursor: FollowCursorTable;
  followed_block: FollowedBlockTable;
  job_turn: JobTurnTable;
};
