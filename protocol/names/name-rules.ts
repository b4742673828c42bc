import { equalBytes } from '../bytes.ts';
import {
  findRecipient,
  type PlacedTransaction,
  type ReadOperation,
  readOperation,
  sumPaidTo,
} from '../operation.ts';
import type { PayloadFault } from '../payload-reader.ts';
import type { NameRules } from '../profile.ts';
import { nameCommitment } from './name-commitment.ts';
import { decodeNameOperation, listLaterKinds, type NameOperation } from './name-operation.ts';
import { registerFee, renewFee } from './name-price.ts';
import type { NameReason } from './name-reasons.ts';
import { type ParsedName, parseName } from './name-syntax.ts';

/** A registered name. It stays on record when it expires: the premium depends on when it did. */
export type NameRecord = {
  readonly name: string;
  /** The owner's scriptPubKey. */
  readonly owner: Uint8Array;
  /** Height of the register that it comes from. */
  readonly registeredHeight: number;
  /** The first height at which the name no longer resolves. */
  readonly expiry: number;
};

/** A commitment that was made and not yet revealed, with the height that its age counts from. */
export type CommitRecord = { readonly commitment: Uint8Array; readonly height: number };

/** With which name the owner of a script wants it to be shown. It counts while that name resolves. */
export type ReverseRecord = {
  /** The owner's scriptPubKey. */
  readonly owner: Uint8Array;
  readonly name: string;
};

/** What text records a name has: by the hash of their document, which is not on the chain. */
export type RecordsRecord = {
  readonly name: string;
  /** SHA-256 of the document. */
  readonly hash: Uint8Array;
};

/** What the rules need to know about a coin. */
export type NameContext = { readonly rules: NameRules; readonly genesisPrefix: Uint8Array };

/** A transaction that was found to carry a name operation, with the keys of the records that it depends on. */
export type PreparedName = {
  readonly placed: PlacedTransaction;
  readonly operation: NameOperation;
  readonly sender: Uint8Array;
  /** The name whose record {@link applyNameOperation} needs; undefined for a commit and for the removal of a reverse record. */
  readonly name: ParsedName | undefined;
  /** The commitment whose record it needs: of a commit and of a register. */
  readonly commitment: Uint8Array | undefined;
};

/** The records under the keys of a {@link PreparedName}; undefined where there are none. */
export type NameState = {
  readonly name: NameRecord | undefined;
  readonly commit: CommitRecord | undefined;
  /** The reverse record of the owner of `name`, whatever name it has: for what changes the owner. */
  readonly reverse?: ReverseRecord | undefined;
};

/** What a valid operation did. Scripts are whole scriptPubKeys. */
export type NameEvent =
  | { kind: 'commit'; sender: Uint8Array; commitment: Uint8Array; countsFrom: number }
  | { kind: 'register'; sender: Uint8Array; name: string; periods: number; expiry: number; paid: bigint }
  | { kind: 'transfer'; sender: Uint8Array; name: string; owner: Uint8Array }
  | { kind: 'renew'; sender: Uint8Array; name: string; periods: number; expiry: number; paid: bigint }
  /** Of an empty name: the sender's record was removed, or there was none. */
  | { kind: 'reverse'; sender: Uint8Array; name: string }
  /** Of a hash of zeros: they were removed, or there were none. */
  | { kind: 'records'; sender: Uint8Array; name: string; hash: Uint8Array };

/** The records to write, whole, and those to remove; what is absent stays as it is. */
export type NameChanges = {
  readonly name?: NameRecord;
  readonly commit?: CommitRecord;
  readonly spentCommitment?: Uint8Array;
  readonly reverse?: ReverseRecord;
  /** The script whose reverse record ends. */
  readonly endedReverse?: Uint8Array;
  readonly records?: RecordsRecord;
  /** The name whose text records end, where it has any. */
  readonly endedRecords?: string;
};

