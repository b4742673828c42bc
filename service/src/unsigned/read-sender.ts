import { decodeAddress } from '@coinfront/protocol/address.ts';
import { parseAmount } from '@coinfront/protocol/amount.ts';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { ChainView } from '../chain/chain-view.ts';
import { AppError } from '../errors.ts';

/** What a body says of its sender. */
export type SenderBody = { address?: string; public_key?: string; fee_rate?: string };

/** What reading a sender needs of its part. */
export type SenderContext = {
  profile: CoinProfile;
  /** Base units for 1,000 virtual bytes: what gets into one of the next blocks. */
  estimateFeeRate: (view: ChainView) => Promise<bigint>;
  /** Base units for 1,000 virtual bytes that the node relays at least. */
  getRelayRate: () => bigint;
};

/** Whose coins pay, and how much for their transport. */
export type Sender = { script: Uint8Array; publicKey: Uint8Array | undefined; feeRatePerKvb: bigint };

/** No transaction of a person pays as much: it is a wrong unit. */
const MAX_RATE_FACTOR = 100_000n;

/**
 * The script of an address in a body.
 *
 * @throws AppError `address_invalid`; the text is not repeated, because what is no address may be a secret
 */
export function readBodyAddress(text: string, field: string, profile: CoinProfile): Uint8Array {
  const decoded = decodeAddress(text, profile);
  if (decoded.ok) return decoded.value.script;
  const detail = `"${field}" is no address of ${profile.name} (${profile.chain}): ${decoded.reason}.`;
  throw new AppError('address_invalid', detail);
}

/**
 * The sender of a body, with the rate that its transaction pays; undefined when it names none.
 *
 * @throws AppError `address_invalid`, `invalid_body`
 */
export async function readSender(
  view: ChainView,
  { address, public_key, fee_rate }: SenderBody,
  context: SenderContext,
): Promise<Sender | undefined> {
  if (address === undefined) {
    if (public_key === undefined && fee_rate === undefined) return undefined;
    throw new AppError('invalid_body', '"public_key" and "fee_rate" say nothing without "address".');
  }
  return {
    script: readBodyAddress(address, 'address', context.profile),
    publicKey: public_key === undefined ? undefined : getHexBytes(public_key.toLowerCase()),
    feeRatePerKvb: fee_rate === undefined ? await context.estimateFeeRate(view) : readRate(fee_rate, context),
  };
}

function readRate(text: string, { profile, getRelayRate }: SenderContext): bigint {
  const parsed = parseAmount(text, profile.decimals);
  if (!parsed.ok) throw new AppError('invalid_body', `"fee_rate": ${parsed.reason}.`);
  const least = getRelayRate();
  if (parsed.value >= least && parsed.value <= least * MAX_RATE_FACTOR) return parsed.value;
  throw new AppError(
    'invalid_body',
    `"fee_rate" is coins for 1,000 virtual bytes: at least what the node relays, and at most ${MAX_RATE_FACTOR} times that.`,
  );
}
