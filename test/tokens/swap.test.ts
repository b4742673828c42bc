import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { SigHash } from '@scure/btc-signer/transaction.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getTokenStatus } from '../../sdk/tokens/get-token-status.ts';
import { listAddressTokens } from '../../sdk/tokens/list-address-tokens.ts';
import { preflightToken } from '../../sdk/tokens/preflight-token.ts';
import { createMnemonic } from '../../sdk/wallet/mnemonic.ts';
import { createdTokenId, planTokenCreate } from '../../sdk/wallet/plan-tokens.ts';
import { parsePsbt } from '../../sdk/wallet/review-transaction.ts';
import { finaliseTransaction, type SignedTransaction } from '../../sdk/wallet/sign-transaction.ts';
import { buildSwap, buildSwapRefund } from '../../sdk/wallet/swap/build-swap.ts';
import { completeSwapRefund } from '../../sdk/wallet/swap/complete-refund.ts';
import {
  reviewSwap,
  type SwapSide,
  signSwapAsBuyer,
  signSwapAsSeller,
  signSwapRefund,
} from '../../sdk/wallet/swap/sign-swap.ts';
import { isSwapFunded, planSwapFunding, readSwapFunding } from '../../sdk/wallet/swap/swap-funding.ts';
import { proposeEscrow, type SwapTerms, swapEscrow } from '../../sdk/wallet/swap/swap-terms.ts';
import type { WalletAddress } from '../../sdk/wallet/wallet-address.ts';
import type { Wallet } from '../../sdk/wallet/wallet-keys.ts';
import { deriveAddress } from '../../sdk/wallet/watch-wallet.ts';
import { forEachEngine } from '../harness/engines.ts';
import { openWalletDesk, type WalletDesk } from '../wallet/wallet-desk.ts';

const COIN = 100_000_000n;
const RATE = 5_000n;
const PREMINE = 1_000n;
const CONFIRMATIONS = 2;
const REFUND_IN = 20;