/** The verdict on an operation. An invalid one changes nothing. */
export type NameOutcome =
  | { ok: true; changes: NameChanges; event: NameEvent }
  | { ok: false; reason: NameReason };

/** What {@link prepareNameOperation} answers. */
export type PrepareName =
  | { kind: 'none' }
  | { kind: 'invalid'; reason: NameReason }
  | { kind: 'operation'; prepared: PreparedName };

/** Reads a transaction's name operation and judges all of it that needs no state. */
export function prepareNameOperation(placed: PlacedTransaction, context: NameContext): PrepareName {
  const { rules } = context;
  const read: ReadOperation<NameOperation, PayloadFault> = readOperation(placed, rules, (payload) =>
    decodeNameOperation(payload, listLaterKinds(rules, placed.height)),
  );
  if (read.kind !== 'operation') return read;
  const { operation, sender } = read;
  if (operation.kind === 'commit') {
    const { commitment } = operation;
    return { kind: 'operation', prepared: { placed, operation, sender, name: undefined, commitment } };
  }
  if (operation.kind === 'reverse' && operation.name === '') {
    const prepared = { placed, operation, sender, name: undefined, commitment: undefined };
    return { kind: 'operation', prepared };
  }
  const parsed = parseName(operation.name, rules);
  if (!parsed.ok) return { kind: 'invalid', reason: parsed.reason };
  if ('periods' in operation && operation.periods === 0) {
    return { kind: 'invalid', reason: 'periods_zero' };
  }
  const commitment =
    operation.kind === 'register'
      ? nameCommitment({ ...operation, ownerScript: sender }, context.genesisPrefix)
      : undefined;
  return { kind: 'operation', prepared: { placed, operation, sender, name: parsed.value, commitment } };
}

/** Judges a prepared operation on the state before it (docs/protocols/names.md). */
export function applyNameOperation(
  prepared: PreparedName,
  state: NameState,
  { rules }: NameContext,
): NameOutcome {
  const { operation } = prepared;
  switch (operation.kind) {
    case 'commit':
      return applyCommit(prepared, operation.commitment, state, rules);
    case 'register':
      return applyRegister(prepared, operation.periods, state, rules);
    case 'transfer':
      return applyTransfer(prepared, operation.toVout, state);
    case 'renew':
      return applyRenew(prepared, operation.periods, state, rules);
    case 'reverse':
      return applyReverse(prepared, operation.name, state);
    case 'records':
      return applyRecords(prepared, operation.hash, state);
  }
}

/** A commitment that still lives keeps its height, so that repeating it never makes its owner wait anew. */
function applyCommit(
  { placed: { height }, sender }: PreparedName,
  commitment: Uint8Array,
  { commit: earlier }: NameState,
  rules: NameRules,
): NameOutcome {
  const lives = earlier !== undefined && height - earlier.height <= rules.commitLifetimeBlocks;
  const commit = lives ? earlier : { commitment, height };
  return {
    ok: true,
    changes: lives ? {} : { commit },
    event: { kind: 'commit', sender, commitment, countsFrom: commit.height },
  };
}

function applyRegister(
  { placed: { tx, height }, sender, name, commitment }: PreparedName,
  periods: number,
  state: NameState,
  rules: NameRules,
): NameOutcome {
  const { name: text, label } = name!;
  if (periods > rules.maxPeriods) return { ok: false, reason: 'periods_too_many' };
  if (state.commit === undefined) return { ok: false, reason: 'commit_missing' };
  const age = height - state.commit.height;
  if (age < rules.commitMaturityBlocks) return { ok: false, reason: 'commit_immature' };
  if (age > rules.commitLifetimeBlocks) return { ok: false, reason: 'commit_expired' };
  const earlier = state.name;
  if (earlier && height < earlier.expiry) return { ok: false, reason: 'name_taken' };
  if (earlier && height < earlier.expiry + rules.graceBlocks) return { ok: false, reason: 'name_in_grace' };
  const paid = sumPaidTo(tx.outputs, rules.feeScript);
  if (paid < registerFee({ labelLength: label.length, periods }, earlier?.expiry, height, rules)) {
    return { ok: false, reason: 'fee_too_low' };
  }
  const expiry = height + periods * rules.periodBlocks;
  return {
    ok: true,
    changes: {
      name: { name: text, owner: sender, registeredHeight: height, expiry },
      spentCommitment: commitment!,
      ...endOwnership(state),
    },
    event: { kind: 'register', sender, name: text, periods, expiry, paid },
  };
}

