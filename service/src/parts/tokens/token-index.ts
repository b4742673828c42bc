import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { createEventLog, type EventLog } from '@coinfront/protocol/hash-chain.ts';
import type { PlacedTransaction } from '@coinfront/protocol/operation.ts';
import { describeRules } from '@coinfront/protocol/rules-text.ts';
import { describeTokenPayload } from '@coinfront/protocol/tokens/describe-token-payload.ts';
import { writeTokenEvent } from '@coinfront/protocol/tokens/token-canonical.ts';
import type { TokenReason } from '@coinfront/protocol/tokens/token-reasons.ts';
import {
  applyTokenOperation,
  type PreparedToken,
  type PrepareToken,
  prepareTokenOperation,
  type TokenContext,
} from '@coinfront/protocol/tokens/token-rules.ts';
import { sha256 } from '../../indexer/encoding/hashes.ts';
import type { ConnectedBlock, IndexerPart, PartWriter } from '../../indexer/parts/part.ts';
import { connectSweep } from './connect-sweep.ts';
import { hashTokenState } from './hash-token-state.ts';
import { createOperationPack } from './operation-packs.ts';
import { openCounts } from './token-counts.ts';
import { getHolder, type Holder, openHolders, type PaidScript, UNOPENED } from './token-holders.ts';
import { closeToken, type OpenToken, openSlots, openTokens, type Run } from './token-run.ts';
import {
  activityTable,
  balanceLog,
  balanceTable,
  eventTable,
  refusalTable,
  scriptTable,
  supplyTable,
  sweptTable,
  tokenCountTable,
  tokenEventTable,
  tokenHashes,
  tokenNumberTable,
  tokenTable,
} from './token-tables.ts';

/** Follows the tokens of a coin: feeds the rules with each block's operations, and writes what they return. */
export function createTokenIndex(context: TokenContext): IndexerPart {
  const { rules } = context;
  return {
    name: 'tokens',
    version: 10,
    rules: describeRules(rules),
    tables: [
      tokenTable,
      balanceTable,
      scriptTable,
      eventTable,
      tokenEventTable,
      activityTable,
      refusalTable,
      balanceLog,
      supplyTable,
      sweptTable,
      tokenNumberTable,
      tokenCountTable,
      ...tokenHashes.tables,
    ],
    async connectBlock(block, writer) {
      if (block.height < rules.activationHeight) return;
      const positions = block.listDataCarriers(rules.marker);
      const events = createEventLog();
      if (positions.length > 0) await connectCarriers(writer, block, positions, context, events);
      await tokenHashes.connect(block, writer, events.hash(sha256), () => hashTokenState(writer));
    },
  };
}

/**
 * Operations that are read and applied together: enough that a database on another machine is asked rarely, few enough
 * that what was parsed is gone before the collector of garbage has to move it (a whole block at once took a fifth longer).
 */
const OPERATIONS_AT_ONCE = 256;

async function connectCarriers(
  writer: PartWriter,
  block: ConnectedBlock,
  positions: readonly number[],
  context: TokenContext,
  events: EventLog,
): Promise<void> {
  const counts = await openCounts(writer);
  const balances = writer.amounts(balanceTable);
  const operations = createOperationPack();
  const run: Run = {
    writer,
    balances,
    block,
    counts,
    tokens: new Map(),
    created: new Map(),
    events,
    operations,
  };
  for (let at = 0; at < positions.length; at += OPERATIONS_AT_ONCE) {
    const found = await findOperations(block, positions.slice(at, at + OPERATIONS_AT_ONCE), context);
    await connectOperations(run, found);
  }
  for (const token of run.tokens.values()) if (token.txIds.length > 0) await closeToken(run, token);
  if (operations.firstTxId !== undefined)
    writer.append(eventTable, { tx_id: operations.firstTxId, operations: operations.finish() });
  await writer.put(tokenCountTable, { id: 0, ...counts });
}

/** A transaction that carries a payload of tokens. */
type Found = {
  placed: PlacedTransaction;
  txId: number;
  read: Exclude<PrepareToken, { kind: 'none' }>;
  /** Those that it names: its sender's, and of an operation the other recipients'; none where the rules see no sender. */
  scripts: readonly PaidScript[];
  /** The token that it names, whatever is wrong with it; a token that was not created has no id. */
  tokenId: Uint8Array | undefined;
};

async function findOperations(
  block: ConnectedBlock,
  positions: readonly number[],
  context: TokenContext,
): Promise<Found[]> {
  const senders = await block.findFirstPrevouts(positions);
  const found: Found[] = [];
  for (let i = 0; i < positions.length; i++) {
    const position = positions[i]!;
    const sender = senders[i];
    const placed = {
      tx: block.getTransaction(position),
      txid: block.getTxid(position),
      height: block.height,
      position,
      prevoutScript: sender?.script,
    };
    const read = prepareTokenOperation(placed, context);
    if (read.kind === 'none') continue;
    const tokenId = read.kind === 'operation' ? read.prepared.tokenId : findNamedToken(placed, context.rules);
    const txId = block.getTxId(position);
    found.push({ placed, txId, read, scripts: listScripts(txId, sender, read), tokenId });
  }
  return found;
}

