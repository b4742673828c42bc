import { createStateHasher } from '@coinfront/protocol/hash-chain.ts';
import type { PlacedTransaction } from '@coinfront/protocol/operation.ts';
import { describeRules } from '@coinfront/protocol/rules-text.ts';
import { describeTokenPayload } from '@coinfront/protocol/tokens/describe-token-payload.ts';
import {
  balanceStateRow,
  encodeTokenEvent,
  tokenStateRow,
} from '@coinfront/protocol/tokens/token-canonical.ts';
import type { TokenReason } from '@coinfront/protocol/tokens/token-reasons.ts';
import {
  applyTokenOperation,
  type PreparedToken,
  type PrepareToken,
  prepareTokenOperation,
  type TokenChanges,
  type TokenContext,
  type TokenEvent,
} from '@coinfront/protocol/tokens/token-rules.ts';
import { sha256 } from '../../indexer/hashes.ts';
import type { ConnectedBlock, IndexerPart, PartWriter } from '../../indexer/part.ts';
import { readTokenRow, type TokenPlace, toTokenRow } from './token-rows.ts';
import {
  activityTable,
  balanceTable,
  operationTable,
  tokenCountTable,
  tokenHashes,
  tokenTable,
} from './token-tables.ts';

/** Follows the tokens of a coin: feeds the rules with each block's operations, and writes what they return. */
export function createTokenIndex(context: TokenContext): IndexerPart {
  const { rules } = context;
  return {
    name: 'tokens',
    version: 1,
    rules: describeRules(rules),
    tables: [tokenTable, balanceTable, operationTable, activityTable, tokenCountTable, ...tokenHashes.tables],
    async connectBlock(block, writer) {
      if (block.height < rules.activationHeight) return;
      const found = await findOperations(block, context);
      const events = found.length === 0 ? [] : await connectOperations(writer, found);
      await tokenHashes.connect(block, writer, events, () => hashTokens(writer));
    },
  };
}

/** A transaction that carries a payload of tokens. */
type Found = { placed: PlacedTransaction; read: Exclude<PrepareToken, { kind: 'none' }>; known: Known };

/** What the log says of an operation whatever the verdict is. */
type Known = { sender: Uint8Array | undefined; tokenId: Uint8Array | undefined };

async function findOperations(block: ConnectedBlock, context: TokenContext): Promise<Found[]> {
  const positions = block.listDataCarriers(context.rules.marker);
  const scripts = await block.findFirstPrevoutScripts(positions);
  const found: Found[] = [];
  for (const [i, position] of positions.entries()) {
    const placed = {
      tx: block.getTransaction(position),
      txid: block.getTxid(position),
      height: block.height,
      position,
      // A copy: rows outlive the bytes of the block.
      prevoutScript: scripts[i]?.slice(),
    };
    const read = prepareTokenOperation(placed, context);
    if (read.kind === 'none') continue;
    const tokenId = read.kind === 'operation' ? read.prepared.tokenId : findNamedToken(placed, context.rules);
    found.push({ placed, read, known: { sender: placed.prevoutScript, tokenId } });
  }
  return found;
}

/** The token that an operation names, whatever is wrong with it; a token that was not created has no id. */
function findNamedToken({ tx }: PlacedTransaction, rules: TokenContext['rules']): Uint8Array | undefined {
  const operation = describeTokenPayload(tx.outputs, rules);
  return operation && operation.kind !== 'create' ? operation.tokenId : undefined;
}

/** @returns the canonical bytes of the valid events, in order */
async function connectOperations(writer: PartWriter, found: readonly Found[]): Promise<Uint8Array[]> {
  const counts = await openCounts(writer);
  const prepared = found.flatMap(({ read }) => (read.kind === 'operation' ? [read.prepared] : []));
  await writer.open(
    tokenTable,
    prepared.map(({ tokenId }) => [tokenId]),
  );
  await writer.open(
    balanceTable,
    prepared.flatMap(({ tokenId, holders }) => holders.map((script) => [tokenId, sha256(script)])),
  );
  const events: Uint8Array[] = [];
  for (const { placed, read, known } of found) {
    if (read.kind === 'invalid') {
      logInvalid(writer, placed, known, read.reason);
      counts.invalid++;
      continue;
    }
    const outcome = await connectOperation(writer, read.prepared, counts);
    if (outcome.ok) events.push(encodeTokenEvent(placed, outcome.event));
    else {
      logInvalid(writer, placed, known, outcome.reason);
      counts.invalid++;
    }
  }
  await writer.put(tokenCountTable, { id: 0, ...counts });
  return events;
}

