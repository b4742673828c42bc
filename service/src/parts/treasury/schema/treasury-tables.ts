import type { AssignedBy, EntryKind, UnattributedReason } from '@coinfront/api/treasury.ts';
import type { Query } from '../../../db/precious.ts';

// The part's precious tables. Amounts are decimal text of base units, times Unix milliseconds, txids and hashes as people
// read them, flags 0 and 1.

/** The key that secrets of contributors are hashed with. One row. */
export type SecretKeyTable = { id: string; key: string };

/** A contributor. (The column `skeleton` is of the time before `treasury_nickname_skeleton`, and null.) */
export type ContributorTable = {
  id: string;
  secret_hash: string;
  nickname: string | null;
  is_public: number;
  /** When the operator hid it; null: it is not hidden. */
  hidden_at: number | null;
  created_at: number;
  updated_at: number;
};

/** Whose a skeleton is: what no other contributor's nickname may look like. */
export type NicknameSkeletonTable = {
  skeleton: string;
  contributor_id: string;
  /** When its nickname was given up; null: it has it. */
  freed_at: number | null;
};

/** Skeletons that nobody may have any more. */
export type BannedNicknameTable = { skeleton: string; banned_at: number };

/** An intent; what was asked for never changes. */
export type IntentTable = {
  id: string;
  contributor_id: string;
  requested: string;
  exact_amount: string | null;
  tag: string | null;
  created_at: number;
  /** Version of the ledger at that time: what a block had told of by then is older than the intent. */
  created_version: number;
  expires_at: number;
  closes_at: number;
};

/** Exact amounts that are given, and until when: the table that makes them unique. */
export type HeldAmountTable = { amount: string; intent_id: string; held_until: number };

/** When a transaction that concerns the treasury was seen first, wherever it went since. */
export type SightingTable = {
  txid: string;
  first_seen_at: number;
  /** The version of the ledger in which a block told of it first; null when the mempool did. */
  first_version: number | null;
  /** The outpoints that it spends, `txid:vout`, comma-separated, the first few: who replaced it spends one of them. */
  inputs: string;
};

/** The ledger: rows are only ever added, which the database itself sees to. */
export type EntryTable = {
  sequence: number;
  kind: EntryKind;
  /** Signed. */
  amount: string;
  balance: string;
  txid: string;
  vout: number | null;
  height: number;
  block_hash: string;
  block_time: number;
  contributor_id: string | null;
  intent_id: string | null;
  late: number;
  reason: UnattributedReason | null;
  reverses: number | null;
  /** Who said whose a gift is that no intent had. */
  assigned_by: AssignedBy | null;
  /** The spend that a note is about, and what the operator says of it. */
  refers_to: number | null;
  purpose: string | null;
  payee: string | null;
  recorded_at: number;
};

/** What binds an entry to the one before it; added with it, and never changed either. */
export type SealTable = {
  sequence: number;
  previous_hash: string;
  /** What hides whose the entry is; null when it is nobody's. */
  salt: string | null;
  hash: string;
  service_key: string;
  signature: string;
};

/** A script beside that of the treasury's address that the ledger covers, from the first block on. */
export type ScriptTable = { script: string; added_at: number };

/** Whose a gift is that no intent had. The ledger says so by an entry, anew when its block was another's meanwhile. */
export type AssignmentTable = {
  txid: string;
  vout: number;
  contributor_id: string;
  assigned_by: AssignedBy;
  /** Of a claim: who has signed it, and the signature. */
  address: string | null;
  signature: string | null;
  made_at: number;
  /** {@link assignmentStates}: what the ledger says of it now, and is to say. */
  is_applied: number;
};

/** Said and not in the ledger yet; in the ledger; to be taken back by the operator's word, and then forgotten. */
export const assignmentStates = { waiting: 0, applied: 1, withdrawn: 2 } as const;

/** What the operator says of a spend; `sequence` is the entry that says so, null until it is written. */
export type NoteTable = {
  txid: string;
  purpose: string;
  payee: string;
  made_at: number;
  sequence: number | null;
};

/** Kinds of what comes in. */
export type CoinKind = 'contribution' | 'unattributed' | 'coinbase' | 'change';

/** What the entries that are not taken back amount to: every output to the treasury in the chain. */
export type CoinTable = {
  txid: string;
  vout: number;
  value: string;
  kind: CoinKind;
  /** Its entry. */
  sequence: number;
  height: number;
  block_hash: string;
  contributor_id: string | null;
  intent_id: string | null;
  late: number;
  /** When it had enough confirmations; null before, and for what is no contribution. */
  verified_at: number | null;
  /** The entry that spends it. */
  spent_by: number | null;
};

/** Verified contributions of a contributor; `total` has leading zeros, so that it sorts as a number. */
export type StandingTable = {
  contributor_id: string;
  total: string;
  contributions: number;
  first_height: number;
};

/** Up to which block the ledger is kept. One row. */
export type CursorTable = {
  id: string;
  /** The script that the ledger is of. */
  script: string;
  height: number;
  hash: string;
  /** Grows with each change; whoever writes has read it. */
  version: number;
  /** Of the last entry. */
  sequence: number;
  balance: string;
  /** Sums by kind as JSON, of {@link LedgerTotals}. */
  totals: string;
  /** Grows with each change of a standing. */
  standings: number;
};

/** All tables. */
export type TreasuryTables = {
  treasury_secret_key: SecretKeyTable;
  treasury_contributor: ContributorTable;
  treasury_nickname_skeleton: NicknameSkeletonTable;
  treasury_banned_nickname: BannedNicknameTable;
  treasury_intent: IntentTable;
  treasury_held_amount: HeldAmountTable;
  treasury_sighting: SightingTable;
  treasury_entry: EntryTable;
  treasury_seal: SealTable;
  treasury_script: ScriptTable;
  treasury_assignment: AssignmentTable;
  treasury_note: NoteTable;
  treasury_coin: CoinTable;
  treasury_standing: StandingTable;
  treasury_cursor: CursorTable;
};
export type TreasuryQuery = Query<TreasuryTables>;
