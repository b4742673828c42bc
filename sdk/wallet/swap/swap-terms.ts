import { encodeAddress } from '@coinfront/protocol/address.ts';
import { compareBytes, equalBytes } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import { witnessScript } from '@coinfront/protocol/script.ts';
import { p2ms } from '@scure/btc-signer/payment.js';
import type { Network } from '../network.ts';
import { checkParts, readTokenId, tokenCarrier } from '../token-carrier.ts';
import { type PlannedOutput, readAddress } from '../transaction-plan.ts';
import { feeOf } from '../transaction-weight.ts';
import { WalletError } from '../wallet-error.ts';

/** One of the two who swap. */
export type SwapParty = {
  /** 33 bytes, compressed, of a key that signs for nothing but this swap, and for one funding of it. */
  readonly publicKey: Uint8Array;
  /** Where the party gets what it gets: tokens for the buyer, coins for the seller - or the tokens back. */
  readonly address: string;
};

/** What two parties agree on before anything is built (docs/protocols/token-swap.md). Coins in base units. */
export type SwapTerms = {
  /** Hex. */
  readonly tokenId: string;
  /** Smallest parts of the token. */
  readonly amount: bigint;
  /** What the buyer pays. */
  readonly price: bigint;
  readonly seller: SwapParty;
  readonly buyer: SwapParty;
  /** What the escrow's output has; it comes back to the seller. */
  readonly escrowValue: bigint;
  /** What the refund pays for its transport. */
  readonly refundFee: bigint;
  /** The last block that can not have the refund. */
  readonly refundAfter: number;
};

/** The address of both: nothing of it moves unless both sign. */
export type SwapEscrow = {
  /** The multisig script, 2 of 2, keys in the order of BIP-67. */
  readonly witnessScript: Uint8Array;
  readonly script: Uint8Array;
  readonly address: string;
};

/** Where the escrow is in the funding, and who gets the tokens in refund and swap: payloads name it. */
export const RECEIVER_VOUT = 1;

/** Lock times from here on are times (BIP-65). */
const LOCK_TIMES = 500_000_000;
const KEY_BYTES = 33;
/** A refund once it is signed: one P2WSH input of 2 of 2, a carrier, the seller's output. */
const REFUND_VSIZE = 225;

/**
 * What the escrow's output should have for a refund that pays this rate.
 *
 * @param refundRatePerKvb - base units for 1,000 virtual bytes; above what is paid now, for the refund may be needed later
 * @example
 * const terms = { ...agreed, ...proposeEscrow(watch.network, 3n * feeRatePerKvb) };
 */
export function proposeEscrow(
  { dustLimit }: Network,
  refundRatePerKvb: bigint,
): Pick<SwapTerms, 'escrowValue' | 'refundFee'> {
  const refundFee = feeOf(REFUND_VSIZE, refundRatePerKvb);
  return { escrowValue: dustLimit + refundFee, refundFee };
}

/**
 * The escrow of a swap.
 *
 * @throws WalletError `swap_mismatch`, `network_lacks`
 * @example
 * const { address } = swapEscrow(terms, watch.network);
 */
export function swapEscrow({ seller, buyer }: SwapTerms, network: Network): SwapEscrow {
  const keys = [seller.publicKey, buyer.publicKey];
  const areKeys = keys.every((key) => key.length === KEY_BYTES && (key[0] === 2 || key[0] === 3));
  if (!areKeys || equalBytes(seller.publicKey, buyer.publicKey))
    throw mismatch('Each party gives a compressed public key of its own.');
  let multisig: Uint8Array;
  try {
    multisig = p2ms(2, keys.sort(compareBytes)).script;
  } catch (cause) {
    throw mismatch('A public key is none.', cause);
  }
  const script = witnessScript(0, sha256(multisig));
  const address = encodeAddress(script, network);
  if (address === undefined)
    throw new WalletError('network_lacks', `${network.name} has no segwit addresses.`);
  return { witnessScript: multisig, script, address };
}

/**
 * Refuses terms that no swap can have.
 *
 * @throws WalletError `swap_mismatch`, `token_invalid`, `address_invalid`, `network_lacks`
 */
export function checkTerms(terms: SwapTerms, network: Network): void {
  const { tokenId, amount, price, seller, buyer, escrowValue, refundFee, refundAfter } = terms;
  readTokenId(tokenId);
  checkParts(amount, 1n);
  swapEscrow(terms, network);
  for (const { address } of [seller, buyer]) readAddress(address, network);
  if (price < network.dustLimit) throw mismatch(`A price of ${price} base units is dust.`);
  if (refundFee < 0n || escrowValue - refundFee < network.dustLimit)
    throw mismatch('The escrow does not pay its refund and an output above dust.');
  if (!Number.isInteger(refundAfter) || refundAfter < 1 || refundAfter >= LOCK_TIMES)
    throw mismatch(`A refund waits for a height from 1 on, received ${refundAfter}.`);
}

/** The carrier of all three transactions: the whole amount to the output behind it. */
export function swapCarrier({ tokenId, amount }: SwapTerms): PlannedOutput {
  const shares = [{ toVout: RECEIVER_VOUT, amount }];
  return tokenCarrier({ kind: 'transfer', tokenId: readTokenId(tokenId), shares });
}

/** A transaction is not what the terms say. */
export function mismatch(detail: string, cause?: unknown): WalletError {
  return new WalletError('swap_mismatch', detail, { cause });
}