async function connectOperation(writer: PartWriter, prepared: PreparedToken, counts: Counts) {
  const { tokenId, placed } = prepared;
  const holders = prepared.holders.map((script) => ({ script, hash: sha256(script) }));
  const row = await writer.find(tokenTable, [tokenId]);
  const before = row && readTokenRow(row);
  const balances: bigint[] = [];
  for (const { hash } of holders) {
    const balance = await writer.find(balanceTable, [tokenId, hash]);
    balances.push((balance?.amount as bigint | undefined) ?? 0n);
  }
  const outcome = applyTokenOperation(prepared, { token: before, balances });
  if (!outcome.ok) return outcome;
  const { event, changes } = outcome;
  const place = nextPlace(before, placed, event, counts);
  await writer.put(tokenTable, toTokenRow(changes.token, place));
  await writeBalances(writer, tokenId, changes, holders);
  counts.holders += changes.token.holders - (before?.holders ?? 0);
  counts[countOf[event.kind]]++;
  if (event.kind === 'create') counts.tokens++;
  logValid(writer, prepared, holders);
  return outcome;
}

function nextPlace(
  before: TokenPlace | undefined,
  { position }: PlacedTransaction,
  event: TokenEvent,
  counts: Counts,
): TokenPlace {
  return {
    number: before?.number ?? counts.tokens,
    createdPosition: before?.createdPosition ?? position,
    events: (before?.events ?? 0) + 1,
    transfers: (before?.transfers ?? 0) + (event.kind === 'transfer' ? 1 : 0),
  };
}

type Holder = { script: Uint8Array; hash: Uint8Array };

async function writeBalances(
  writer: PartWriter,
  tokenId: Uint8Array,
  { balances }: TokenChanges,
  holders: readonly Holder[],
): Promise<void> {
  for (const { script, amount } of balances) {
    // The rules give back the very scripts that they were given.
    const { hash } = holders.find((holder) => holder.script === script) ?? { hash: sha256(script) };
    if (amount === 0n) await writer.remove(balanceTable, [tokenId, hash]);
    else {
      const row = { token_id: tokenId, script_hash: hash, amount, script: script.slice() };
      await writer.put(balanceTable, row);
    }
  }
}

function logValid(
  writer: PartWriter,
  { placed: { height, position }, tokenId, sender }: PreparedToken,
  holders: readonly Holder[],
): void {
  writer.append(operationTable, { height, position, is_valid: 1, token_id: tokenId, sender, reason: null });
  for (const [n, { hash }] of holders.entries()) {
    writer.append(activityTable, { height, position, n, is_valid: 1, script_hash: hash });
  }
}

function logInvalid(
  writer: PartWriter,
  { height, position }: PlacedTransaction,
  { sender, tokenId }: Known,
  reason: TokenReason,
): void {
  const row = { height, position, is_valid: 0, token_id: tokenId ?? null, sender: sender ?? null, reason };
  writer.append(operationTable, row);
  if (sender === undefined) return;
  writer.append(activityTable, { height, position, n: 0, is_valid: 0, script_hash: sha256(sender) });
}

type Counts = Record<'tokens' | 'holders' | 'creates' | 'mints' | 'transfers' | 'burns' | 'invalid', number>;

const countOf = { create: 'creates', mint: 'mints', transfer: 'transfers', burn: 'burns' } as const;

async function openCounts(writer: PartWriter): Promise<Counts> {
  const row = await writer.find(tokenCountTable, [0]);
  const read = (name: keyof Counts): number => Number(row?.[name] ?? 0);
  return {
    tokens: read('tokens'),
    holders: read('holders'),
    creates: read('creates'),
    mints: read('mints'),
    transfers: read('transfers'),
    burns: read('burns'),
    invalid: read('invalid'),
  };
}

/** state(h): the tokens and then the balances, each in the order of their keys. */
async function hashTokens(writer: PartWriter): Promise<Uint8Array> {
  const hasher = createStateHasher();
  for await (const row of writer.scan(tokenTable)) hasher.add(tokenStateRow(readTokenRow(row)));
  for await (const { token_id, script_hash, amount } of writer.scan(balanceTable)) {
    hasher.add(balanceStateRow(token_id as Uint8Array, script_hash as Uint8Array, amount as bigint));
  }
  return hasher.finish();
}
