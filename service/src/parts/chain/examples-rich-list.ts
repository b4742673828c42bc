/** Example bodies for the OpenAPI document: the richest addresses. */

import type { BalanceDistributionJson, RichListJson } from '@coinfront/api/rich-list.ts';

const of = {
  as_of: {
    height: 812_345,
    hash: '00000000000000000002a7c4c1e48d76c5a37902165a270156b7a8d72728a054',
  },
  made_at: '2026-03-01T12:00:35.000Z',
  stale: false,
};

/** Examples of /rich and /rich/distribution. */
export const richListExamples: { list: RichListJson; distribution: BalanceDistributionJson } = {
  list: {
    ...of,
    items: [
      {
        rank: 1,
        address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
        script_type: 'pubkeyhash',
        script_hash: '8b01df4e368ea28f8dc0423bcf7a4923e3a12d307c875e47a0cfbf90b5c39161',
        balance: '1000000.50000000',
        utxo_count: 312,
        share_ppm: 49_256,
      },
    ],
    next_cursor: 'ODEyMzQ1LDEsMjVEs8kq',
  },
  distribution: {
    ...of,
    addresses: 3,
    balance: '20302101.88413001',
    bands: [
      { from: '10.00000000', below: '100.00000000', addresses: 2, balance: '101.38413001' },
      { from: '100.00000000', below: '1000.00000000', addresses: 0, balance: '0.00000000' },
      { from: '1000000.00000000', below: '10000000.00000000', addresses: 1, balance: '1000000.50000000' },
    ],
    largest: [
      { size: 1, addresses: 1, balance: '1000000.50000000', share_ppm: 49_256 },
      { size: 10, addresses: 3, balance: '1000101.88413001', share_ppm: 49_261 },
    ],
  },
};