forEachEngine('a swap of tokens against coins', (engine) => {
  let desk: WalletDesk;
  let seller: Wallet;
  let buyer: Wallet;
  let holder: WalletAddress;
  let tokenId: string;

  const addressOf = ({ watch }: Wallet, index: number) =>
    deriveAddress(watch, { kind: 'p2wpkh', chain: 0, index });
  const tokensOf = async (address: string) => {
    const { items } = await listAddressTokens(desk.client, { address });
    return items.find(({ token_id }) => token_id === tokenId)?.balance ?? '0';
  };
  const heightNow = () => desk.node.rpc<number>('getblockcount');
  /** What is agreed on: keys and addresses of this number. */
  const agree = async (index: number, terms: Partial<SwapTerms> = {}): Promise<SwapTerms> => {
    const [sold, bought] = [addressOf(seller, index), addressOf(buyer, index)];
    return {
      tokenId,
      amount: 250n,
      price: 3n * COIN,
      seller: { publicKey: sold.publicKey, address: sold.address },
      buyer: { publicKey: bought.publicKey, address: bought.address },
      refundAfter: (await heightNow()) + REFUND_IN,
      ...proposeEscrow(desk.network, RATE),
      ...terms,
    };
  };
  /** The funding, signed and not sent, and both sides of the swap. */
  const prepare = async (terms: SwapTerms, index: number) => {
    const { network } = desk;
    const built = await desk.build(seller, planSwapFunding({ terms, holder, network }), RATE);
    const signed = desk.sign(seller, built);
    const funding = readSwapFunding(terms, signed.hex, network);
    expect(funding.txid).toBe(signed.txid);
    // The buyer is given it without the signatures, and reads the same.
    expect(readSwapFunding(terms, bytesToHex(funding.stripped), network)).toEqual(funding);
    const sides: Record<'sells' | 'buys', SwapSide> = {
      sells: { terms, funding, network, own: addressOf(seller, index) },
      buys: { terms, funding, network, own: addressOf(buyer, index) },
    };
    const parts = [signSwapRefund(buyer.keys, sides.buys), signSwapRefund(seller.keys, sides.sells)];
    const refund = completeSwapRefund(sides.sells, parts);
    return { signed, funding, refund, ...sides };
  };
  const buildFor = async (side: SwapSide) => {
    const { coins } = await desk.scan(buyer);
    const change = addressOf(buyer, 9);
    const { terms, funding } = side;
    return await buildSwap({
      ...{ terms, funding, wallet: buyer.watch, coins, change },
      ...{ feeRatePerKvb: RATE, reads: desk.reads },
    });
  };
  const broadcast = async ({ hex }: SignedTransaction) =>
    await desk.service.post('/api/v1/broadcast', { raw_tx: hex });

  beforeAll(async () => {
    desk = await openWalletDesk(await engine.openUrl());
    [seller, buyer] = [desk.open(createMnemonic(12)), desk.open(createMnemonic(12))];
    holder = addressOf(seller, 0);
    await desk.node.rpc('sendmany', '', { [holder.address]: 10, [addressOf(buyer, 0).address]: 10 });
    await desk.mine();
    const { create_fee } = await getTokenStatus(desk.client);
    const fee = { amount: COIN, script: Buffer.from(create_fee.script, 'hex') };
    const terms = {
      ...{ mintable: false, decimals: 2, premine: PREMINE, cap: undefined, ticker: 'SWAP' },
      metadataHash: undefined,
    };
    const { review } = await desk.carryOut(seller, planTokenCreate({ terms, issuer: holder, fee }));
    tokenId = createdTokenId(review, desk.network)!;
    await desk.mine();
    expect(await tokensOf(holder.address)).toBe('10.00');
  });
  afterAll(() => desk?.stop());

  test('is one transaction of both: tokens and price change hands, and the preflight tells both sides', async () => {
    const terms = await agree(1);
    const { signed, funding, refund, sells, buys } = await prepare(terms, 1);
    const { network, client } = desk;
    const funded = { terms, funding, network, confirmations: CONFIRMATIONS };
    expect((await broadcast(signed)).status).toBe(200);
    await desk.mine();
    const escrow = swapEscrow(terms, network);
    expect(await tokensOf(escrow.address)).toBe('2.50');
    expect(await isSwapFunded(client, funded)).toBe(false);
    await desk.mine();
    expect(await isSwapFunded(client, funded)).toBe(true);
    expect(await isSwapFunded(client, { ...funded, terms: { ...terms, amount: 251n } })).toBe(false);

    // The refund waits for its height.
    expect((await broadcast(refund)).json.detail).toContain('non-final');

    const psbt = await buildFor(buys);
    const { paid, fee } = reviewSwap(buyer.watch, buys, psbt);
    expect(paid).toBe(terms.price + network.dustLimit + fee);
    const bought = signSwapAsBuyer(buyer.keys, buyer.watch, buys, psbt);
    // Neither can go on alone.
    expect(() => finaliseTransaction([bought])).toThrow();
    const swap = finaliseTransaction([bought, signSwapAsSeller(seller.keys, sells, bought)]);

    const judged = await preflightToken(client, { raw_tx: swap.hex });
    expect(judged).toMatchObject({
      ok: true,
      valid: true,
      operation: { sender: { address: escrow.address } },
    });
    expect(judged.effect!.balances).toMatchObject([
      { address: escrow.address, before: '2.50', after: '0.00' },
      { address: terms.buyer.address, before: '0.00', after: '2.50' },
    ]);
    const show = (value: bigint) => formatAmount(value, network.decimals);
    expect(judged.coins).toContainEqual(
      expect.objectContaining({
        address: escrow.address,
        spent: show(terms.escrowValue),
        received: show(0n),
      }),
    );
    expect(judged.coins).toContainEqual(
      expect.objectContaining({
        ...{ address: terms.seller.address, spent: show(0n) },
        received: show(terms.price + terms.escrowValue),
      }),
    );
    expect((await broadcast(swap)).status).toBe(200);
    await desk.mine();
    expect(await tokensOf(terms.buyer.address)).toBe('2.50');
    expect(await tokensOf(escrow.address)).toBe('0');
    expect(await tokensOf(holder.address)).toBe('7.50');
    const { json } = await desk.service.get(`/api/v1/address/${terms.seller.address}`);
    expect(json.confirmed.balance ?? json.balance).toBe(show(terms.price + terms.escrowValue));
    // What the escrow had is spent: nothing is left for the refund.
    await desk.mine(REFUND_IN);
    expect((await broadcast(refund)).status).not.toBe(200);
  });

  test('gives the tokens back to the seller where it does not come about, and comes too late then', async () => {
    const terms = await agree(2);
    const { signed, refund, sells, buys } = await prepare(terms, 2);
    await broadcast(signed);
    await desk.mine(CONFIRMATIONS);
    const bought = signSwapAsBuyer(buyer.keys, buyer.watch, buys, await buildFor(buys));
    const swap = finaliseTransaction([bought, signSwapAsSeller(seller.keys, sells, bought)]);
    await desk.mine(terms.refundAfter - (await heightNow()));
    expect((await broadcast(refund)).status).toBe(200);
    await desk.mine();
    expect(await tokensOf(terms.seller.address)).toBe('2.50');
    expect(await tokensOf(swapEscrow(terms, desk.network).address)).toBe('0');
    expect((await broadcast(swap)).status).not.toBe(200);
    expect((await preflightToken(desk.client, { raw_tx: swap.hex })).ok).toBe(false);
  });

  test('is signed by nobody where it is not what was agreed', async () => {
    const terms = await agree(3);
    const { sells, buys, signed } = await prepare(terms, 3);
    const psbt = await buildFor(buys);
    expect(() => signSwapAsSeller(seller.keys, sells, psbt)).not.toThrow();
    const refused = (side: SwapSide, changed: Uint8Array) => {
      const expected = expect.objectContaining({ code: 'swap_mismatch' });
      if (side === sells) expect(() => signSwapAsSeller(seller.keys, side, changed)).toThrow(expected);
      expect(() => reviewSwap(buyer.watch, side, changed)).toThrow(expected);
    };
    const change = (alter: (tx: ReturnType<typeof parsePsbt>) => void) => {
      const tx = parsePsbt(psbt);
      alter(tx);
      return tx.toPSBT(0);
    };
    const price = terms.price + terms.escrowValue;
    refused(
      sells,
      change((tx) => tx.updateOutput(2, { amount: price - 1n })),
    );
    refused(
      sells,
      change((tx) => tx.updateOutput(2, { script: addressOf(buyer, 3).script })),
    );
    refused(
      sells,
      change((tx) => tx.updateOutput(1, { script: holder.script })),
    );
    refused(
      sells,
      change((tx) => tx.updateInput(0, { sighashType: SigHash.SINGLE_ANYONECANPAY })),
    );
    const carrier = parsePsbt(psbt).getOutput(0);
    refused(
      sells,
      change((tx) => tx.addOutput({ script: carrier.script!, amount: 0n })),
    );
    refused(
      buys,
      change((tx) => tx.addOutput({ script: holder.script, amount: COIN })),
    );
    // Other terms, and another transaction.
    refused({ ...sells, terms: { ...terms, amount: 251n } }, psbt);
    refused({ ...sells, terms: { ...terms, price: terms.price + 1n } }, psbt);
    refused({ ...sells, funding: { ...sells.funding, txid: '00'.repeat(32) } }, psbt);
    refused(sells, buildSwapRefund(terms, sells.funding, desk.network));
    // A funding of other terms is none.
    for (const other of [{ amount: 249n }, { escrowValue: terms.escrowValue + 1n }, await agree(4)])
      expect(() => readSwapFunding({ ...terms, ...other }, signed.hex, desk.network)).toThrow(
        expect.objectContaining({ code: 'swap_mismatch' }),
      );
  });

  test('has a refund that both have signed, or is not funded', async () => {
    const terms = await agree(6);
    const { sells, buys } = await prepare(terms, 6);
    const own = signSwapRefund(seller.keys, sells);
    const theirs = signSwapRefund(buyer.keys, buys);
    const complete = (part: Uint8Array) => () => completeSwapRefund(sells, [own, part]);
    const refused = (code: string) => expect.objectContaining({ code });
    expect(complete(theirs)).not.toThrow();
    expect(complete(own)).toThrow(refused('not_signed'));
    const later = { ...buys, terms: { ...terms, refundAfter: terms.refundAfter + 1 } };
    expect(complete(signSwapRefund(buyer.keys, later))).toThrow();
    const [[key, signature] = []] = parsePsbt(signSwapRefund(buyer.keys, later)).getInput(0).partialSig!;
    const forged = parsePsbt(buildSwapRefund(terms, buys.funding, desk.network));
    forged.updateInput(0, { partialSig: [[key!, signature!]] });
    expect(complete(forged.toPSBT(0))).toThrow(refused('swap_mismatch'));
  });

  test('cannot be sent before its funding: without the tokens there is no coin that it could spend', async () => {
    const terms = await agree(5);
    const { signed, sells, buys } = await prepare(terms, 5);
    const bought = signSwapAsBuyer(buyer.keys, buyer.watch, buys, await buildFor(buys));
    const swap = finaliseTransaction([bought, signSwapAsSeller(seller.keys, sells, bought)]);
    expect((await broadcast(swap)).status).not.toBe(200);
    expect((await broadcast(signed)).status).toBe(200);
    expect((await broadcast(swap)).status).toBe(200);
    await desk.mine();
    expect(await tokensOf(terms.buyer.address)).toBe('2.50');
  });
});
