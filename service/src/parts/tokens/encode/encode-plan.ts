import { type TokenWarning, tokenWarnings } from '@coinfront/api/token-encode.ts';
import type { SweepJson } from '@coinfront/api/token-sweep.ts';
import { buildCarrier } from '@coinfront/protocol/carrier.ts';
import { OP_RETURN } from '@coinfront/protocol/opcodes.ts';
import type { PlacedTransaction } from '@coinfront/protocol/operation.ts';
import { encodeTokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import type { TokenReason } from '@coinfront/protocol/tokens/token-reasons.ts';
import { createFeeAt, prepareReadToken } from '@coinfront/protocol/tokens/token-rules.ts';
import type { TxInput, TxOutput } from '@coinfront/protocol/transaction.ts';
import type { ChainView } from '../../../chain/chain-view.ts';
import { AppError } from '../../../errors.ts';
import { describeSweep } from '../describe-sweep.ts';
import type { TokenRouteContext } from '../token-context.ts';
import { judgeOn, openStateOverlay } from '../token-state.ts';
import { listTokens } from '../token-store.ts';
import type { AskedOperation } from './read-operation.ts';

/** An output that an operation needs. */
export type PlannedOutput = TxOutput & { purpose: 'carrier' | 'recipient' | 'fee' };

/** An operation as it should be sent. */
export type TokenPlan = AskedOperation & {
  payload: Uint8Array;
  /** In order: the carrier first. */
  outputs: PlannedOutput[];
  /** Of the block that it is planned for. */
  height: number;
};

/**
 * Plans the transaction of an operation for the next block. Recipients get as little as nodes relay; a fee below that is
 * paid with it.
 *
 * @throws AppError `invalid_body` when it does not fit a data carrier
 */
export function planOperation(
  asked: AskedOperation,
  nextHeight: number,
  { tokens: { rules }, profile }: TokenRouteContext,
): TokenPlan {
  const begins =
    asked.operation.kind === 'sweep'
      ? (rules.sweepActivationHeight ?? Number.POSITIVE_INFINITY)
      : rules.activationHeight;
  const height = Math.max(nextHeight, begins);
  const payload = encodePayload(asked, rules.marker);
  const outputs: PlannedOutput[] = [{ purpose: 'carrier', value: 0n, script: buildCarrier(payload) }];
  for (const script of asked.recipients) {
    outputs.push({ purpose: 'recipient', value: profile.dustLimit, script });
  }
  const fee = asked.operation.kind === 'create' ? createFeeAt(height, rules) : 0n;
  if (fee > 0n) {
    const value = fee < profile.dustLimit ? profile.dustLimit : fee;
    outputs.push({ purpose: 'fee', value, script: rules.feeScript });
  }
  return { ...asked, payload, outputs, height };
}

function encodePayload({ operation }: AskedOperation, marker: Uint8Array): Uint8Array {
  try {
    return encodeTokenOperation(operation, marker);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const detail = `The operation does not fit a data carrier: ${error.message}. Send it in several transactions.`;
    throw new AppError('invalid_body', detail);
  }
}

/** A script that owns nothing, for operations of which it does not matter who sends them. */
const NOBODY = Uint8Array.of(OP_RETURN);

/** What the rules say of a plan in its block; undefined where it hangs on a sender that is not known. */
export async function judgePlan(
  view: ChainView,
  { operation, payload, outputs, height }: TokenPlan,
  sender: Uint8Array | undefined,
  { tokens }: TokenRouteContext,
): Promise<{ valid: boolean; reason: TokenReason | null } | null> {
  if (operation.kind !== 'create' && sender === undefined) return null;
  const placed = placeUnsigned(outputs, height);
  const script = sender ?? NOBODY;
  const prepared = prepareReadToken(placed, { operation, sender: script, payload }, tokens);
  if (prepared.kind === 'invalid') return { valid: false, reason: prepared.reason };
  const outcome = await judgeOn(openStateOverlay(view), prepared);
  return outcome.ok ? { valid: true, reason: null } : { valid: false, reason: outcome.reason };
}

/** What a plan would move at the tip, where it is a sweep of a sender that is known. */
export async function describePlannedSweep(
  view: ChainView,
  { operation, recipients }: TokenPlan,
  sender: Uint8Array | undefined,
): Promise<SweepJson | null> {
  if (operation.kind !== 'sweep' || sender === undefined) return null;
  return describeSweep(await openStateOverlay(view).listHeld({ sender, recipient: recipients[0]! }));
}

/** The transaction before it has inputs. What is judged of it are its outputs. */
function placeUnsigned(outputs: readonly TxOutput[], height: number): PlacedTransaction {
  const input: TxInput = {
    prevTxid: new Uint8Array(32),
    prevVout: 0,
    scriptSig: new Uint8Array(0),
    sequence: 0,
    witness: [],
  };
  const tx = {
    version: 2,
    inputs: [input],
    outputs: [...outputs],
    locktime: 0,
    hasWitness: false,
    mweb: undefined,
  };
  return { tx, txid: new Uint8Array(32), height, position: 0, prevoutScript: undefined };
}

/** What should be known of a plan before it is paid for. */
export async function listWarnings(
  view: ChainView,
  plan: TokenPlan,
  sender: Uint8Array | undefined,
  { verdict, sweep }: { verdict: { valid: boolean } | null; sweep: SweepJson | null },
  nextHeight: number,
  { tokens: { rules } }: TokenRouteContext,
): Promise<{ code: TokenWarning; text: string }[]> {
  const { operation, height } = plan;
  const codes: TokenWarning[] = [];
  if (height > nextHeight) codes.push(operation.kind === 'sweep' ? 'sweep_inactive' : 'tokens_inactive');
  if (sweep?.leaves_more) codes.push('sweep_leaves_more');
  if (operation.kind === 'create') {
    codes.push('keep_first_input');
    const filter = { kind: 'ticker', ticker: operation.terms.ticker } as const;
    if ((await listTokens(view.reader, filter, 'newest', undefined, 1)).length > 0)
      codes.push('ticker_taken');
    if (createFeeAt(height + 1, rules) !== createFeeAt(height, rules)) codes.push('create_fee_changes');
  }
  if (operation.kind === 'mint' && operation.closes) codes.push('closes_minting');
  if (operation.kind === 'burn') codes.push('burn_is_final');
  if (verdict === null) codes.push('sender_unchecked');
  else if (!verdict.valid) codes.push('not_valid_now');
  if (sender !== undefined && (await view.listMempoolHistory(sender, undefined, 1)).length > 0)
    codes.push('sender_has_pending');
  return codes.map((code) => ({ code, text: tokenWarnings[code] }));
}
