import type { AddressKind } from './wallet-address.ts';

/**
 * Weight units (BIP-141) of a signed input by what it spends, for the longest signature that the wallet makes: outpoint,
 * sequence, scriptSig and witness.
 */
const INPUT_WEIGHTS = {
  p2wpkh: 4 * 41 + 1 + 1 + 72 + 1 + 33,
  p2tr: 4 * 41 + 1 + 1 + 64,
  // With one unit for the empty witness that it has beside segwit inputs.
  p2pkh: 4 * (40 + 1 + 1 + 72 + 1 + 33) + 1,
} as const satisfies Record<AddressKind, number>;

/** Weight units of an input of this kind once it is signed, at most. */
export function inputWeight(kind: AddressKind): number {
  return INPUT_WEIGHTS[kind];
}

/** Weight units of an output with this script. */
export function outputWeight(script: Uint8Array): number {
  return 4 * (8 + compactSize(script.length) + script.length);
}

/** Weight units of everything but inputs and outputs: version, lock time, segwit marker, and the two counts. */
export function frameWeight(inputs: number, outputs: number): number {
  return 4 * (8 + compactSize(inputs) + compactSize(outputs)) + 2;
}

/** Virtual bytes of a weight, rounded up. */
export function vsizeOf(weight: number): number {
  return Math.ceil(weight / 4);
}

/** What so many virtual bytes cost at a rate for 1,000 of them, rounded up. Base units. */
export function feeOf(vsize: number, ratePerKvb: bigint): bigint {
  return (BigInt(vsize) * ratePerKvb + 999n) / 1_000n;
}

function compactSize(count: number): number {
  return count < 0xfd ? 1 : count <= 0xffff ? 3 : 5;
}
