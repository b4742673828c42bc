import { equalBytes } from '../bytes.ts';
import { findAtHeight } from '../height-table.ts';
import { MAX_LEB128 } from '../leb128.ts';
import { findRecipient, type PlacedTransaction, readOperation, sumPaidTo } from '../operation.ts';
import type { TokenRules } from '../profile.ts';
import { tokenIdOf } from './token-id.ts';
import {
  decodeTokenOperation,
  type TokenOperation,
  type TokenSweep,
  type TokenTerms,
} from './token-operation.ts';
import type { TokenReason } from './token-reasons.ts';

/** A token. Amounts count its smallest parts. */
export type TokenRecord = {
  readonly tokenId: Uint8Array;
  /** The issuer's scriptPubKey, for good. */
  readonly issuer: Uint8Array;
  readonly terms: TokenTerms;
  readonly createdHeight: number;
  readonly mintingOpen: boolean;
  /** All that was ever minted, the premine included. A burn does not lower it. */
  readonly minted: bigint;
  readonly burned: bigint;
  /** How many scripts have a positive balance. */
  readonly holders: number;
};

/** What a script has of a token; zero when it has no record. */
export type TokenBalance = { readonly script: Uint8Array; readonly amount: bigint };

/** What the rules need to know about a coin. */
export type TokenContext = { readonly rules: TokenRules; readonly genesisPrefix: Uint8Array };

/** An operation on one token. */
export type SingleOperation = Exclude<TokenOperation, TokenSweep>;

/** A transaction that was found to carry an operation on one token, with the keys of the records that it depends on. */
export type PreparedToken = {
  readonly placed: PlacedTransaction;
  readonly operation: SingleOperation;
  readonly sender: Uint8Array;
  readonly tokenId: Uint8Array;
  /** What each script gets, a script once, in the order of the shares; empty for a burn. */
  readonly receipts: readonly TokenBalance[];
  /** The scripts whose balances {@link applyTokenOperation} needs: the sender's, then other recipients'. */
  readonly holders: readonly Uint8Array[];
};

/** The records under the keys of a {@link PreparedToken}; `balances` in the order of its `holders`. */
export type TokenState = {
  readonly token: TokenRecord | undefined;
  readonly balances: readonly bigint[];
};

/** A transaction that was found to carry a sweep: which tokens it moves, only the state tells. */
export type PreparedSweep = {
  readonly placed: PlacedTransaction;
  readonly operation: TokenSweep;
  readonly sender: Uint8Array;
  readonly recipient: Uint8Array;
};

/** What a valid operation did. Scripts are whole scriptPubKeys. */
export type TokenEvent = SingleEvent | SweepEvent;

/** What a valid operation on one token did. */
export type SingleEvent =
  | { kind: 'create'; tokenId: Uint8Array; sender: Uint8Array; terms: TokenTerms }
  | {
      kind: 'mint';
      tokenId: Uint8Array;
      sender: Uint8Array;
      closes: boolean;
      recipient: Uint8Array;
      amount: bigint;
    }
  | { kind: 'transfer'; tokenId: Uint8Array; sender: Uint8Array; shares: readonly TokenBalance[] }
  | { kind: 'burn'; tokenId: Uint8Array; sender: Uint8Array; amount: bigint };

/** What a valid sweep did: tokens in the order in which they were created. */
export type SweepEvent = {
  kind: 'sweep';
  sender: Uint8Array;
  recipient: Uint8Array;
  moved: readonly { readonly tokenId: Uint8Array; readonly amount: bigint }[];
};

/** The records to write, whole. A balance of zero is removed. Only what changed is listed. */
export type TokenChanges = { readonly token: TokenRecord; readonly balances: readonly TokenBalance[] };

/** The verdict on an operation. An invalid one changes nothing. */
export type TokenOutcome =
  | { ok: true; changes: TokenChanges; event: SingleEvent }
  | { ok: false; reason: TokenReason };

/** What {@link prepareTokenOperation} answers. */
export type PrepareToken =
  | { kind: 'none' }
  | { kind: 'invalid'; reason: TokenReason }
  | { kind: 'operation'; prepared: PreparedToken }
  | { kind: 'sweep'; prepared: PreparedSweep };

