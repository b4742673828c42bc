/** Example body for the OpenAPI document: figures over time. */

import type { SeriesJson } from '@coinfront/api/chain-series.ts';

export const seriesExample: SeriesJson = {
  from_height: 812_200,
  to_height: 812_345,
  blocks_per_point: 100,
  points: [
    {
      height: 812_299,
      blocks: 100,
      time: '2026-03-01T11:08:00.000Z',
      block_interval_seconds: 61.2,
      difficulty: 41_833.21,
      hashes_per_second: '2935715126.111',
      tx_count: 1_204,
      size: 512_044,
      weight: 1_622_310,
      fees: '0.02110450',
      per_vb: '5.203',
      fee_rates: { p10: '1.020', p25: '2.004', median: '3.410', p75: '6.120', p90: '11.305' },
      issued: '2500.00000000',
      supply: '20212480.00000000',
      utxo_count: 401_833,
    },
    {
      height: 812_345,
      blocks: 46,
      time: '2026-03-01T11:54:00.000Z',
      block_interval_seconds: 60,
      difficulty: 41_902.4,
      hashes_per_second: '2999500000.000',
      tx_count: 530,
      size: 228_012,
      weight: 731_904,
      fees: '0.00881200',
      per_vb: '4.815',
      fee_rates: { p10: '1.010', p25: '1.920', median: '3.200', p75: '5.870', p90: '10.050' },
      issued: '1150.00000000',
      supply: '20213630.00000000',
      utxo_count: 402_011,
    },
  ],
};
