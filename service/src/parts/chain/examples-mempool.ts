/** Example bodies for the OpenAPI document: the mempool. */

import type { ProjectedBlockJson } from '@coinfront/api/chain-mempool.ts';

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