function applyTransfer(
  { placed: { tx, height }, sender }: PreparedName,
  toVout: number,
  state: NameState,
): NameOutcome {
  const owned = findOwned(sender, state, height);
  if (!owned.ok) return owned;
  const { record } = owned;
  const recipient = findRecipient(tx.outputs, toVout);
  if (!recipient.ok) return recipient;
  const owner = recipient.script;
  return {
    ok: true,
    changes: { name: { ...record, owner }, ...(equalBytes(owner, sender) ? {} : endOwnership(state)) },
    event: { kind: 'transfer', sender, name: record.name, owner },
  };
}

/** The record of a name that its owner can dispose of. */
function findOwned(
  sender: Uint8Array,
  { name: record }: NameState,
  height: number,
): { ok: true; record: NameRecord } | { ok: false; reason: NameReason } {
  if (record === undefined) return { ok: false, reason: 'name_not_registered' };
  if (height >= record.expiry) return { ok: false, reason: 'name_expired' };
  if (!equalBytes(record.owner, sender)) return { ok: false, reason: 'not_owner' };
  return { ok: true, record };
}

/** What an owner said with a name ends with his ownership: being given it back later is not consent, and a new owner is another person. */
function endOwnership({
  name: record,
  reverse,
}: NameState): Pick<NameChanges, 'endedReverse' | 'endedRecords'> {
  if (record === undefined) return {};
  const { name, owner } = record;
  return { endedRecords: name, ...(reverse?.name === name ? { endedReverse: owner } : {}) };
}

function applyReverse(
  { placed: { height }, sender }: PreparedName,
  name: string,
  state: NameState,
): NameOutcome {
  const event = { kind: 'reverse', sender, name } as const;
  // Valid without a record, too: whether one of a dead name is still kept makes no difference then.
  if (name === '') return { ok: true, changes: { endedReverse: sender }, event };
  const owned = findOwned(sender, state, height);
  return owned.ok ? { ok: true, changes: { reverse: { owner: sender, name } }, event } : owned;
}

function applyRecords(
  { placed: { height }, sender }: PreparedName,
  hash: Uint8Array,
  state: NameState,
): NameOutcome {
  const owned = findOwned(sender, state, height);
  if (!owned.ok) return owned;
  const { name } = owned.record;
  const changes = hash.every((byte) => byte === 0) ? { endedRecords: name } : { records: { name, hash } };
  return { ok: true, changes, event: { kind: 'records', sender, name, hash } };
}

function applyRenew(
  { placed: { tx, height }, sender, name }: PreparedName,
  periods: number,
  { name: record }: NameState,
  rules: NameRules,
): NameOutcome {
  if (record === undefined) return { ok: false, reason: 'name_not_registered' };
  if (height >= record.expiry + rules.graceBlocks) return { ok: false, reason: 'name_lapsed' };
  const expiry = record.expiry + periods * rules.periodBlocks;
  // "Ahead" counts from the block of the renewal, as for a register there.
  if (expiry > height + rules.maxPeriods * rules.periodBlocks) {
    return { ok: false, reason: 'periods_too_many' };
  }
  const paid = sumPaidTo(tx.outputs, rules.feeScript);
  if (paid < renewFee({ labelLength: name!.label.length, periods }, height, rules)) {
    return { ok: false, reason: 'fee_too_low' };
  }
  return {
    ok: true,
    changes: { name: { ...record, expiry } },
    event: { kind: 'renew', sender, name: record.name, periods, expiry, paid },
  };
}
