/** What the chain says before a payment is made: its tip, and what the address has had, which is never the payment's. */

import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { ChainView } from '../../../chain/chain-view.ts';
import { readInStep } from '../../../chain/read-in-step.ts';
import type { Precious } from '../../../db/precious.ts';
import { AppError } from '../../../errors.ts';
import { isClosed } from '../judging/payment-rules.ts';
import type { PaymentQuery, PaymentRouteContext } from '../payment-context.ts';
import type { Superseded } from '../requests/payment-store.ts';
import type { JudgedTip } from '../requests/serialise-payment.ts';
import type { PaymentOutputTable, PaymentTable } from '../schema/payment-tables.ts';
import {
  type Belonging,
  findBelongings,
  forgetDeepSpends,
  keepEarlierSpends,
  listScriptsWithOldMoney,
} from './earlier-spends.ts';
import { isIn } from './is-in.ts';
import { type EarlierMoney, type EarlierOutput, listEarlierMoney } from './list-earlier-outputs.ts';

export type Ground = { tip: JudgedTip; earlier: EarlierMoney };

const nothing: EarlierMoney = { outputs: [], spends: new Map() };

/**
 * For an address that was given the index has to be in step with its node: what that address was paid in blocks that are
 * not indexed yet would be taken for what comes after the payment.
 *
 * @throws AppError `not_ready`, `recipient_too_active`
 */
export async function readGround(
  { readChain, now }: PaymentRouteContext,
  script: Uint8Array | undefined,
): Promise<Ground> {
  const read = async (view: ChainView): Promise<Ground> => {
    const { tip } = view;
    if (tip === undefined) throw notReady('No block is indexed yet. See /api/v1/health.');
    const earlier = script === undefined ? nothing : await listEarlierMoney(view, script);
    return { tip: { height: tip.height, hash: toDisplayHash(tip.hash) }, earlier };
  };
  if (script === undefined) return await readChain(read);
  const found = await readInStep({ readChain, now }, read);
  if (found !== undefined) return found.value;
  throw notReady(
    'The index is behind the node, so that it cannot be said what the address had received before. Use an address of ' +
      'the pool, or try again.',
  );
}

function notReady(detail: string): AppError {
  return new AppError('not_ready', detail, { 'retry-after': '5' });
}

/**
 * Stores what an address had before a payment, and what its transactions spend. What came for the merchant's payment that had
 * the address until now is that one's, also when nobody has recorded it yet; everything else is excluded from the new one.
 */
export async function keepEarlier(
  trx: PaymentQuery,
  engine: Precious['engine'],
  payment: Pick<PaymentTable, 'id' | 'merchant_id' | 'script_hash'>,
  { tip: { height: tipHeight }, earlier: { outputs, spends } }: Ground,
  previous: Superseded | undefined,
): Promise<void> {
  if (outputs.length === 0) return;
  const { merchant_id, script_hash } = payment;
  const replacing = await readReplacing(trx, engine, payment, spends);
  const stored = await trx
    .insertInto('payment_output')
    .values(outputs.map((output) => attribute(output, payment, previous, replacing.get(output.txid))))
    // An outpoint that paid for something else stays that payment's.
    .onConflict((conflict) => conflict.columns(['txid', 'vout', 'merchant_id']).doNothing())
    .returning('payment_id')
    .execute();
  const owners = await listOwnersOf(trx, engine, merchant_id, outputs);
  await forgetDeepSpends(trx, merchant_id, script_hash, tipHeight);
  await keepEarlierSpends(
    trx,
    [...spends].flatMap(([spender, spent]) => {
      const owner = owners.get(spender);
      return owner === undefined
        ? []
        : spent.map((each) => ({ merchant_id, script_hash, ...each, ...owner, spender }));
    }),
  );
  const others = new Set(stored.map(({ payment_id }) => payment_id));
  others.delete(payment.id);
  if (others.size === 0) return;
  await trx
    .updateTable('payment')
    .set({ is_due: 1 })
    .where('id', 'in', [...others])
    .execute();
}

/** What takes the place of older money: whose that is, and whether it counts there. */
type Replacing = { owner: Superseded; excluded: number };

/** Where the money of transactions belongs that take the place of older money, by txid. */
async function readReplacing(
  trx: PaymentQuery,
  engine: Precious['engine'],
  { merchant_id, script_hash }: Pick<PaymentTable, 'merchant_id' | 'script_hash'>,
  spends: EarlierMoney['spends'],
): Promise<Map<string, Replacing>> {
  const found = new Map<string, Replacing>();
  if ((await listScriptsWithOldMoney(trx, engine, [script_hash])).size === 0) return found;
  for (const [txid, spent] of spends) {
    const belonging = (await findBelongings(trx, engine, script_hash, spent)).get(merchant_id);
    if (belonging === undefined) continue;
    const owner = await trx
      .selectFrom('payment')
      .select(['id', 'status', 'accepted_at', 'created_height'])
      .where('id', '=', belonging.payment_id)
      .executeTakeFirstOrThrow();
    found.set(txid, { owner, excluded: belonging.excluded });
  }
  return found;
}

/** Which of a merchant's payments has the money of each transaction, and whether it counts there. */
async function listOwnersOf(
  trx: PaymentQuery,
  engine: Precious['engine'],
  merchantId: string,
  outputs: readonly EarlierOutput[],
): Promise<Map<string, Belonging>> {
  const places = new Set(outputs.map(({ txid, vout }) => `${txid}:${vout}`));
  const rows = await trx
    .selectFrom('payment_output')
    .select(['txid', 'vout', 'payment_id', 'excluded'])
    .where(isIn(engine, 'txid', [...new Set(outputs.map(({ txid }) => txid))]))
    .where('merchant_id', '=', merchantId)
    .execute();
  const ours = rows.filter(({ txid, vout }) => places.has(`${txid}:${vout}`));
  return new Map(ours.map(({ txid, payment_id, excluded }) => [txid, { payment_id, excluded }]));
}

function attribute(
  output: EarlierOutput,
  { id, merchant_id }: Pick<PaymentTable, 'id' | 'merchant_id'>,
  previous: Superseded | undefined,
  replacing: Replacing | undefined,
): PaymentOutputTable {
  const isPrevious =
    previous !== undefined && (output.height === null || output.height > previous.created_height);
  const owner = replacing?.owner ?? (isPrevious ? previous : undefined);
  if (owner === undefined) return { ...output, merchant_id, payment_id: id };
  return {
    ...output,
    merchant_id,
    payment_id: owner.id,
    excluded: replacing?.excluded ?? 0,
    late: isClosed(owner) ? 1 : 0,
    // Where it is now says the job that follows the chain, which looks for it at once: this view may be an older one.
    height: null,
    block_hash: null,
    block_time: null,
    replaceable: null,
  };
}
