import { encodeAddress } from '@coinfront/protocol/address.ts';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { witnessScript } from '@coinfront/protocol/script.ts';
import { expect, test } from 'vitest';
import { regtestNetwork } from '../testing/networks.ts';
import { checkTerms, proposeEscrow, type SwapTerms, swapEscrow } from './swap-terms.ts';

/** G and 2 G. */
const SELLER = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const BUYER = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';
const address = encodeAddress(witnessScript(0, new Uint8Array(20).fill(7)), regtestNetwork)!;
const terms: SwapTerms = {
  tokenId: '5e'.repeat(32),
  amount: 250n,
  price: 1_000_000n,
  seller: { publicKey: getHexBytes(SELLER), address },
  buyer: { publicKey: getHexBytes(BUYER), address },
  refundAfter: 900,
  ...proposeEscrow(regtestNetwork, 10_000n),
};

test('the escrow is the same whoever is named first', () => {
  const { seller, buyer } = terms;
  expect(swapEscrow({ ...terms, seller: buyer, buyer: seller }, regtestNetwork)).toEqual(
    swapEscrow(terms, regtestNetwork),
  );
});

test('the escrow pays for its refund and an output above dust', () => {
  expect(() => checkTerms(terms, regtestNetwork)).not.toThrow();
  expect(terms.escrowValue - terms.refundFee).toBe(regtestNetwork.dustLimit);
});

test.each<[string, Partial<SwapTerms>, string]>([
  ['no amount', { amount: 0n }, 'token_invalid'],
  ['a token without an id', { tokenId: '5e' }, 'token_invalid'],
  ['a price of dust', { price: regtestNetwork.dustLimit - 1n }, 'swap_mismatch'],
  ['one key for both', { buyer: terms.seller }, 'swap_mismatch'],
  [
    'a key that is none',
    { buyer: { publicKey: new Uint8Array(33).fill(2, 0, 1), address } },
    'swap_mismatch',
  ],
  ['an uncompressed key', { buyer: { publicKey: new Uint8Array(65).fill(4), address } }, 'swap_mismatch'],
  ['an address of elsewhere', { buyer: { ...terms.buyer, address: 'nowhere' } }, 'address_invalid'],
  ['a refund of dust', { refundFee: terms.refundFee + 1n }, 'swap_mismatch'],
  ['a refund that takes from the escrow', { refundFee: -1n }, 'swap_mismatch'],
  ['a refund at once', { refundAfter: 0 }, 'swap_mismatch'],
  ['a refund by the clock', { refundAfter: 500_000_000 }, 'swap_mismatch'],
])('terms with %s are refused', (_, changed, code) => {
  expect(() => checkTerms({ ...terms, ...changed }, regtestNetwork)).toThrow(
    expect.objectContaining({ code }),
  );
});
