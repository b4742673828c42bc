import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { SigHash, Transaction } from '@scure/btc-signer/transaction.js';
import { addOwnParts, PSBT_OPTIONS, REPLACEABLE } from '../assemble-psbt.ts';
import { asCandidate, MAX_INPUTS, refuse } from '../choose-coins.ts';
import type { Network } from '../network.ts';
import { proveCoins } from '../previous-transactions.ts';
import { type Candidate, selectCoins } from '../select-coins.ts';
import { type PlannedOutput, readAddress } from '../transaction-plan.ts';
import { feeOf } from '../transaction-weight.ts';
import type { WalletAddress } from '../wallet-address.ts';
import type { WalletCoin } from '../wallet-coin.ts';
import type { TransactionReads } from '../wallet-reads.ts';
import type { WatchWallet } from '../watch-wallet.ts';
import type { SwapFunding } from './swap-funding.ts';
import { checkTerms, RECEIVER_VOUT, type SwapTerms, swapCarrier, swapEscrow } from './swap-terms.ts';

/** What the input of 2 of 2 weighs more than one of P2WPKH, virtual bytes. */
const ESCROW_MORE_VSIZE = 30;

/** The escrow's input, which both sign. */
export function escrowInput(terms: SwapTerms, { txid, stripped }: SwapFunding, network: Network) {
  const { script, witnessScript } = swapEscrow(terms, network);
  return {
    txid: getHexBytes(txid),
    index: RECEIVER_VOUT,
    sequence: REPLACEABLE,
    nonWitnessUtxo: stripped,
    witnessUtxo: { script, amount: terms.escrowValue },
    witnessScript,
    sighashType: SigHash.ALL,
  };
}

/**
 * The refund: the tokens back to the seller, in a block above `refundAfter`. Both parties make the very same one, so none of them
 * has to look at what the other has made.
 *
 * @throws WalletError `swap_mismatch`, …
 */
export function buildSwapRefund(terms: SwapTerms, funding: SwapFunding, network: Network): Uint8Array {
  checkTerms(terms, network);
  const tx = new Transaction({ ...PSBT_OPTIONS, lockTime: terms.refundAfter });
  tx.addInput(escrowInput(terms, funding, network));
  const { script, value } = swapCarrier(terms);
  tx.addOutput({ script, amount: value });
  const back = terms.escrowValue - terms.refundFee;
  tx.addOutput({ script: readAddress(terms.seller.address, network), amount: back });
  return tx.toPSBT(0);
}

/** The outputs of a swap that the terms fix, in their order; the buyer's change comes behind them. */
export function swapOutputs(terms: SwapTerms, network: Network): PlannedOutput[] {
  return [
    swapCarrier(terms),
    { script: readAddress(terms.buyer.address, network), value: network.dustLimit },
    { script: readAddress(terms.seller.address, network), value: terms.price + terms.escrowValue },
  ];
}

type SwapCandidate = Candidate & { coin: WalletCoin | undefined };

/**
 * Builds the swap, by the buyer: one transaction that spends the escrow and the buyer's coins, gives the tokens to the buyer and the
 * price to the seller. The buyer pays its fee.
 *
 * @throws WalletError `swap_mismatch`, `insufficient_funds`, `too_many_inputs`, `coin_mismatch`, …
 * @example
 * const psbt = await buildSwap({ terms, funding, wallet: watch, coins: scan.coins, change, feeRatePerKvb, reads });
 */
export async function buildSwap({
  terms,
  funding,
  wallet,
  coins,
  change,
  feeRatePerKvb,
  reads,
}: {
  terms: SwapTerms;
  funding: SwapFunding;
  wallet: WatchWallet;
  /** Of a scan; those that are confirmed and unspent may be chosen. */
  coins: readonly WalletCoin[];
  change: WalletAddress;
  /** Base units for 1,000 virtual bytes. */
  feeRatePerKvb: bigint;
  reads: TransactionReads;
}): Promise<Uint8Array> {
  const { network } = wallet;
  checkTerms(terms, network);
  const outputs = swapOutputs(terms, network);
  const value = terms.escrowValue - feeOf(ESCROW_MORE_VSIZE, feeRatePerKvb);
  const selection = selectCoins<SwapCandidate>({
    required: [{ value, kind: 'p2wpkh', coin: undefined }],
    candidates: coins
      .filter(({ spendable, spentInMempool, height }) => spendable && !spentInMempool && height !== undefined)
      .map(asCandidate),
    outputs,
    changeScript: change.script,
    feeRatePerKvb,
    dustLimit: network.dustLimit,
    maxInputs: MAX_INPUTS,
  });
  if (!selection.ok) throw refuse(selection, wallet);
  const chosen = selection.coins.flatMap(({ coin }) => coin ?? []);
  const previous = await proveCoins(chosen, reads);
  const tx = new Transaction(PSBT_OPTIONS);
  tx.addInput(escrowInput(terms, funding, network));
  addOwnParts(
    tx,
    wallet,
    chosen.map((coin) => ({ coin, previous: previous.get(coin.txid)! })),
    selection.change === undefined
      ? outputs
      : [...outputs, { script: change.script, value: selection.change, owner: change }],
  );
  return tx.toPSBT(0);
}
