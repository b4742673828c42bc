/** Example bodies for the OpenAPI document: the mempool. */

import type { ProjectedBlockJson } from '@coinfront/api/chain-mempool.ts';
import type { MempoolHistoryJson } from '@coinfront/api/mempool-history.ts';

export const projectedBlockExample: ProjectedBlockJson = {
  number: 1,
  block_count: 2,
  tx_count: 3,
  vsize: 1_391,
  fees: '0.00028401',
  transactions: [
    {
      txid: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
      vsize: 141,
      fee: '0.00007050',
      per_vb: '50.000',
    },
    {
      txid: 'ea44e97271691990157559d0bdd9959e02790c34db6c006d779e82fa5aee708e',
      vsize: 1_042,
      fee: '0.00020319',
      per_vb: '19.500',
    },
    {
      txid: 'a16f3ce4dd5deb92d98ef5cf8afeaf0775ebca408f708b2146c4fb42b41e14be',
      vsize: 208,
      fee: '0.00001032',
      per_vb: '4.961',
    },
  ],
};

export const mempoolHistoryExample: MempoolHistoryJson = {
  range: 'day',
  step_seconds: 60,
  from: '2026-02-28T12:00:00.000Z',
  to: '2026-03-01T12:00:00.000Z',
  per_vb: ['0.000', '2.000', '4.000', '8.000', '15.000', '30.000', '60.000', '125.000'],
  points: [
    {
      time: '2026-03-01T11:58:00.000Z',
      tx_count: 801,
      vsizes: [120_410, 88_201, 74_008, 61_200, 30_114, 14_908, 2_044, 0],
    },
    {
      time: '2026-03-01T11:59:00.000Z',
      tx_count: 812,
      vsizes: [121_907, 90_313, 76_100, 66_012, 31_442, 15_304, 2_044, 0],
    },
  ],
};
