import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, equalBytes } from '@coinfront/protocol/bytes.ts';
import { assemblePsbt } from './assemble-psbt.ts';
import type { FeePolicy } from './fee-policy.ts';
import { proveCoins } from './previous-transactions.ts';
import { reviewTransaction, type TransactionReview } from './review-transaction.ts';
import { type Selection, selectCoins } from './select-coins.ts';
import { checkReviewedFee } from './sign-transaction.ts';
import { checkOutputs, type PlannedOutput, type TransactionPlan } from './transaction-plan.ts';
import { feeOf, frameWeight, inputWeight, outputWeight, vsizeOf } from './transaction-weight.ts';
import type { WalletAddress } from './wallet-address.ts';
import type { WalletCoin } from './wallet-coin.ts';
import { WalletError } from './wallet-error.ts';
import type { WalletReads } from './wallet-reads.ts';
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
  reads: Pick<WalletReads, 'getRawTransaction'>;
  policy?: FeePolicy;
};

/** Inputs of one transaction at most. */
export const MAX_INPUTS = 250;

type Candidate = { value: bigint; kind: WalletCoin['owner']['kind']; coin: WalletCoin };

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
  reads: Pick<WalletReads, 'getRawTransaction'>;
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

function chooseCoins(
  { wallet, coins, plan, feeRatePerKvb, keep = [] }: BuildParameters,
  change: WalletAddress,
): { coins: WalletCoin[]; outputs: PlannedOutput[] } {
  const usable = coins.filter((coin) => isUsable(coin, plan)).map(asCandidate);
  const required = plan.sender === undefined ? [] : [findSenderCoin(usable, plan.sender)];
  const candidates = usable.filter((each) => !required.includes(each));
  const outputs = [...plan.outputs];
  if (plan.sendsAll) return sendAll(wallet, [...required, ...candidates], outputs, feeRatePerKvb);
  const kept = listKept(candidates, keep, plan);
  const target = {
    required,
    candidates: candidates.filter((each) => !kept.has(each)),
    outputs,
    changeScript: change.script,
    feeRatePerKvb,
    dustLimit: wallet.network.dustLimit,
    maxInputs: MAX_INPUTS,
    keepsChange: plan.sender !== undefined || plan.changeTo !== undefined,
  };
  const sparing = selectCoins(target);
  const selection = sparing.ok || kept.size === 0 ? sparing : selectCoins({ ...target, candidates });
  if (!selection.ok) throw refuse(selection, wallet);
  const back = selection.change === undefined ? [] : [{ script: change.script, value: selection.change }];
  return { coins: selection.coins.map(({ coin }) => coin), outputs: [...outputs, ...back] };
}

/** The largest coin of each address to keep; none of addresses that the plan names. */
function listKept(
  candidates: readonly Candidate[],
  keep: readonly WalletAddress[],
  { sender, onlyFrom = [] }: TransactionPlan,
): Set<Candidate> {
  const named = [...(sender ? [sender] : []), ...onlyFrom].map(({ address }) => address);
  const kept = keep
    .filter(({ address }) => !named.includes(address))
    .flatMap(({ address }) =>
      candidates
        .filter(({ coin }) => coin.owner.address === address)
        .sort((a, b) => (a.value > b.value ? -1 : 1))
        .slice(0, 1),
    );
  return new Set(kept);
}

/** Whether a coin may be spent by a plan. One's own unconfirmed change may: nobody else can take it back. */
function isUsable({ spendable, spentInMempool, height, owner }: WalletCoin, plan: TransactionPlan): boolean {
  if (spentInMempool) return false;
  if (plan.onlyFrom && !plan.onlyFrom.some(({ script }) => equalBytes(script, owner.script))) return false;
  if (height !== undefined) return spendable;
  const isChange =
    owner.chain === 1 || (plan.sender !== undefined && equalBytes(plan.sender.script, owner.script));
  return isChange || plan.spendsUnconfirmed === true;
}

function asCandidate(coin: WalletCoin): Candidate {
  return { value: coin.value, kind: coin.owner.kind, coin };
}

/** The largest confirmed coin of the sender, else its largest: it pays most of what follows by itself. */
function findSenderCoin(candidates: readonly Candidate[], sender: WalletAddress): Candidate {
  const own = candidates.filter(({ coin }) => equalBytes(coin.owner.script, sender.script));
  const confirmed = own.filter(({ coin }) => coin.height !== undefined);
  const [best] = (confirmed.length > 0 ? confirmed : own).sort((a, b) => (a.value > b.value ? -1 : 1));
  if (best !== undefined) return best;
  const detail = `${sender.address} has no coin to spend, and only one of its coins makes it the sender: pay it a little first.`;
  throw new WalletError('sender_without_coins', detail);
}

function sendAll(
  wallet: WatchWallet,
  all: readonly Candidate[],
  outputs: readonly PlannedOutput[],
  feeRatePerKvb: bigint,
): { coins: WalletCoin[]; outputs: PlannedOutput[] } {
  const useful = all.filter(({ value, kind }) => value > feeOf(vsizeOf(inputWeight(kind)), feeRatePerKvb));
  if (useful.length > MAX_INPUTS) {
    throw new WalletError(
      'too_many_inputs',
      `${useful.length} coins do not fit into one transaction: send part of them first.`,
    );
  }
  const fixed = outputs.slice(0, -1);
  const last = outputs.at(-1)!;
  let weight = frameWeight(useful.length, outputs.length);
  for (const { script } of outputs) weight += outputWeight(script);
  for (const { kind } of useful) weight += inputWeight(kind);
  const spent = fixed.reduce((sum, { value }) => sum + value, 0n);
  const fee = feeOf(vsizeOf(weight), feeRatePerKvb);
  const value = useful.reduce((sum, each) => sum + each.value, 0n) - spent - fee;
  if (value < wallet.network.dustLimit) {
    throw new WalletError(
      'insufficient_funds',
      'What can be spent does not pay its own fee and an output above dust.',
    );
  }
  return { coins: useful.map(({ coin }) => coin), outputs: [...fixed, { script: last.script, value }] };
}

function refuse(
  { reason, needed, available }: Selection<Candidate> & { ok: false },
  { network }: WatchWallet,
): WalletError {
  const show = (value: bigint) => `${formatAmount(value, network.decimals)} ${network.ticker}`;
  return reason === 'too_many_inputs'
    ? new WalletError(
        reason,
        `It would take more than ${MAX_INPUTS} coins: combine them first by sending to yourself.`,
      )
    : new WalletError(reason, `${show(needed)} are needed with the fee; ${show(available)} can be spent.`);
}
