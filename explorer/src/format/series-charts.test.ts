import type { SeriesPointJson } from '@coinfront/api/chain-series.ts';
import { describe, expect, test } from 'vitest';
import { seriesCharts, writeSeriesCsv } from './series-charts.ts';

const point: SeriesPointJson = {
  height: 199,
  blocks: 100,
  time: '2026-03-01T11:08:00.000Z',
  block_interval_seconds: 61.2,
  difficulty: 41_833.21,
  hashes_per_second: null,
  tx_count: 1_204,
  size: 512_044,
  weight: 1_622_310,
  fees: '0.02110450',
  per_vb: '5.203',
  fee_rates: { p10: '1.020', p25: '2.004', median: '3.410', p75: '6.120', p90: '11.305' },
  issued: '2500.00000000',
  supply: '20212480.00000001',
  utxo_count: 401_833,
};

describe('a chart of a series', () => {
  test('shows means per block, and nothing where a figure is unknown', () => {
    const shown = Object.fromEntries(
      seriesCharts.map((chart) => {
        const value = chart.pick(point);
        return [chart.id, value === null ? null : chart.format(value, 'COIN')];
      }),
    );
    expect(shown).toEqual({
      hashrate: null,
      difficulty: '41,833.21',
      interval: '61 s',
      transactions: '12',
      size: '5.12 kB',
      weight: '16.2 kWU',
      'fee-rate': '5.2 /vB',
      'fee-percentiles': '3.4 /vB',
      fees: '0.000211 COIN',
      issuance: '25 COIN',
      supply: '20.2 MCOIN',
      utxos: '401,833',
    });
  });

  test('comes as CSV with every figure as the service gave it; what is unknown is empty', () => {
    expect(
      writeSeriesCsv([point, { ...point, hashes_per_second: '2935715126.111', fee_rates: null }]).split(
        '\r\n',
      ),
    ).toEqual([
      'height,blocks,time,block_interval_seconds,difficulty,hashes_per_second,tx_count,size,weight,fees,per_vb,fee_rate_p10,fee_rate_p25,fee_rate_median,fee_rate_p75,fee_rate_p90,issued,supply,utxo_count',
      '199,100,2026-03-01T11:08:00.000Z,61.2,41833.21,,1204,512044,1622310,0.02110450,5.203,1.020,2.004,3.410,6.120,11.305,2500.00000000,20212480.00000001,401833',
      '199,100,2026-03-01T11:08:00.000Z,61.2,41833.21,2935715126.111,1204,512044,1622310,0.02110450,5.203,,,,,,2500.00000000,20212480.00000001,401833',
      '',
    ]);
  });
});
