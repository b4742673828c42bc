import type { UnsignedFieldsJson } from '@coinfront/api/unsigned.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { Unsigned } from './build-unsigned.ts';

/**
 * A transaction as it is answered, or why there is none; both null when nobody asked for one.
 *
 * @param feeRatePerKvb base units that were asked for
 */
export function serialiseUnsigned(
  unsigned: Unsigned | undefined,
  feeRatePerKvb: bigint,
  decimals: number,
): UnsignedFieldsJson {
  if (unsigned === undefined) return { transaction: null, transaction_refused: null };
  if (!unsigned.ok) {
    return { transaction: null, transaction_refused: { code: unsigned.reason, text: unsigned.detail } };
  }
  const amount = (value: bigint): string => formatAmount(value, decimals);
  const { psbt, fee, vsize, inputs, change } = unsigned;
  const transaction = {
    psbt,
    network_fee: amount(fee),
    fee_rate: amount(feeRatePerKvb),
    vsize,
    inputs: inputs.map(({ txid, vout, value }) => ({
      txid: toDisplayHash(txid),
      vout,
      amount: amount(value),
    })),
    change: change ? amount(change.value) : null,
  };
  return { transaction, transaction_refused: null };
}
