import { readFileSync } from 'node:fs';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { isSignatureOf } from '@coinfront/protocol/messages/ecdsa-rules.ts';
import { Transaction } from '@scure/btc-signer/transaction.js';
import { expect, test } from 'vitest';
import { PSBT_OPTIONS } from '../assemble-psbt.ts';
import { parsePsbt } from '../review-transaction.ts';
import { regtestNetwork } from '../testing/networks.ts';
import type { WalletAddress } from '../wallet-address.ts';
import type { WalletKeys } from '../wallet-keys.ts';
import { buildSwapRefund, escrowInput } from './build-swap.ts';
import { completeSwapRefund } from './complete-refund.ts';
import { type SwapSide, signSwapAsSeller, signSwapRefund } from './sign-swap.ts';
import { readSwapFunding } from './swap-funding.ts';
import { type SwapTerms, swapCarrier, swapEscrow } from './swap-terms.ts';

type Party = { public_key: string; script: string };
type Made = { raw: string; txid: string };
type Refused = { about: string; raw: string }[];

const vectors = JSON.parse(
  readFileSync(new URL('../../../docs/protocols/vectors/token-swap.json', import.meta.url), 'utf8'),
) as {
  terms: Record<'token_id' | 'amount' | 'price' | 'escrow_value' | 'refund_fee', string> &
    Record<'seller' | 'buyer', Party> & { refund_after: number };
  escrow: { witness_script: string; script: string };
  funding: Made;
  refund: Made & { sighash: string };
  swap: Made & { sighash: string };
  not_funding: Refused;
  not_swap: Refused;
};

const partyOf = ({ public_key, script }: Party) => ({
  publicKey: getHexBytes(public_key),
  address: encodeAddress(getHexBytes(script), regtestNetwork)!,
});
const given = vectors.terms;
const terms: SwapTerms = {
  tokenId: given.token_id,
  amount: BigInt(given.amount),
  price: BigInt(given.price),
  seller: partyOf(given.seller),
  buyer: partyOf(given.buyer),
  escrowValue: BigInt(given.escrow_value),
  refundFee: BigInt(given.refund_fee),
  refundAfter: given.refund_after,
};
const funding = readSwapFunding(terms, vectors.funding.raw, regtestNetwork);
const mismatch = expect.objectContaining({ code: 'swap_mismatch' });

/** A side whose key is the one of this number, as the vectors have them. */
function sideOf(party: SwapTerms['seller'], number: number): { side: SwapSide; keys: WalletKeys } {
  const own = { publicKey: party.publicKey, kind: 'p2wpkh' } as WalletAddress;
  const privateKeyOf = () => new Uint8Array(32).fill(number, 31);
  return {
    side: { terms, funding, network: regtestNetwork, own },
    keys: { privateKeyOf } as unknown as WalletKeys,
  };
}
const seller = sideOf(terms.seller, 1);
const buyer = sideOf(terms.buyer, 2);

/** A transaction as a buyer would hand it over: with what the escrow's input spends. */
function psbtOf(raw: string): Uint8Array {
  const tx = Transaction.fromRaw(getHexBytes(raw), PSBT_OPTIONS);
  const { txid, index, sequence, ...spent } = escrowInput(terms, funding, regtestNetwork);
  for (let i = 0; i < tx.inputsLength; i++) {
    const input = tx.getInput(i);
    if (bytesToHex(input.txid!) === bytesToHex(txid) && input.index === index) tx.updateInput(i, spent, true);
  }
  return tx.toPSBT(0);
}

test('escrow, carrier and funding are those of the vectors', () => {
  const escrow = swapEscrow(terms, regtestNetwork);
  expect(bytesToHex(escrow.witnessScript)).toBe(vectors.escrow.witness_script);
  expect(bytesToHex(escrow.script)).toBe(vectors.escrow.script);
  expect(vectors.funding.raw).toContain(bytesToHex(swapCarrier(terms).script));
  expect(funding).toEqual({ txid: vectors.funding.txid, stripped: getHexBytes(vectors.funding.raw) });
});

test('the refund is that of the vectors to the byte, and both sign its hash', () => {
  const { raw, txid, sighash } = vectors.refund;
  const unsigned = parsePsbt(buildSwapRefund(terms, funding, regtestNetwork)).unsignedTx;
  expect(bytesToHex(unsigned)).toBe(raw);
  const signed = [seller, buyer].map(({ side, keys }) => signSwapRefund(keys, side));
  expect(completeSwapRefund(seller.side, signed).txid).toBe(txid);
  for (const [i, party] of [terms.seller, terms.buyer].entries())
    expect(isSignatureOf(signatureOf(signed[i]!), getHexBytes(sighash), party.publicKey)).toBe(true);
});

test('the swap of the vectors is signed by its seller', () => {
  const { raw, sighash } = vectors.swap;
  const signed = signSwapAsSeller(seller.keys, seller.side, psbtOf(raw));
  expect(bytesToHex(parsePsbt(signed).unsignedTx)).toBe(raw);
  expect(isSignatureOf(signatureOf(signed), getHexBytes(sighash), terms.seller.publicKey)).toBe(true);
});

test.each(vectors.not_funding)('a funding that $about is refused', ({ raw }) => {
  expect(() => readSwapFunding(terms, raw, regtestNetwork)).toThrow(mismatch);
});

test.each(vectors.not_swap)('a swap that $about is not signed', ({ raw }) => {
  expect(() => signSwapAsSeller(seller.keys, seller.side, psbtOf(raw))).toThrow(mismatch);
});

/** The one signature of input 0. */
function signatureOf(psbt: Uint8Array): Uint8Array {
  const { partialSig = [] } = parsePsbt(psbt).getInput(0);
  expect(partialSig).toHaveLength(1);
  return partialSig[0]![1];
}
