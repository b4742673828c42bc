/** Example bodies for the OpenAPI document: a payment that was sent anew with a higher fee. */

import type { TxMempoolJson } from '@coinfront/api/chain-tx-mempool.ts';

const txid = 'c9fc9a4bd54c19a6fe1e09a2bc2e3b8f0b7b9a0a3a3b4f4e7c8a9d7f26e0d4b1';

/** Example of /tx/{txid}/mempool. */
export const mempoolExample: TxMempoolJson = {
  txid,
  state: 'waiting',
  fee_rate: '12.000',
  effective_fee_rate: '20.000',
  place: { vsize_ahead_least: 210_300, vsize_ahead_most: 245_100, block: 1, mempool_vsize: 1_804_211 },
  ancestors: { count: 0, vsize: 0, fees: '0.00000000', items: [] },
  descendants: {
    count: 1,
    vsize: 141,
    fees: '0.00003948',
    items: [
      {
        txid: '7f3de1d5a4b0d5c0bb9d4f9a6b3c6b1e0b0d0a8a7d6b5c4e3f2a1b0c9d8e7f60',
        vsize: 141,
        fee: '0.00003948',
        fee_rate: '28.000',
      },
    ],
  },
  replaced_by: null,
  replaced: [
    {
      txid: '2b1e0d9c8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c',
      replaced_by: txid,
      direct: true,
      time: '2026-11-26T07:12:09.114Z',
      fee: '0.00000564',
      fee_rate: '4.000',
      vsize: 141,
    },
  ],
};
