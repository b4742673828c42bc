import type { EncodedFieldsJson } from '@coinfront/api/unsigned.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { TxOutput } from '@coinfront/protocol/transaction.ts';
import type { ChainView } from '../chain/chain-view.ts';
import { buildUnsigned, type Unsigned } from './build-unsigned.ts';
import type { Sender } from './read-sender.ts';
import { serialiseUnsigned } from './serialise-unsigned.ts';

/** An operation that was asked for, and what the rules say of it. */
export type EncodedRequest = {
  sender: Sender | undefined;
  outputs: readonly TxOutput[];
  /** Why the next block cannot have it, in words; undefined where it can, or where nobody can say. */
  invalidBecause: string | undefined;
  /** Whether the caller wants a transaction all the same. */
  isForced: boolean;
};

/** The transaction around an operation as it is answered, and as it was built; none that would pay for nothing, unless forced. */
export async function prepareEncoded(
  view: ChainView,
  { sender, outputs, invalidBecause, isForced }: EncodedRequest,
  profile: CoinProfile,
): Promise<{ unsigned: Unsigned | undefined; fields: EncodedFieldsJson }> {
  if (sender !== undefined && invalidBecause !== undefined && !isForced) {
    const text = `In the next block it would change nothing, and what it pays would be lost. ${invalidBecause}`;
    return {
      unsigned: undefined,
      fields: { transaction: null, transaction_refused: { code: 'not_valid_now', text } },
    };
  }
  const { feeRatePerKvb = 0n } = sender ?? {};
  const unsigned = sender && (await buildUnsigned(view, { sender, outputs, feeRatePerKvb }, profile));
  return { unsigned, fields: serialiseUnsigned(unsigned, feeRatePerKvb, profile.decimals) };
}
