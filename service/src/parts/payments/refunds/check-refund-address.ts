import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { AppError } from '../../../errors.ts';
import { type PayableAddress, parsePayableAddress } from '../pool/parse-recipient.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';

/**
 * An address that money of a payment can go back to.
 *
 * @throws AppError `address_invalid`; the text is not repeated
 */
export function checkRefundAddress(
  payment: Pick<PaymentTable, 'script_hash'>,
  text: string,
  what: string,
  profile: CoinProfile,
): PayableAddress {
  const parsed = parsePayableAddress(text, profile);
  if (!parsed.ok) {
    const detail = `${what} is no address of ${profile.name} (${profile.chain}) that can be paid: ${parsed.reason}.`;
    throw new AppError('address_invalid', detail);
  }
  if (parsed.value.scriptHash !== payment.script_hash) return parsed.value;
  throw new AppError(
    'address_invalid',
    `${what} is the address that was paid: give one of the buyer's wallet.`,
  );
}
