/**
 * What the index will make of a signed transaction, read from one snapshot. Whether the transaction itself is one that a
 * block may have - its signatures above all - is the node's to say.
 */

import type { CheckJson, PreflightCheck, PreflightJson } from '@coinfront/api/token-checks.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { findPayload } from '@coinfront/protocol/carrier.ts';
import { CHAIN_START } from '@coinfront/protocol/hash-chain.ts';
import { type PlacedTransaction, sumPaidTo } from '@coinfront/protocol/operation.ts';
import { describeTokenPayload } from '@coinfront/protocol/tokens/describe-token-payload.ts';
import type { TokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import type { TokenReason } from '@coinfront/protocol/tokens/token-reasons.ts';
import {
  applyTokenOperation,
  createFeeAt,
  type PreparedToken,
  prepareTokenOperation,
  type TokenChanges,
  type TokenContext,
  type TokenOutcome,
  type TokenState,
} from '@coinfront/protocol/tokens/token-rules.ts';
import {
  applyTokenSweep,
  type HeldToken,
  type SweepOutcome,
} from '@coinfront/protocol/tokens/token-sweep.ts';
import { isCoinbase, type Transaction } from '@coinfront/protocol/transaction.ts';
import type { BlockRecord, ChainView } from '../../chain/chain-view.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { describeCoins } from './describe-coins.ts';
import { describeSweep } from './describe-sweep.ts';
import { applyPending, type Pending } from './pending-operations.ts';
import { checkOfReason, notPassed, passed, skipped } from './preflight-verdict.ts';
import { askedAmount, kindNames, serialiseOwner } from './serialise-token.ts';
import type { TokenRouteContext } from './token-context.ts';
import { type Judgeable, judgeOn, openStateOverlay } from './token-state.ts';
import { findToken } from './token-store.ts';
import { tokenHashes } from './token-tables.ts';

/** The part of the answer that the snapshot gives: all checks but `parse` and `mempool`. */
export type StatePreflight = Omit<PreflightJson, 'txid' | 'wtxid' | 'ok'>;

type Context = Pick<TokenRouteContext, 'profile' | 'tokens'>;

/** What every answer says of the state, and nothing of a transaction yet. */
export async function describeState(view: ChainView, tip: BlockRecord) {
  const hashes = await tokenHashes.findLatest(view.reader);
  return {
    as_of: describeAsOf(tip),
    next_height: tip.height + 1,
    chain_hash: bytesToHex(hashes?.chain ?? CHAIN_START),
    operation: null,
    effect: null,
    sweep: null,
    coins: null,
    pending: null,
    create_fee: null,
  };
}

/** Judges a transaction for the block above the tip. */
export async function judgeOnState(
  view: ChainView,
  tip: BlockRecord,
  { tx, txid }: { tx: Transaction; txid: Uint8Array },
  context: Context,
): Promise<StatePreflight> {
  const { rules } = context.tokens;
  const next = tip.height + 1;
  const common = await describeState(view, tip);
  const stop = (check: CheckJson): StatePreflight => ({
    ...common,
    valid: null,
    reason: null,
    checks: completeChecks(check),
  });
  if (findPayload(tx.outputs, rules.marker).kind === 'none')
    return stop(notPassed('payload', 'failed', 'no_payload'));
  if (next < rules.activationHeight) return stop(notPassed('payload', 'failed', 'not_active'));
  const operation = describeTokenPayload(tx.outputs, rules);
  const known = await view.findTx(txid);
  if (known?.status.confirmed) return stop(notPassed('operation', 'failed', 'confirmed'));

  const found = await findPrevoutScript(view, tx);
  const placed = { tx, txid, height: next, position: 0, prevoutScript: found.script };
  const judged = await judge(view, placed, found.isMissing, context.tokens);
  const { prepared, state, changes, reason, valid, held } = judged;
  const isUnknown = found.isMissing && (reason === undefined || checkOfReason(reason) !== 'payload');
  const pending = valid && (await applyPending(view, valid, context.tokens));
  const stillValid = pending && valid ? await judgeOn(pending.state, valid) : undefined;
  const checks = isUnknown
    ? completeChecks(notPassed('sender', 'failed', 'prevout_missing'))
    : listChecks(reason, operation, pending, stillValid);
  return {
    ...common,
    valid: isUnknown ? null : reason === undefined,
    reason: isUnknown ? null : (reason ?? null),
    checks,
    operation: await describeOperation(view, operation, prepared, placed, context),
    effect: prepared && state && changes ? describeEffect(prepared, state, changes, context) : null,
    sweep: valid && held ? describeSweep(held) : null,
    coins: await describeCoins(view, tx, context),
    pending: pending && prepared && state ? describePending(pending, prepared, state) : null,
    create_fee: operation?.kind === 'create' ? describeFee(tx, next, context) : null,
  };
}

async function findPrevoutScript(
  view: ChainView,
  tx: Transaction,
): Promise<{ script: Uint8Array | undefined; isMissing: boolean }> {
  if (isCoinbase(tx)) return { script: undefined, isMissing: false };
  const { prevTxid, prevVout } = tx.inputs[0]!;
  const prevout = await view.findOutput(prevTxid, prevVout);
  // A script that is no sender's: what is wrong with the payload is told even so.
  return prevout
    ? { script: prevout.script, isMissing: false }
    : { script: new Uint8Array(0), isMissing: true };
}

type Judged = {
  /** What the rules accept on the state of the tip. */
  valid: Judgeable | undefined;
  /** What the sender of a sweep has. */
  held: readonly HeldToken[] | undefined;
  prepared: PreparedToken | undefined;
  state: TokenState | undefined;
  changes: TokenChanges | undefined;
  reason: TokenReason | undefined;
};

async function judge(
  view: ChainView,
  placed: PlacedTransaction,
  isMissing: boolean,
  context: TokenContext,
): Promise<Judged> {
  const nothing = {
    ...{ valid: undefined, held: undefined, prepared: undefined },
    ...{ state: undefined, changes: undefined },
  };
  const read = prepareTokenOperation(placed, context);
  if (read.kind === 'none') throw new Error('a payload was found and is gone');
  if (read.kind === 'invalid') return { ...nothing, reason: read.reason };
  if (isMissing) throw new Error('an unknown output has a sender');
  const overlay = openStateOverlay(view);
  if (read.kind === 'sweep') {
    const held = await overlay.listHeld(read.prepared);
    const outcome = applyTokenSweep(read.prepared, held);
    return outcome.ok
      ? { ...nothing, valid: read, held, reason: undefined }
      : { ...nothing, reason: outcome.reason };
  }
  const { prepared } = read;
  const state = await overlay.read(prepared);
  const outcome = applyTokenOperation(prepared, state);
  if (!outcome.ok) return { ...nothing, prepared, state, reason: outcome.reason };
  return { ...nothing, valid: read, prepared, state, changes: outcome.changes, reason: undefined };
}

const ORDER: readonly PreflightCheck[] = ['payload', 'sender', 'operation', 'pending', 'create_fee'];

/** All checks around one that failed: those before it passed, and those behind it were not come to. */
function completeChecks(failed: CheckJson): CheckJson[] {
  const failedAt = ORDER.indexOf(failed.name);
  return ORDER.map((name, i) => {
    if (i === failedAt) return failed;
    return i < failedAt ? passed(name, 'Nothing is wrong.') : skipped(name, 'An earlier check failed.');
  });
}

function listChecks(
  reason: TokenReason | undefined,
  operation: TokenOperation | undefined,
  pending: Pending | undefined,
  stillValid: TokenOutcome | SweepOutcome | undefined,
): CheckJson[] {
  const at = reason === undefined ? undefined : checkOfReason(reason);
  if (reason !== undefined && at !== undefined && at !== 'create_fee')
    return completeChecks(notPassed(at, 'failed', reason));
  return [
    passed('payload', 'One payload of tokens, which can be read.'),
    passed('sender', 'Input 0 names its sender, and every signature of it is SIGHASH_ALL.'),
    passed('operation', 'Valid on the state of the tip.'),
    describePendingCheck(pending, stillValid),
    operation?.kind !== 'create'
      ? skipped('create_fee', 'Only a CREATE pays one.')
      : reason === 'fee_too_low'
        ? notPassed('create_fee', 'failed', reason)
        : passed('create_fee', 'Paid in full.'),
  ];
}

function describePendingCheck(
  pending: Pending | undefined,
  stillValid: TokenOutcome | SweepOutcome | undefined,
): CheckJson {
  if (pending === undefined || stillValid === undefined)
    return skipped('pending', 'The fee of the CREATE is too low.');
  if (!stillValid.ok) return notPassed('pending', 'failed', stillValid.reason);
  if (!pending.isComplete) return notPassed('pending', 'failed', 'pending_too_many');
  return passed(
    'pending',
    pending.operations === 0
      ? 'Its sender has nothing on this token in the mempool.'
      : 'Valid also after what its sender has in the mempool.',
  );
}

async function describeOperation(
  view: ChainView,
  operation: TokenOperation | undefined,
  prepared: PreparedToken | undefined,
  { prevoutScript }: PlacedTransaction,
  { profile }: Context,
): Promise<StatePreflight['operation']> {
  if (operation === undefined) return null;
  const named = 'tokenId' in operation ? operation.tokenId : undefined;
  const tokenId = prepared?.tokenId ?? named;
  const indexed = named && (await findToken(view.reader, named));
  const terms = operation.kind === 'create' ? operation.terms : indexed?.terms;
  const asked = askedAmount(operation);
  return {
    kind: kindNames[operation.kind],
    token_id: tokenId === undefined ? null : bytesToHex(tokenId),
    ticker: terms?.ticker ?? null,
    sender: prevoutScript?.length ? serialiseOwner(prevoutScript, profile) : null,
    amount: terms === undefined || asked === undefined ? null : formatAmount(asked, terms.decimals),
  };
}

function describeEffect(
  { holders }: PreparedToken,
  { token: before, balances }: TokenState,
  { token: after, balances: changed }: TokenChanges,
  { profile }: Context,
): StatePreflight['effect'] {
  const amount = (value: bigint) => formatAmount(value, after.terms.decimals);
  return {
    minted: { before: amount(before?.minted ?? 0n), after: amount(after.minted) },
    burned: { before: amount(before?.burned ?? 0n), after: amount(after.burned) },
    minting_open: after.mintingOpen,
    holders: { before: before?.holders ?? 0, after: after.holders },
    balances: changed.map(({ script, amount: value }) => ({
      ...serialiseOwner(script, profile),
      // The rules give back the very scripts that they were given.
      before: amount(balances[holders.indexOf(script)] ?? 0n),
      after: amount(value),
    })),
  };
}

function describePending(
  { operations, debits, isComplete }: Pending,
  { operation }: PreparedToken,
  { token, balances }: TokenState,
): StatePreflight['pending'] {
  const decimals = operation.kind === 'create' ? operation.terms.decimals : token!.terms.decimals;
  const available = balances[0]! - debits;
  return {
    operations,
    debits: formatAmount(debits, decimals),
    available: formatAmount(available < 0n ? 0n : available, decimals),
    complete: isComplete,
  };
}

function describeFee(
  tx: Transaction,
  next: number,
  { tokens: { rules }, profile }: Context,
): StatePreflight['create_fee'] {
  const amount = (value: bigint) => formatAmount(value, profile.decimals);
  return {
    paid: amount(sumPaidTo(tx.outputs, rules.feeScript)),
    required: amount(createFeeAt(next, rules)),
    required_after: amount(createFeeAt(next + 1, rules)),
  };
}
