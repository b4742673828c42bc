import { decodeAddress } from '@coinfront/protocol/address.ts';
import { parseAmount } from '@coinfront/protocol/amount.ts';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { ChainView } from '../../../chain/chain-view.ts';
import { AppError } from '../../../errors.ts';
import type { NameRouteContext } from '../name-context.ts';
import type { PlanSender } from './serialise-plan.ts';

/** What a body says of its sender. */
export type SenderBody = { address?: string; public_key?: string; fee_rate?: string };

/** No transaction of a person costs a coin for each 1,000 virtual bytes: it is a wrong unit. */
const MAX_RATE_FACTOR = 100_000n;

/**
 * The script of an address in a body.
 *
 * @throws AppError `address_invalid`
 */
export function readAddress(text: string, field: string, profile: CoinProfile): Uint8Array {
  const decoded = decodeAddress(text, profile);
  if (decoded.ok) return decoded.value.script;
  throw new AppError(
    'address_invalid',
    `"${field}" is no address of ${profile.name} (${profile.chain}): ${decoded.reason}.`,
  );
}

/**
 * The sender of a body, with the rate that its transaction pays; undefined when it names none.
 *
 * @throws AppError `address_invalid`, `invalid_body`
 */
export async function readSender(
  view: ChainView,
  { address, public_key, fee_rate }: SenderBody,
  context: NameRouteContext,
): Promise<PlanSender | undefined> {
  const { profile } = context;
  if (address === undefined) {
    if (public_key === undefined && fee_rate === undefined) return undefined;
    throw new AppError('invalid_body', '"public_key" and "fee_rate" say nothing without "address".');
  }
  const script = readAddress(address, 'address', profile);
  const feeRatePerKvb =
    fee_rate === undefined ? await context.estimateFeeRate(view) : readRate(fee_rate, context);
  return { script, publicKey: public_key === undefined ? undefined : getHexBytes(public_key), feeRatePerKvb };
}

function readRate(text: string, { profile, getRelayRate }: NameRouteContext): bigint {
  const parsed = parseAmount(text, profile.decimals);
  if (!parsed.ok) throw new AppError('invalid_body', `"fee_rate": ${parsed.reason}.`);
  const least = getRelayRate();
  if (parsed.value >= least && parsed.value <= least * MAX_RATE_FACTOR) return parsed.value;
  throw new AppError(
    'invalid_body',
    `"fee_rate" is coins for 1,000 virtual bytes: at least what the node relays, and at most ${MAX_RATE_FACTOR} times that.`,
  );
}
