import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { createStateHasher, hashEvents } from '@coinfront/protocol/hash-chain.ts';
import { describeNamePayload } from '@coinfront/protocol/names/describe-name-payload.ts';
import {
  commitStateRow,
  encodeNameEvent,
  isLiveCommit,
  isLiveName,
  isLiveWord,
  nameStateRow,
  recordsStateRow,
  reverseStateRow,
} from '@coinfront/protocol/names/name-canonical.ts';
import {
  applyNameOperation,
  type CommitRecord,
  type NameChanges,
  type NameContext,
  type NameEvent,
  type NameRecord,
  type PreparedName,
  prepareNameOperation,
  type ReverseRecord,
} from '@coinfront/protocol/names/name-rules.ts';
import { nameBytes, nameText } from '@coinfront/protocol/names/name-syntax.ts';
import type { PlacedTransaction } from '@coinfront/protocol/operation.ts';
import { describeRules } from '@coinfront/protocol/rules-text.ts';
import { sha256 } from '../../indexer/encoding/hashes.ts';
import type { ConnectedBlock, IndexerPart, PartRow, PartWriter } from '../../indexer/parts/part.ts';
import { type NameCounts, openNameCounts } from './name-counts.ts';
import {
  commitTable,
  expiringTable,
  nameCountLog,
  nameCountTable,
  nameHashes,
  nameTable,
  operationTable,
  recordsTable,
  reverseTable,
} from './name-tables.ts';

/** Follows the name registry: feeds the rules with each block's operations, and writes what they return. */
export function createNameIndex(context: NameContext): IndexerPart {
  const { rules } = context;
  return {
    name: 'names',
    version: 6,
    rules: describeRules(rules),
    tables: [
      nameTable,
      commitTable,
      reverseTable,
      recordsTable,
      operationTable,
      expiringTable,
      nameCountTable,
      nameCountLog,
      ...nameHashes.tables,
    ],
    async connectBlock(block, writer) {
      const { height } = block;
      if (height < rules.activationHeight) return;
      const counts = await openNameCounts(writer, height);
      const events: Uint8Array[] = [];
      for (const position of block.listDataCarriers(rules.marker)) {
        const bytes = await connectTransaction(block, writer, counts, position, context);
        if (bytes !== undefined) events.push(bytes);
      }
      await counts.save();
      await nameHashes.connect(block, writer, hashEvents(events, sha256), () =>
        hashNames(writer, height, context),
      );
    },
  };
}

/** @returns the canonical bytes of its event, when it has a valid one */
async function connectTransaction(
  block: ConnectedBlock,
  writer: PartWriter,
  counts: NameCounts,
  position: number,
  context: NameContext,
): Promise<Uint8Array | undefined> {
  const tx = block.getTransaction(position);
  const facts = describeNamePayload(tx, context.rules, block.height);
  const place = { height: block.height, position };
  // Found for payloads only that could be an operation: the scripts of others are not worth a look-up.
  const prevoutScript = facts && (await block.findPrevoutScript(position, 0));
  const placed = { tx, txid: block.getTxid(position), ...place, prevoutScript };
  const read = facts ? prepareNameOperation(placed, context) : judgeUnread(placed, context);
  if (read.kind === 'none') return undefined;
  const known = { ...place, kind: facts?.kind ?? null, name: facts?.name ? nameBytes(facts.name) : null };
  const sender = prevoutScript ?? null;
  const commitment = facts?.commitment ?? null;
  if (read.kind === 'invalid') {
    counts.noteInvalid();
    writer.append(operationTable, { ...known, reason: read.reason, sender, commitment });
    return undefined;
  }
  const { prepared } = read;
  const record = prepared.name && (await findName(writer, prepared.name.name));
  const state = {
    name: record,
    commit: prepared.commitment && (await findCommit(writer, prepared.commitment)),
    reverse: record && canChangeOwner(prepared, context) ? await findReverse(writer, record) : undefined,
  };
  const outcome = applyNameOperation(prepared, state, context);
  const log = { ...known, sender, commitment: prepared.commitment ?? null };
  if (!outcome.ok) {
    counts.noteInvalid();
    writer.append(operationTable, { ...log, reason: outcome.reason });
    return undefined;
  }
  const { changes, event } = outcome;
  await writeChanges(writer, changes, prepared, context);
  if (changes.name) await counts.noteRecord(state.name, changes.name);
  counts.noteValid('paid' in event ? event.paid : 0n);
  writer.append(operationTable, {
    ...log,
    reason: null,
    expiry: changes.name?.expiry ?? record?.expiry ?? null,
    ...describeEvent(event),
  });
  return encodeNameEvent(placed, event);
}

