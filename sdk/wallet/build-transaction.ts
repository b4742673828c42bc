import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { assemblePsbt } from './assemble-psbt.ts';
import { chooseCoins } from './choose-coins.ts';
import type { FeePolicy } from './fee-policy.ts';
import { proveCoins } from './previous-transactions.ts';
import { reviewTransaction, type TransactionReview } from './review-transaction.ts';
import { checkReviewedFee } from './sign-transaction.ts';
import { checkOutputs, type PlannedOutput, type TransactionPlan } from './transaction-plan.ts';
import type { WalletAddress } from './wallet-address.ts';
import type { WalletCoin } from './wallet-coin.ts';
import type { TransactionReads } from './wallet-reads.ts';
import type { WatchWallet } from './watch-wallet.ts';

/** A transaction to sign, and what it would do. */
export type BuiltTransaction = { psbt: Uint8Array; review: TransactionReview };

export type BuildParameters = {
  wallet: WatchWallet;
  /** Of a scan; which are spent is chosen here. */
  coins: readonly WalletCoin[];
  plan: TransactionPlan;
  /** Base units for 1,000 virtual bytes. */
  feeRatePerKvb: bigint;
  /** Addresses of the wallet, such as a scan's `used`: outputs to them are shown as its own. */
  own?: readonly WalletAddress[];
  /**
   * Addresses that hold names or tokens, which only their own coins can move: one coin of each is left there, unless the
   * plan is theirs or the payment needs it.
   */
  keep?: readonly WalletAddress[];
  /** Where change goes; with `plan.sender` it goes back there. */
  change: WalletAddress;
  reads: TransactionReads;
  policy?: FeePolicy;
};

/**
 * Builds a transaction: chooses coins, proves their amounts by the transactions that they come from, and adds change
 * unless it would be dust. Nothing is reserved: two builds may choose the same coins.
 *
 * @throws WalletError `insufficient_funds`, `sender_without_coins`, `output_dust`, `fee_absurd`, `coin_mismatch`, …
 * @example
 * const scan = await scanAccounts(watch, reads);
 * const { psbt, review } = await buildTransaction({
 *   wallet: watch, coins: scan.coins, plan: planPayment([{ address, amount }], watch.network),
 *   feeRatePerKvb, change: nextAddress(scan, { kind: 'p2wpkh', chain: 1 }), reads,
 * });
 */
export async function buildTransaction(parameters: BuildParameters): Promise<BuiltTransaction> {
  const { wallet, plan, change, reads, policy } = parameters;
  checkOutputs(plan, wallet.network);
  const changeAddress = plan.changeTo ?? plan.sender ?? change;
  const { coins, outputs } = chooseCoins(parameters, changeAddress);
  const own = [changeAddress, ...(parameters.own ?? []), ...parameters.coins.map(({ owner }) => owner)];
  return completeTransaction({ wallet, coins, outputs: markOwn(outputs, own), reads, policy });
}

/** Proves the coins, writes the PSBT and reviews it. Outputs that are the wallet's say whose they are. */
export async function completeTransaction({
  wallet,
  coins,
  outputs,
  reads,
  policy,
}: {
  wallet: WatchWallet;
  coins: readonly WalletCoin[];
  outputs: readonly (PlannedOutput & { owner?: WalletAddress | undefined })[];
  reads: TransactionReads;
  policy: FeePolicy | undefined;
}): Promise<BuiltTransaction> {
  const previous = await proveCoins(coins, reads);
  const inputs = coins.map((coin) => ({ coin, previous: previous.get(coin.txid)! }));
  const psbt = assemblePsbt(wallet, inputs, outputs);
  const review = reviewTransaction(wallet, psbt);
  checkReviewedFee(review, wallet, policy);
  return { psbt, review };
}

/** Says of each output whose it is, so that the review can tell it without any list. */
export function markOwn(
  outputs: readonly PlannedOutput[],
  own: readonly WalletAddress[],
): (PlannedOutput & { owner?: WalletAddress | undefined })[] {
  const byScript = new Map(own.map((address) => [bytesToHex(address.script), address]));
  return outputs.map((output) => ({ ...output, owner: byScript.get(bytesToHex(output.script)) }));
}
