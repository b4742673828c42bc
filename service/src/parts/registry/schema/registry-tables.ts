/** Tables of the node registry: precious, since nothing of it is in the chain. */

import type { NodeState } from '@coinfront/api/registry.ts';

import type { Query } from '../../../db/precious.ts';

/** States of a claim in its row; that it expired follows from its time. */
export type StoredClaimState = 'pending' | 'awaiting_endpoint' | 'verified' | 'superseded';

/** What a node's owner was asked to sign. Times are Unix milliseconds, hashes and keys hex. */
export type RegistryClaimTable = {
  id: string;
  state: StoredClaimState;
  domain: string;
  registry_key: string;
  node_key: string;
  endpoint: string;
  /** Where a host name led, `ip:port`; null for addresses. */
  reached: string | null;
  /** The /24 or /48 of the endpoint, or `onion`. */
  network: string;
  payout_address: string;
  endpoint_token: string;
  nonce: string;
  /** Who asked, and the /56 and /48 around it where there is one, by names of the day (`clients/client-names.ts`). */
  client: string;
  client_56: string | null;
  client_48: string | null;
  issued_at: number;
  /** Until when it can be signed. */
  expires_at: number;
  /** Until when it can become anything else: that, or the end of its wait for the endpoint. */
  open_until: number;
  verified_at: number | null;
  /** What it was signed with, once it was: whoever audits can check it again. */
  address_signature: string | null;
  node_signature: string | null;
};

/** A node that was registered, by its key. Counts are of slots, over all of its time. */
export type RegistryNodeTable = {
  node_key: string;
  state: NodeState;
  endpoint: string;
  /** Where a host name led when it was last looked up, `ip:port`; null for addresses. */
  reached: string | null;
  network: string;
  payout_address: string;
  claim_id: string;
  registered_at: number;
  /** When its present registration was verified; it lapses when it was not seen for long since. */
  verified_at: number;
  first_passed_at: number | null;
  last_passed_at: number | null;
  passed: number;
  failed: number;
  voided: number;
  /** Looks that failed since one passed. */
  fails_in_row: number;
  /** The end of the last slot that was judged. */
  judged_until: number | null;
  /** It is not looked at before. */
  next_look_at: number;
  last_verdict: string | null;
  last_reason: string | null;
  last_sequence: number | null;
  lag: number | null;
  user_agent: string | null;
  protocol_version: number | null;
  /** Whether the last slot that passed had the token; null before. */
  endpoint_proven: number | null;
};

/** The log. `document` is the receipt as RFC 8785 writes it; the rest is what it is found by. */
export type RegistryReceiptTable = {
  sequence: number;
  epoch: number;
  node_key: string | null;
  hash: string;
  document: string;
  signature: string;
};

/** A closed epoch. `document` is its summary as RFC 8785 writes it. */
export type RegistryEpochTable = {
  epoch: number;
  first_sequence: number;
  last_sequence: number;
  root: string;
  document: string;
  signature: string;
  closed_at: number;
  /** What the operator had set aside for it, base units; null for none. */
  reward: string | null;
};

/** Slots of a node in an epoch, with what its registration was at the last of them. */
export type RegistryEpochNodeTable = {
  epoch: number;
  node_key: string;
  passed: number;
  failed: number;
  voided: number;
  network: string;
  payout_address: string;
  endpoint_proven: number | null;
  /** Slots passed in which it showed its token, at `endpoint`: where it was judged last. */
  proven: number;
  endpoint: string | null;
  /** Its autonomous system there; null where it is not known, or the epoch has no table. */
  asn: number | null;
};

/** By which rules an epoch's rewards are shared. Epochs that began before there was a choice have no row: rules 1. */
export type RegistryEpochRulesTable = {
  epoch: number;
  rules: number;
  /** Slots in which anybody passed or failed, and the end of the last of them. */
  slots: number;
  last_slot_end: number | null;
  /** SHA-256 of the table of autonomous systems that the epoch began with; null without one. */
  as_table: string | null;
  /** Keys of the vantage points that the epoch began with, ascending, with commas between them; null without any. */
  vantages: string | null;
};

/** What a node did at an endpoint in an epoch, and what others had done there when it was last judged. */
export type RegistryEpochEndpointTable = {
  epoch: number;
  endpoint: string;
  node_key: string;
  passed: number;
  failed: number;
  others_passed: number;
  others_failed: number;
};

/** Slots of a node on a day that were judged: days since 1970, UTC; the latest 90 are kept. */
export type RegistryNodeDayTable = { node_key: string; day: number; passed: number; failed: number };

/** Where alerts about a node go, as its key signed last; a row without `url` remembers when that was. */
export type RegistryAlertReceiverTable = {
  node_key: string;
  url: string | null;
  /** Signs what is sent: it has to be known, and cannot be kept as a hash. */
  secret: string | null;
  /** Time of the request, which the next one has to be later than. */
  issued_at: number;
  changed_at: number;
  /** Whether the owner was told last that the node fails. */
  is_failing: number;
  /** Whether the node was eligible for the epoch that was closed last; null until one was. */
  was_eligible: number | null;
  /** Alerts that were written for the node, of all its receivers. */
  alerts: number;
};

/** An alert on its way, with the exact bytes, and what its receiver was when it was written. */
export type RegistryAlertTable = {
  id: string;
  node_key: string;
  type: string;
  url: string;
  /** Scheme, host and port. */
  origin: string;
  secret: string;
  body: string;
  state: 'pending' | 'delivered' | 'dead' | 'disabled';
  /** Tries that were begun. */
  attempts: number;
  /** When it is tried next; whoever takes it moves this on by the length of a claim. */
  next_at: number;
  last_status: number | null;
  last_error: string | null;
  created_at: number;
  ended_at: number | null;
};

/** What a vantage point, this service among them, has signed of its looks in a slot. `document` is as RFC 8785 writes it. */
export type RegistryStatementTable = {
  hash: string;
  vantage: string;
  slot_start: number;
  slot_end: number;
  document: string;
  signature: string;
  /** When it was made, or came from a peer. */
  received_at: number;
  /** 1 of a statement that contradicts the one that came before. */
  is_second: number;
};

/** The root of so many receipts of an epoch: see `epoch-tree.ts`. */
export type RegistryPartTable = { epoch: number; part: number; root: string };

/** One row: who looks at nodes, and how far it came. */
export type RegistryProberTable = {
  id: number;
  registry_key: string;
  epoch_blocks: number;
  holder: string;
  lease_until: number;
  /** The end of the last slot that was looked after; null before the first. */
  slot_end: number | null;
  last_run_at: number | null;
  own_state: string | null;
};

export type RegistryTables = {
  registry_claim: RegistryClaimTable;
  registry_node: RegistryNodeTable;
  registry_receipt: RegistryReceiptTable;
  registry_epoch: RegistryEpochTable;
  registry_epoch_node: RegistryEpochNodeTable;
  registry_epoch_rules: RegistryEpochRulesTable;
  registry_epoch_endpoint: RegistryEpochEndpointTable;
  registry_node_day: RegistryNodeDayTable;
  registry_part: RegistryPartTable;
  registry_prober: RegistryProberTable;
  registry_alert_receiver: RegistryAlertReceiverTable;
  registry_alert: RegistryAlertTable;
  registry_statement: RegistryStatementTable;
};
export type RegistryQuery = Query<RegistryTables>;
