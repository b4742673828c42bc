/** What a merchant changes of itself. */

import type { MerchantChangeJson } from '@coinfront/api/merchants.ts';
import { AppError } from '../../../errors.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { checkConfirmations } from '../requests/payment-request.ts';
import { checkTolerance, type ToleranceTerms } from '../requests/tolerance-rules.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import { checkReceiver } from '../webhooks/check-receiver.ts';
import { forgetGone } from '../webhooks/redeliver.ts';
import { findNameFault } from './merchant-name.ts';
import type { Merchant } from './merchant-store.ts';

const noTolerance: ToleranceTerms = { tolerance_bps: 0, tolerance_max: null };

type Context = Pick<PaymentRouteContext, 'precious' | 'profile' | 'checkWebhookUrl'>;

/**
 * Changes what is given of a merchant; what is left out stays. Payments that were made keep what they have, but their events go to
 * the new URL from then on, unless they have one of their own. A receiver whose URL is given is taken to be there, whatever it
 * answered before.
 *
 * @throws AppError `invalid_body`, `amount_invalid`, `webhook_url_refused`, `confirmations_too_few`
 */
export async function changeMerchant(
  context: Context,
  merchant: Merchant,
  change: MerchantChangeJson,
): Promise<Merchant> {
  const columns = describeChange(context, change);
  if (Object.keys(columns).length === 0) return merchant;
  return await context.precious.transaction<PaymentTables, Merchant>(async (trx) => {
    const { webhook_url: url } = columns;
    if (typeof url === 'string') await forgetGone(trx, merchant.id, url);
    return await trx
      .updateTable('merchant')
      .set(columns)
      .where('id', '=', merchant.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** The columns that a change sets. @throws as {@link changeMerchant} */
export function describeChange(
  { profile, checkWebhookUrl }: Omit<Context, 'precious'>,
  {
    name,
    webhook_url: url,
    pool,
    default_expires_in: expiresIn,
    default_confirmations: confirmations,
    tolerance,
  }: MerchantChangeJson,
): Partial<Merchant> {
  const columns: Partial<Merchant> = {};
  if (name !== undefined) columns.name = checkName(name);
  if (url !== undefined) {
    columns.webhook_url = url === null ? null : checkReceiver('webhook_url', url, checkWebhookUrl);
  }
  if (pool !== undefined) columns.pool_low_threshold = pool.low_threshold;
  if (expiresIn !== undefined) columns.default_expires_in = expiresIn;
  if (confirmations !== undefined) {
    // What no payment could have is no default; the amount decides of each.
    if (confirmations !== null) checkConfirmations(confirmations, 1n, profile, 'default_confirmations');
    columns.default_confirmations = confirmations;
  }
  if (tolerance !== undefined) {
    Object.assign(columns, tolerance === null ? noTolerance : checkTolerance(tolerance, profile));
  }
  return columns;
}

function checkName(given: string): string {
  const name = given.trim();
  const fault = findNameFault(name);
  if (fault !== undefined) throw new AppError('invalid_body', `"name" ${fault}; payers are shown it.`);
  return name;
}