function listScripts(txId: number, sender: PaidScript | undefined, read: Found['read']): PaidScript[] {
  if (sender === undefined) return [];
  if (read.kind === 'invalid') return [sender];
  const { placed } = read.prepared;
  const { outputs } = placed.tx;
  const others = read.kind === 'sweep' ? [read.prepared.recipient] : read.prepared.holders.slice(1);
  const recipients = others.map((script) => {
    const vout = outputs.findIndex((output) => equalBytes(output.script, script));
    return { script, outputId: txId + vout };
  });
  return [sender, ...recipients];
}

function findNamedToken({ tx }: PlacedTransaction, rules: TokenContext['rules']): Uint8Array | undefined {
  const operation = describeTokenPayload(tx.outputs, rules);
  return operation && 'tokenId' in operation ? operation.tokenId : undefined;
}

async function connectOperations(run: Run, found: readonly Found[]): Promise<void> {
  const { writer, counts } = run;
  const tokens = await openNamedTokens(run, found);
  const holders = await openHolders(
    writer,
    found.map(({ scripts }) => scripts),
  );
  await openBalances(run, found, tokens, holders);
  for (let i = 0; i < found.length; i++) {
    const each = found[i]!;
    const { read } = each;
    const opening =
      read.kind === 'operation' ? openMissing(run, read.prepared, tokens[i]!, holders[i]!) : undefined;
    // Nothing is waited for where nothing is missing: of most operations.
    if (opening) await opening;
    const reason =
      read.kind === 'invalid'
        ? read.reason
        : read.kind === 'sweep'
          ? await connectSweep(run, each.txId, read.prepared, holders[i]!)
          : connectOperation(run, each.txId, read.prepared, tokens[i]!, holders[i]!);
    if (reason === undefined) continue;
    logRefusal(writer, each, tokens[i], holders[i]![0], reason);
    counts.invalid++;
  }
}

/** The token that each operation names. */
async function openNamedTokens(run: Run, found: readonly Found[]): Promise<(OpenToken | undefined)[]> {
  const opened = await openTokens(
    run,
    found.flatMap(({ tokenId }) => tokenId ?? []),
  );
  let next = 0;
  return found.map(({ tokenId }) => (tokenId === undefined ? undefined : opened[next++]!));
}

/** Reads the balances of many operations at once; those of tokens that the block creates are opened one by one. */
async function openBalances(
  { balances }: Run,
  found: readonly Found[],
  tokens: readonly (OpenToken | undefined)[],
  holders: readonly (readonly Holder[])[],
): Promise<void> {
  const numbers: number[] = [];
  const opened: Holder[] = [];
  for (let i = 0; i < holders.length; i++) {
    const number = tokens[i]?.place?.number;
    if (number === undefined || found[i]!.read.kind !== 'operation') continue;
    for (const holder of holders[i]!) {
      numbers.push(number);
      opened.push(holder);
    }
  }
  await openSlots(balances, opened, numbers);
}

/** Opens the balances of a token that the block has created, or that this operation would create. */
function openMissing(
  run: Run,
  { operation }: PreparedToken,
  { place }: OpenToken,
  holders: readonly Holder[],
): Promise<void> | undefined {
  if (holders[0]!.slot !== UNOPENED || (place === undefined && operation.kind !== 'create')) return undefined;
  const number = place?.number ?? run.counts.tokens;
  return openSlots(
    run.balances,
    holders,
    holders.map(() => number),
  );
}

/** @returns why it is invalid; undefined when it is valid, and was applied */
function connectOperation(
  run: Run,
  txId: number,
  prepared: PreparedToken,
  token: OpenToken,
  holders: readonly Holder[],
): TokenReason | undefined {
  const { writer, balances, counts, events } = run;
  const amounts = holders.map(({ slot }) => (slot === UNOPENED ? 0n : balances.get(slot)));
  const outcome = applyTokenOperation(prepared, { token: token.record, balances: amounts });
  if (!outcome.ok) return outcome.reason;
  const { event, changes } = outcome;
  const holdersBefore = token.record?.holders ?? 0;
  token.place ??= {
    number: counts.tokens,
    createdPosition: prepared.placed.position,
    events: 0,
    transfers: 0,
    supplyChanges: 0,
  };
  const { place } = token;
  place.events++;
  if (event.kind === 'transfer') place.transfers++;
  token.record = changes.token;
  token.txIds.push(txId);
  for (const { script, amount } of changes.balances) {
    balances.set(getHolder(holders, script).slot, amount);
  }
  counts.holders += changes.token.holders - holdersBefore;
  counts[countOf[event.kind]]++;
  if (event.kind === 'create') {
    run.created.set(place.number, token);
    counts.tokens++;
  }
  run.operations.add(txId, place.number);
  for (const { id } of holders)
    writer.append(activityTable, { script_id: id, tx_id: txId, token_number: place.number });
  events.add((bytes) =>
    writeTokenEvent(bytes, prepared.placed, event, (script) => getHolder(holders, script).hash),
  );
  return undefined;
}

function logRefusal(
  writer: PartWriter,
  { txId, tokenId }: Found,
  token: OpenToken | undefined,
  sender: Holder | undefined,
  reason: TokenReason,
): void {
  writer.append(refusalTable, {
    tx_id: txId,
    token_number: token?.place?.number ?? null,
    token_id: token?.record === undefined ? (tokenId?.slice() ?? null) : null,
    sender_id: sender?.id ?? null,
    reason,
  });
}

const countOf = { create: 'creates', mint: 'mints', transfer: 'transfers', burn: 'burns' } as const;
