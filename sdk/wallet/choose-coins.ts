import { formatAmount } from '@coinfront/protocol/amount.ts';
import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { type Candidate, type Selection, selectCoins } from './select-coins.ts';
import type { PlannedOutput, TransactionPlan } from './transaction-plan.ts';
import { feeOf, frameWeight, inputWeight, outputWeight, vsizeOf } from './transaction-weight.ts';
import type { WalletAddress } from './wallet-address.ts';
import type { WalletCoin } from './wallet-coin.ts';
import { WalletError } from './wallet-error.ts';
import type { WatchWallet } from './watch-wallet.ts';

/** Inputs of one transaction at most. */
export const MAX_INPUTS = 250;

/** What coins are chosen for. */
export type ChoiceTarget = {
  wallet: WatchWallet;
  coins: readonly WalletCoin[];
  plan: TransactionPlan;
  feeRatePerKvb: bigint;
  /** Addresses of which one coin is left. */
  keep?: readonly WalletAddress[];
};

/** A coin as selection sees it. */
export type CoinCandidate = { value: bigint; kind: WalletCoin['owner']['kind']; coin: WalletCoin };

/**
 * Chooses the coins of a plan, the sender's first, and gives all outputs with the change at the end.
 *
 * @throws WalletError `insufficient_funds`, `too_many_inputs`, `sender_without_coins`
 */
export function chooseCoins(
  { wallet, coins, plan, feeRatePerKvb, keep = [] }: ChoiceTarget,
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
  candidates: readonly CoinCandidate[],
  keep: readonly WalletAddress[],
  { sender, onlyFrom = [] }: TransactionPlan,
): Set<CoinCandidate> {
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

/** A coin for selection. */
export function asCandidate(coin: WalletCoin): CoinCandidate {
  return { value: coin.value, kind: coin.owner.kind, coin };
}

/** The largest confirmed coin of the sender, else its largest: it pays most of what follows by itself. */
function findSenderCoin(candidates: readonly CoinCandidate[], sender: WalletAddress): CoinCandidate {
  const own = candidates.filter(({ coin }) => equalBytes(coin.owner.script, sender.script));
  const confirmed = own.filter(({ coin }) => coin.height !== undefined);
  const [best] = (confirmed.length > 0 ? confirmed : own).sort((a, b) => (a.value > b.value ? -1 : 1));
  if (best !== undefined) return best;
  const detail = `${sender.address} has no coin to spend, and only one of its coins makes it the sender: pay it a little first.`;
  throw new WalletError('sender_without_coins', detail);
}

function sendAll(
  wallet: WatchWallet,
  all: readonly CoinCandidate[],
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

/** Why coins could not be chosen, in words. */
export function refuse(
  { reason, needed, available }: Extract<Selection<Candidate>, { ok: false }>,
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