/** The most that may ever be minted of a token. */
export function mintLimit({ cap }: TokenTerms): bigint {
  return cap ?? MAX_LEB128;
}

/** What a CREATE costs at a height, in base units of the coin. */
export function createFeeAt(height: number, { createFees }: TokenRules): bigint {
  const row = findAtHeight(createFees, height);
  if (row === undefined) throw new Error(`the profile has no CREATE fee at height ${height}`);
  return row.fee;
}

/** Reads a transaction's token operation and judges all of it that needs no state. */
export function prepareTokenOperation(placed: PlacedTransaction, context: TokenContext): PrepareToken {
  const read = readOperation(placed, context.rules, decodeTokenOperation);
  return read.kind === 'operation' ? prepareReadToken(placed, read, context) : read;
}

/** An operation that was read, and who sends it. */
export type ReadToken = {
  readonly operation: TokenOperation;
  readonly sender: Uint8Array;
  /** As it is carried. */
  readonly payload: Uint8Array;
};

/** Judges all of an operation that needs no state, for a sender that is known - of a transaction not yet signed, too. */
export function prepareReadToken(
  placed: PlacedTransaction,
  { operation, sender, payload }: ReadToken,
  context: TokenContext,
): Exclude<PrepareToken, { kind: 'none' }> {
  if (operation.kind === 'sweep') return prepareSweep(placed, operation, sender, context.rules);
  const receipts = findReceipts(placed, operation, sender, context.rules);
  if (!receipts.ok) return { kind: 'invalid', reason: receipts.reason };
  const tokenId =
    operation.kind === 'create'
      ? tokenIdOf(placed.tx.inputs[0]!, payload, context.genesisPrefix)
      : operation.tokenId;
  const holders = [sender];
  for (const { script } of receipts.value) if (!equalBytes(script, sender)) holders.push(script);
  const prepared = { placed, operation, sender, tokenId, receipts: receipts.value, holders };
  return { kind: 'operation', prepared };
}

function prepareSweep(
  placed: PlacedTransaction,
  operation: TokenSweep,
  sender: Uint8Array,
  { sweepActivationHeight }: TokenRules,
): Exclude<PrepareToken, { kind: 'none' }> {
  if (sweepActivationHeight === undefined || placed.height < sweepActivationHeight)
    return { kind: 'invalid', reason: 'unknown_opcode' };
  const recipient = findRecipient(placed.tx.outputs, operation.toVout);
  if (!recipient.ok) return { kind: 'invalid', reason: recipient.reason };
  if (equalBytes(recipient.script, sender)) return { kind: 'invalid', reason: 'sweep_to_sender' };
  return { kind: 'sweep', prepared: { placed, operation, sender, recipient: recipient.script } };
}

type Receipts = { ok: true; value: TokenBalance[] } | { ok: false; reason: TokenReason };

/** Who gets what, as far as the transaction alone tells; the reason when it asks for what no state allows. */
function findReceipts(
  { tx, height }: PlacedTransaction,
  operation: SingleOperation,
  sender: Uint8Array,
  rules: TokenRules,
): Receipts {
  switch (operation.kind) {
    case 'create': {
      const { terms } = operation;
      if (terms.premine > mintLimit(terms)) return { ok: false, reason: 'premine_above_cap' };
      if (!terms.mintable && terms.premine === 0n) return { ok: false, reason: 'premine_zero' };
      const paid = sumPaidTo(tx.outputs, rules.feeScript);
      if (paid < createFeeAt(height, rules)) return { ok: false, reason: 'fee_too_low' };
      return { ok: true, value: [{ script: sender, amount: terms.premine }] };
    }
    case 'mint': {
      const { amount, closes, toVout } = operation;
      if (amount === 0n && !closes) return { ok: false, reason: 'amount_zero' };
      const recipient = findRecipient(tx.outputs, toVout);
      return recipient.ok ? { ok: true, value: [{ script: recipient.script, amount }] } : recipient;
    }
    case 'transfer':
      return findShares(tx.outputs, operation.shares);
    case 'burn':
      return operation.amount === 0n ? { ok: false, reason: 'amount_zero' } : { ok: true, value: [] };
  }
}

