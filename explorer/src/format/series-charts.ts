/** The charts that a series of the chain gives: what each shows of a point, and how its figures are written. */

import type { SeriesPointJson } from '@coinfront/api/chain-series.ts';
import type { MessageKey } from '../language/messages.ts';
import {
  formatBytes,
  formatCount,
  formatDecimal,
  formatDifficulty,
  formatHashrate,
  formatScaled,
} from './number.ts';
import { formatDuration } from './time.ts';

/** One chart. */
export type SeriesChart = {
  /** As it stands in the address of the page. */
  id: string;
  name: MessageKey;
  /** What a value is, in a sentence. */
  says: MessageKey;
  /** Null where it is not known. */
  pick(point: SeriesPointJson): number | null;
  /** What lies around it, the lowest first: thinner lines. */
  around?: readonly ((point: SeriesPointJson) => number | null)[];
  format(value: number, ticker: string): string;
};

const perBlock = (pick: (point: SeriesPointJson) => number) => (point: SeriesPointJson) =>
  pick(point) / point.blocks;
/** The shares of a block's weight whose fee rates a point has, the cheapest first. */
const rateShares = ['p10', 'p25', 'median', 'p75', 'p90'] as const;

function pickRate(share: (typeof rateShares)[number]): SeriesChart['pick'] {
  return ({ fee_rates: rates }) => (rates === null ? null : Number(rates[share]));
}

const inCoins = (value: number, ticker: string): string =>
  value !== 0 && Math.abs(value) < 1
    ? `${formatDecimal(String(Number(value.toPrecision(3))))} ${ticker}`
    : formatScaled(value, ticker);

/** All charts, in the order in which they are offered. */
export const seriesCharts: readonly SeriesChart[] = [
  {
    id: 'hashrate',
    name: 'Hashrate',
    says: 'Estimated from the work of the blocks and the time between them.',
    pick: ({ hashes_per_second: rate }) => (rate === null ? null : Number(rate)),
    format: formatHashrate,
  },
  {
    id: 'difficulty',
    name: 'Difficulty',
    says: 'Difficulty of the last block of each point.',
    pick: ({ difficulty }) => difficulty,
    format: formatDifficulty,
  },
  {
    id: 'interval',
    name: 'Block interval',
    says: 'Mean time between blocks.',
    pick: ({ block_interval_seconds: seconds }) => seconds,
    format: formatDuration,
  },
  {
    id: 'transactions',
    name: 'Transactions',
    says: 'Mean number of transactions per block, coinbases included.',
    pick: perBlock(({ tx_count: count }) => count),
    format: formatMean,
  },
  {
    id: 'size',
    name: 'Block size',
    says: 'Mean size of a block, witnesses included.',
    pick: perBlock(({ size }) => size),
    format: formatBytes,
  },
  {
    id: 'weight',
    name: 'Block weight',
    says: 'Mean weight of a block (BIP-141).',
    pick: perBlock(({ weight }) => weight),
    format: (value) => formatScaled(value, 'WU'),
  },
  {
    id: 'fee-rate',
    name: 'Fee rate',
    says: 'Total fees divided by the virtual size of the blocks, in base units per virtual byte.',
    pick: ({ per_vb: rate }) => Number(rate),
    format: (value) => `${formatMean(value)} /vB`,
  },
  {
    id: 'fee-percentiles',
    name: 'Fee rates by percentile',
    says: 'Fee rates at 10, 25, 50, 75 and 90 % of the weight of a block, in base units per virtual byte; of several blocks their mean.',
    pick: pickRate('median'),
    around: [pickRate('p10'), pickRate('p25'), pickRate('p75'), pickRate('p90')],
    format: (value) => `${formatMean(value)} /vB`,
  },
  {
    id: 'fees',
    name: 'Fees per block',
    says: 'Mean total of the fees in a block.',
    pick: perBlock(({ fees }) => Number(fees)),
    format: inCoins,
  },
  {
    id: 'issuance',
    name: 'New coins per block',
    says: 'Mean number of new coins in a block.',
    pick: perBlock(({ issued }) => Number(issued)),
    format: inCoins,
  },
  {
    id: 'supply',
    name: 'Supply',
    says: 'All coins issued so far.',
    pick: ({ supply }) => Number(supply),
    format: inCoins,
  },
  {
    id: 'utxos',
    name: 'Unspent outputs',
    says: 'Number of unspent outputs.',
    pick: ({ utxo_count: count }) => count,
    format: (value) => formatCount(Math.round(value)),
  },
];

function listRates({ fee_rates: rates }: SeriesPointJson): string[] {
  return rateShares.map((share) => rates?.[share] ?? '');
}

function formatMean(value: number): string {
  return value >= 100
    ? formatCount(Math.round(value))
    : formatDecimal(String(Number(value.toFixed(value >= 1 ? 1 : 3))));
}

/**
 * A chart's points as CSV (RFC 4180), one line each. Amounts and rates are as the service gave them, without a loss of digits.
 *
 * @param points as the service gave them
 */
export function writeSeriesCsv(points: readonly SeriesPointJson[]): string {
  const [first] = points;
  const columns = Object.keys(first ?? {}) as (keyof SeriesPointJson)[];
  const lines = points.map((point) =>
    columns.flatMap((column) => (column === 'fee_rates' ? listRates(point) : [point[column] ?? ''])).join(),
  );
  const head = columns.flatMap((column) =>
    column === 'fee_rates' ? rateShares.map((share) => `fee_rate_${share}`) : [column],
  );
  return `${[head.join(), ...lines].join('\r\n')}\r\n`;
}