/**
 * A transaction without a payload that could be decoded: it has none, or is invalid whoever sent it, for the rules look
 * at payloads before senders.
 */
function judgeUnread(placed: PlacedTransaction, context: NameContext) {
  return prepareNameOperation({ ...placed, prevoutScript: new Uint8Array(0) }, context);
}

async function writeChanges(
  writer: PartWriter,
  { name, commit, spentCommitment, reverse, endedReverse, records, endedRecords }: NameChanges,
  { operation }: PreparedName,
  { rules }: NameContext,
): Promise<void> {
  if (spentCommitment) await writer.remove(commitTable, [spentCommitment]);
  if (commit) await writer.put(commitTable, { commitment: commit.commitment, height: commit.height });
  if (endedReverse) await writer.remove(reverseTable, [sha256(endedReverse)]);
  if (reverse)
    await writer.put(reverseTable, { owner_hash: sha256(reverse.owner), name: nameBytes(reverse.name) });
  if (endedRecords !== undefined && rules.recordsActivationHeight !== undefined)
    await writer.remove(recordsTable, [nameBytes(endedRecords)]);
  // A view would keep the bytes of its whole block, as below.
  if (records) await writer.put(recordsTable, { name: nameBytes(records.name), hash: records.hash.slice() });
  if (name === undefined) return;
  const key = nameBytes(name.name);
  const before = await writer.find(nameTable, [key]);
  const isKept = before !== undefined && equalBytes(before.owner as Uint8Array, name.owner);
  const isRegistrant = operation.kind === 'register' ? 1 : isKept ? before.is_registrant! : 0;
  await writer.put(nameTable, {
    name: key,
    // A view would keep the bytes of its whole block for as long as the row is remembered.
    owner: name.owner.slice(),
    owner_hash: sha256(name.owner),
    registered_height: name.registeredHeight,
    expiry: name.expiry,
    is_registrant: isRegistrant,
  });
}

function describeEvent(event: NameEvent): PartRow {
  switch (event.kind) {
    case 'commit':
    case 'reverse':
    case 'records':
      return {};
    case 'transfer':
      return { owner: event.owner };
    default:
      return { periods: event.periods, paid: String(event.paid) };
  }
}

async function findName(writer: PartWriter, name: string): Promise<NameRecord | undefined> {
  const row = await writer.find(nameTable, [nameBytes(name)]);
  return row && toNameRecord(row);
}

/** Whether an operation may end the reverse record of who has the name: only then is it worth a look-up. */
function canChangeOwner({ operation: { kind } }: PreparedName, { rules }: NameContext): boolean {
  return rules.reverseActivationHeight !== undefined && (kind === 'register' || kind === 'transfer');
}

/** The reverse record of whoever owns a name. */
async function findReverse(writer: PartWriter, { owner }: NameRecord): Promise<ReverseRecord | undefined> {
  const row = await writer.find(reverseTable, [sha256(owner)]);
  return row && { owner, name: nameText(row.name as Uint8Array) };
}

async function findCommit(writer: PartWriter, commitment: Uint8Array): Promise<CommitRecord | undefined> {
  const row = await writer.find(commitTable, [commitment]);
  return row && toCommitRecord(row);
}

function toNameRecord(row: PartRow): NameRecord {
  return {
    name: nameText(row.name as Uint8Array),
    owner: row.owner as Uint8Array,
    registeredHeight: Number(row.registered_height),
    expiry: Number(row.expiry),
  };
}

function toCommitRecord(row: PartRow): CommitRecord {
  return { commitment: row.commitment as Uint8Array, height: Number(row.height) };
}

/** state(h): names, commitments, reverse records and text records, each in the order of their keys. */
async function hashNames(writer: PartWriter, height: number, { rules }: NameContext): Promise<Uint8Array> {
  const hasher = createStateHasher();
  for await (const row of writer.scan(nameTable)) {
    const record = toNameRecord(row);
    if (isLiveName(record, height, rules)) hasher.add(nameStateRow(record));
  }
  for await (const row of writer.scan(commitTable)) {
    const record = toCommitRecord(row);
    if (isLiveCommit(record, height, rules)) hasher.add(commitStateRow(record));
  }
  for await (const row of writer.scan(reverseTable)) {
    const record = (await findName(writer, nameText(row.name as Uint8Array)))!;
    if (isLiveWord(record, height, rules)) hasher.add(reverseStateRow(record));
  }
  for await (const row of writer.scan(recordsTable)) {
    const name = nameText(row.name as Uint8Array);
    const record = (await findName(writer, name))!;
    if (isLiveWord(record, height, rules))
      hasher.add(recordsStateRow({ name, hash: row.hash as Uint8Array }));
  }
  return hasher.finish();
}