function findShares(
  outputs: Parameters<typeof findRecipient>[0],
  shares: readonly { toVout: number; amount: bigint }[],
): Receipts {
  // A payload has room for a few shares only: looking through them takes less than a map does.
  const balances: TokenBalance[] = [];
  for (let i = 0; i < shares.length; i++) {
    const { toVout, amount } = shares[i]!;
    if (amount === 0n) return { ok: false, reason: 'amount_zero' };
    if (shares.findIndex((share) => share.toVout === toVout) < i)
      return { ok: false, reason: 'output_repeated' };
    const recipient = findRecipient(outputs, toVout);
    if (!recipient.ok) return recipient;
    const { script } = recipient;
    const known = balances.findIndex((balance) => equalBytes(balance.script, script));
    if (known < 0) balances.push({ script, amount });
    else balances[known] = { script, amount: balances[known]!.amount + amount };
  }
  return { ok: true, value: balances };
}

/** What an operation takes from its sender's balance: the sum of a transfer, the amount of a burn, else nothing. */
export function debitOf({ operation, receipts }: PreparedToken): bigint {
  if (operation.kind === 'burn') return operation.amount;
  return operation.kind === 'transfer' ? receipts.reduce((sum, { amount }) => sum + amount, 0n) : 0n;
}

/** Judges a prepared operation on the state before it (docs/protocols/tokens.md). */
export function applyTokenOperation(prepared: PreparedToken, state: TokenState): TokenOutcome {
  const { operation, sender, tokenId, receipts, placed } = prepared;
  if (operation.kind === 'create') {
    const { terms } = operation;
    const token: TokenRecord = {
      tokenId,
      issuer: sender,
      terms,
      createdHeight: placed.height,
      mintingOpen: terms.mintable,
      minted: terms.premine,
      burned: 0n,
      holders: 0,
    };
    return {
      ok: true,
      changes: move(prepared, state, token, 0n),
      event: { kind: 'create', tokenId, sender, terms },
    };
  }
  const { token } = state;
  if (token === undefined) return { ok: false, reason: 'token_unknown' };
  switch (operation.kind) {
    case 'mint': {
      const { amount, closes } = operation;
      if (!equalBytes(token.issuer, sender)) return { ok: false, reason: 'not_issuer' };
      if (!token.mintingOpen) return { ok: false, reason: 'minting_closed' };
      const minted = token.minted + amount;
      if (minted > mintLimit(token.terms)) return { ok: false, reason: 'cap_exceeded' };
      const recipient = receipts[0]!.script;
      return {
        ok: true,
        changes: move(prepared, state, { ...token, minted, mintingOpen: !closes }, 0n),
        event: { kind: 'mint', tokenId, sender, closes, recipient, amount },
      };
    }
    case 'transfer': {
      const sum = debitOf(prepared);
      if (sum > state.balances[0]!) return { ok: false, reason: 'balance_too_low' };
      return {
        ok: true,
        changes: move(prepared, state, token, sum),
        event: { kind: 'transfer', tokenId, sender, shares: receipts },
      };
    }
    case 'burn': {
      const { amount } = operation;
      if (amount > state.balances[0]!) return { ok: false, reason: 'balance_too_low' };
      return {
        ok: true,
        changes: move(prepared, state, { ...token, burned: token.burned + amount }, amount),
        event: { kind: 'burn', tokenId, sender, amount },
      };
    }
  }
}

/** Takes a sum from the sender, gives the receipts, and counts the holders anew. */
function move(
  { holders, receipts }: PreparedToken,
  { balances }: TokenState,
  token: TokenRecord,
  sum: bigint,
): TokenChanges {
  const changed: TokenBalance[] = [];
  let holderCount = token.holders;
  for (let i = 0; i < holders.length; i++) {
    const script = holders[i]!;
    const before = balances[i]!;
    const received = amountFor(script, receipts);
    const amount = i === 0 ? before + received - sum : before + received;
    if (amount === before) continue;
    changed.push({ script, amount });
    if (before === 0n) holderCount += 1;
    if (amount === 0n) holderCount -= 1;
  }
  const after = holderCount === token.holders ? token : { ...token, holders: holderCount };
  return { token: after, balances: changed };
}

/** What a script gets; zero when it gets nothing. */
function amountFor(script: Uint8Array, receipts: readonly TokenBalance[]): bigint {
  for (const receipt of receipts) if (equalBytes(receipt.script, script)) return receipt.amount;
  return 0n;
}
