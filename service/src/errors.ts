/**
 * The closed set of errors that the HTTP interface answers, with their status and title.
 *
 * A code is stable and is what a client branches on; the detail is for people and may change.
 * The documents in docs/openapi name for every operation the codes it may answer.
 */

type ErrorKind = { readonly status: number; readonly title: string };

/** Every code with its HTTP status (RFC 9110) and its title (RFC 9457: the same for each occurrence). */
export const errorKinds = {
  // What the client sent.
  bad_request: { status: 400, title: 'The request is not valid HTTP' },
  invalid_parameter: { status: 400, title: 'A parameter is not valid' },
  invalid_body: { status: 400, title: 'The request body is not valid' },
  invalid_cursor: { status: 400, title: 'The cursor is not valid here' },
  address_invalid: { status: 400, title: 'Not an address of this network' },
  private_key_refused: { status: 400, title: 'Private keys are never accepted' },
  route_not_found: { status: 404, title: 'There is no such resource' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  cursor_expired: { status: 409, title: 'The list changed under the cursor' },
  body_too_large: { status: 413, title: 'The request body is too large' },
  read_too_large: { status: 413, title: 'The answer is too large for a batch' },
  uri_too_long: { status: 414, title: 'The address of the request is too long' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  expectation_failed: { status: 417, title: 'The expectation cannot be met' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },

  // What the chain does not have.
  block_not_found: { status: 404, title: 'No such block in the best chain' },
  transaction_not_found: { status: 404, title: 'No such transaction' },
  proof_unavailable: { status: 409, title: 'There is no proof for this transaction yet' },

  // What the node refused of a signed transaction.
  transaction_undecodable: { status: 400, title: 'Not a serialised transaction' },
  transaction_invalid: { status: 422, title: 'The transaction breaks a consensus rule' },
  transaction_nonstandard: { status: 422, title: 'The transaction is outside the relay policy' },
  transaction_too_large: { status: 422, title: 'The transaction is too large' },
  missing_inputs: { status: 422, title: 'An input is missing or already spent' },
  script_verification_failed: { status: 422, title: 'A signature or script does not verify' },
  output_dust: { status: 422, title: 'An output is too small to be relayed' },
  fee_too_low: { status: 422, title: 'The fee is too low' },
  fee_too_high: { status: 422, title: 'The fee is unreasonably high' },
  mempool_conflict: { status: 409, title: 'An input is spent by a transaction that cannot be replaced' },
  replacement_fee_too_low: { status: 409, title: 'The fee is too low to replace what it conflicts with' },
  burn_too_large: { status: 422, title: 'An unspendable output carries too much' },
  mempool_chain_too_long: { status: 422, title: 'Too many unconfirmed ancestors or descendants' },
  not_final: { status: 422, title: 'The transaction is not final yet' },
  coinbase_immature: { status: 422, title: 'An output is spent before it is mature' },
  broadcast_rejected: { status: 422, title: 'The node refused the transaction' },
  mempool_full: { status: 503, title: 'The mempool of the node is full' },

  // Payments and their merchants.
  api_key_invalid: { status: 401, title: 'The API key is missing or not valid' },
  merchant_disabled: { status: 403, title: 'The merchant is disabled' },
  key_scope_insufficient: { status: 403, title: 'The scope of the API key does not include this' },
  key_not_found: { status: 404, title: 'There is no such API key' },
  key_is_last: { status: 409, title: 'The last API key that may do everything stays' },
  keys_exhausted: { status: 409, title: 'There are too many API keys' },
  payment_not_found: { status: 404, title: 'There is no such payment' },
  amount_invalid: { status: 400, title: 'The amount is not valid' },
  currency_unknown: { status: 422, title: 'Prices are not taken in this currency' },
  rate_unavailable: { status: 503, title: 'There is no fresh rate of this currency' },
  confirmations_too_few: { status: 422, title: 'The amount needs more confirmations' },
  webhook_url_refused: { status: 422, title: 'Webhooks cannot be sent to this URL' },
  return_url_refused: { status: 422, title: 'The checkout page cannot lead to this URL' },
  mark_invalid: { status: 422, title: 'The mark cannot be used' },
  embed_origin_refused: { status: 422, title: 'The checkout page cannot be in frames of this origin' },
  names_unavailable: { status: 422, title: 'Names are not resolved here' },
  recipient_unresolved: { status: 422, title: 'The name has no address' },
  recipient_busy: { status: 409, title: 'Another unfinished payment has this address' },
  recipient_too_active: { status: 409, title: 'The address is used too much for a payment' },
  address_in_pool: { status: 409, title: 'The address belongs to an address pool' },
  pool_exhausted: { status: 409, title: 'The address pool is empty' },
  order_id_used: { status: 409, title: 'Another payment has this order' },
  payment_not_cancellable: { status: 409, title: 'The payment cannot be cancelled any more' },
  payment_not_acceptable: { status: 409, title: 'There is nothing to accept' },
  nothing_to_refund: { status: 409, title: 'There is nothing to send back' },
  refund_too_early: { status: 409, title: 'What came may go away again' },
  refund_too_large: { status: 422, title: 'The refund is more than is left over' },
  refund_address_missing: { status: 422, title: 'No address to send back to is known' },
  refund_address_given: { status: 409, title: 'An address was given before' },
  refund_not_found: { status: 404, title: 'There is no such refund' },
  refund_not_cancellable: { status: 409, title: 'The refund cannot be cancelled any more' },
  refund_closed: { status: 409, title: 'The refund is confirmed or cancelled' },
  refund_output_missing: { status: 422, title: 'The transaction does not pay the refund' },
  refund_transaction_refused: { status: 422, title: 'The transaction is no refund of the payment' },
  refund_transaction_stands: { status: 409, title: 'An earlier transaction of the refund is there' },
  refunds_exhausted: { status: 409, title: 'The payment has too many refunds' },
  change_address_refused: { status: 422, title: 'Change cannot go to this address' },
  delivery_not_found: { status: 404, title: 'There is no such delivery' },
  delivery_pending: { status: 409, title: 'The delivery is pending already' },
  webhook_not_found: { status: 404, title: 'There is no such webhook endpoint' },
  webhook_exists: { status: 409, title: 'Another webhook endpoint has this URL' },
  webhook_disabled: { status: 409, title: 'The webhook endpoint is disabled or deleted' },
  webhooks_exhausted: { status: 409, title: 'There are too many webhook endpoints' },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key was used for another request' },
  idempotency_key_in_use: { status: 409, title: 'A request with this Idempotency-Key is running' },
  extended_key_invalid: { status: 400, title: 'Not an extended public key of this network' },
  wallet_key_invalid: { status: 400, title: 'Not a public key or descriptor of a wallet' },
  wallet_too_large: { status: 422, title: 'The wallet has too many addresses' },

  // Hashes and states of what protocols derive.
  state_unavailable: { status: 410, title: 'There is no hash of the state at this height' },
  state_too_large: { status: 413, title: 'The state is too large to be hashed for a request' },

  // The calendar of proofs.
  calendar_off: { status: 503, title: 'Digests are not taken here' },
  calendar_full: { status: 503, title: 'Too many digests wait for a transaction' },
  timestamp_unavailable: { status: 409, title: 'There is no timestamp of this digest' },
  commitment_not_found: { status: 404, title: 'The calendar has no timestamp of this commitment' },
  digests_exhausted: { status: 429, title: 'Too many digests were taken today' },

  // Tokens and what is told about them.
  token_not_found: { status: 404, title: 'There is no such token' },
  metadata_invalid: { status: 400, title: 'The metadata cannot be shown to people' },
  issuer_cannot_sign: { status: 422, title: 'The issuer of the token has no address to sign with' },
  challenges_exhausted: { status: 429, title: 'Too many challenges are open' },
  challenge_not_found: { status: 404, title: 'There is no such challenge' },
  challenge_expired: { status: 410, title: 'The challenge has expired' },
  challenge_used: { status: 409, title: 'The challenge was used already' },
  metadata_mismatch: { status: 422, title: 'Not what the challenge was made for' },
  signature_invalid: { status: 422, title: 'The signature is not valid' },
  logo_invalid: { status: 422, title: 'The logo cannot be used' },
  logo_not_found: { status: 404, title: 'There is no such logo' },
  review_queue_full: { status: 409, title: 'Too many submissions await review' },
  submission_not_found: { status: 404, title: 'There is no such submission' },
  metadata_unavailable: { status: 503, title: 'Metadata are not taken here' },
  // Names.
  name_invalid: { status: 400, title: 'Not a name of this coin' },
  name_not_found: { status: 404, title: 'The name was never registered' },
  records_invalid: { status: 400, title: 'Not text records of a name' },
  records_mismatch: { status: 409, title: 'The chain has another hash for the name' },
  name_not_resolved: { status: 404, title: 'The name does not resolve' },

  // Mining.
  pool_not_found: { status: 404, title: 'There is no such pool' },
  miner_not_found: { status: 404, title: 'The pool shows no such miner' },
  miner_ambiguous: { status: 409, title: 'Several miners begin like that' },

  // The treasury.
  treasury_not_configured: { status: 404, title: 'This coin has no treasury' },
  contributor_secret_invalid: { status: 401, title: 'The contributor secret is not valid' },
  contributor_secret_weak: { status: 422, title: 'The contributor secret is not random' },
  contributor_exists: { status: 409, title: 'There is a contributor with this secret' },
  contributors_exhausted: { status: 429, title: 'Too many contributors were registered today' },
  nickname_invalid: { status: 400, title: 'The nickname cannot be used' },
  nickname_taken: { status: 409, title: 'Another contributor has such a nickname' },
  intent_not_found: { status: 404, title: 'There is no such intent' },
  claim_invalid: { status: 422, title: 'The signature is not of a sender of the gift' },
  gift_not_found: { status: 404, title: 'There is no such gift' },
  entry_not_found: { status: 404, title: 'There is no such entry' },
  intents_exhausted: { status: 429, title: 'Too many intents' },
  exact_amounts_exhausted: { status: 409, title: 'All exact amounts for this amount are in use' },
  outpoint_used: { status: 409, title: 'The output is the contribution of another intent' },
  contribution_unseen: { status: 404, title: 'The transaction is in neither chain nor mempool' },
  contribution_replaced: { status: 409, title: 'The transaction was replaced' },
  contribution_wrong_address: { status: 422, title: 'The transaction does not pay the treasury' },
  contribution_wrong_amount: { status: 422, title: 'Not the exact amount of the intent' },
  contribution_wrong_tag: { status: 422, title: 'The transaction names no such intent' },
  contribution_is_change: { status: 422, title: 'The treasury paid itself' },
  contribution_too_early: { status: 422, title: 'The transaction is older than the intent' },
  contribution_too_late: { status: 422, title: 'The intent was closed before' },
  service_behind_node: { status: 503, title: 'The index is behind the node' },

  // The node registry.
  node_key_invalid: { status: 400, title: 'Not a usable Ed25519 public key' },
  endpoint_invalid: { status: 400, title: 'Not an endpoint' },
  endpoint_refused: { status: 422, title: 'Nodes at this endpoint are not looked at' },
  network_full: { status: 409, title: 'The network has too many nodes' },
  registry_full: { status: 409, title: 'The registry has too many nodes' },
  node_blocked: { status: 403, title: 'The operator has blocked this node' },
  claims_exhausted: { status: 429, title: 'Too many claims are open' },
  claim_not_found: { status: 404, title: 'There is no such claim' },
  claim_expired: { status: 410, title: 'The claim has expired' },
  claim_used: { status: 409, title: 'The claim was used already' },
  node_not_found: { status: 404, title: 'There is no such node' },
  looks_not_found: { status: 404, title: 'There is no such statement' },
  receipt_not_found: { status: 404, title: 'There is no such receipt' },
  epoch_not_found: { status: 404, title: 'There is no such epoch' },
  epoch_open: { status: 409, title: 'The epoch is not closed yet' },
  log_empty: { status: 404, title: 'The log has no checkpoint yet' },
  registry_closed: { status: 503, title: 'Nodes are not registered here' },

  rich_list_off: { status: 503, title: 'No list of the richest addresses is kept here' },
  rich_list_pending: { status: 503, title: 'The list of the richest addresses is being made' },

  // What is wrong on this side.
  internal_error: { status: 500, title: 'Internal error' },
  not_ready: { status: 503, title: 'The service cannot answer yet' },
  index_unavailable: { status: 503, title: 'The database cannot be read' },
  node_unavailable: { status: 503, title: 'The coin node cannot be reached' },
  overloaded: { status: 503, title: 'The service is too busy' },
} as const satisfies Record<string, ErrorKind>;

/** A code of {@link errorKinds}. */
export type ErrorCode = keyof typeof errorKinds;

/** All codes, for documents and tests. */
export const errorCodes = Object.keys(errorKinds) as ErrorCode[];

/**
 * An error that the client is told about.
 *
 * `detail` says what was wrong, what was received and what to do; it never holds a secret, a host name or
 * a path of this machine.
 *
 * @example throw new AppError('block_not_found', `There is no block at height ${height}; the tip is ${tip}.`);
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** Further response headers, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.name = 'AppError';
    this.code = code;
    this.status = errorKinds[code].status;
    this.headers = headers;
  }
}
