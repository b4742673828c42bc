import type { FeeReportJson } from '@coinfront/api/chain-state.ts';
import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
import type { Network } from './network.ts';
import { WalletError } from './wallet-error.ts';

/** Bounds of what a transaction may pay for its transport. Rates are base units for 1,000 virtual bytes. */
export type FeePolicy = {
  /** Highest rate that is taken from a service's advice. */
  maxAdvisedRatePerKvb: bigint;
  /** Highest rate at all, also one that a person gives. */
  maxRatePerKvb: bigint;
  /** Highest fee of one transaction, base units. */
  maxFee: bigint;
  /** Highest part of what is spent, in per cent; only for fees above `freeFee`. */
  maxSharePercent: number;
  /** Fees up to this are not compared with what is spent, base units. */
  freeFee: bigint;
};

/** A P2PKH output and the input that spends it (Core's measure of dust), virtual bytes. */
const DUST_VSIZE = 182n;

/**
 * Bounds that fit a coin without anybody's advice. Fees of different coins are orders of magnitude apart; the dust limit
 * tells which order: advice up to 3 times, and rates up to 30 times the one that makes an output dust.
 */
export function defaultFeePolicy({ dustLimit }: Pick<Network, 'dustLimit'>): FeePolicy {
  const dust = dustLimit < MIN_DUST ? MIN_DUST : dustLimit;
  const dustRate = (dust * 1_000n) / DUST_VSIZE;
  return {
    maxAdvisedRatePerKvb: dustRate * 3n,
    maxRatePerKvb: dustRate * 30n,
    maxFee: dust * 2_000n,
    maxSharePercent: 25,
    freeFee: dust * 20n,
  };
}

/** Bitcoin's dust is a tenth of Litecoin's while its fees are not; below this it tells nothing. */
const MIN_DUST = 5_460n;

/** How soon a transaction shall confirm. */
export type FeeWish = { targetBlocks?: number } | { ratePerKvb: bigint };

/**
 * The rate of a transaction: the one that is wished, or a service's advice for so many blocks (6 unless given). Advice
 * above the policy is refused, not followed in part: whoever needs a higher rate gives it.
 *
 * @throws WalletError `fee_rate_absurd`, `fee_unavailable`
 * @example
 * const feeRatePerKvb = await chooseFeeRate({ targetBlocks: 3 }, reads.getFees, watch.network);
 */
export async function chooseFeeRate(
  wish: FeeWish,
  getFees: () => Promise<FeeReportJson>,
  network: Network,
  policy: FeePolicy = defaultFeePolicy(network),
): Promise<bigint> {
  if ('ratePerKvb' in wish) return checkRate(wish.ratePerKvb, policy.maxRatePerKvb, 'asked for', network);
  const { minimum, estimates } = await getFees();
  const target = wish.targetBlocks ?? 6;
  const known = Array.isArray(estimates)
    ? estimates.filter((each) => typeof each?.target_blocks === 'number')
    : [];
  const fitting = known
    .toSorted((a, b) => b.target_blocks - a.target_blocks)
    .find(({ target_blocks }) => target_blocks <= target);
  const rates = [fitting?.per_kvb ?? known[0]?.per_kvb, minimum?.per_kvb].map((text) => {
    const parsed = typeof text === 'string' ? parseAmount(text, network.decimals) : undefined;
    return parsed?.ok ? parsed.value : undefined;
  });
  const [advised, least] = rates;
  if (advised === undefined || least === undefined || (advised === 0n && least === 0n)) {
    throw new WalletError('fee_unavailable', 'The service gives no fee rate: say which one to pay.');
  }
  return checkRate(
    advised > least ? advised : least,
    policy.maxAdvisedRatePerKvb,
    'advised by the service',
    network,
  );
}

function checkRate(rate: bigint, most: bigint, whose: string, { decimals, ticker }: Network): bigint {
  if (rate <= 0n) throw new WalletError('fee_rate_absurd', 'A fee rate is above zero.');
  if (rate <= most) return rate;
  const show = (value: bigint) => `${formatAmount(value, decimals)} ${ticker}`;
  const detail = `The fee rate ${whose} is ${show(rate)} for 1,000 vB; at most ${show(most)} is accepted. Give a rate yourself, or raise the bound.`;
  throw new WalletError('fee_rate_absurd', detail);
}

/**
 * Refuses a transaction whose fee no person means.
 *
 * @throws WalletError `fee_absurd`, `fee_rate_absurd`
 */
export function checkFee(
  { fee, vsize, spent }: { fee: bigint; vsize: number; spent: bigint },
  network: Network,
  policy: FeePolicy = defaultFeePolicy(network),
): void {
  const show = (value: bigint) => `${formatAmount(value, network.decimals)} ${network.ticker}`;
  if (fee < 0n) throw new WalletError('fee_absurd', 'The transaction would pay more than it spends.');
  if (fee > policy.maxFee) {
    throw new WalletError(
      'fee_absurd',
      `The fee of ${show(fee)} is above ${show(policy.maxFee)}, the most that is paid.`,
    );
  }
  if (fee <= policy.freeFee) return;
  checkRate((fee * 1_000n) / BigInt(Math.max(vsize, 1)), policy.maxRatePerKvb, 'of the transaction', network);
  if (fee * 100n > spent * BigInt(policy.maxSharePercent)) {
    const detail = `The fee of ${show(fee)} is over ${policy.maxSharePercent} per cent of the ${show(spent)} that the transaction pays.`;
    throw new WalletError('fee_absurd', detail);
  }
}
