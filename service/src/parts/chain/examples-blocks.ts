/** Example bodies for the OpenAPI document: what is asked of blocks beside themselves. */

import type {
  BlockFeesJson,
  BlockTransactionListJson,
  BlockTxSummaryJson,
  StaleBlockJson,
} from '@coinfront/api/chain-blocks.ts';
import { blockExamples } from './examples-chain.ts';

const { hash, header } = blockExamples.detail;

/** Example of /block/{id}/fees. */
export const blockFeesExample: BlockFeesJson = {
  hash,
  height: 170,
  tx_count: 2,
  fee_rates: {
    lowest: '1.002',
    p10: '1.050',
    p25: '2.000',
    median: '4.510',
    p75: '12.000',
    p90: '20.117',
    highest: '301.250',
  },
};

/** Example of /block/{id}/transactions. */
export const blockTransactionsExample: BlockTransactionListJson = {
  hash,
  height: 170,
  tx_count: 2,
  matches: 2,
  items: [
    {
      txid: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
      position: 1,
      output_value: '50.00000000',
      fee: '0.00000000',
      weight: 1100,
      vsize: 275,
      fee_rate: '0.000',
    },
    {
      txid: 'b1fea52486ce0c62bb442b530a3f0132b826c74e473d1f2c220bfa78111c5082',
      position: 0,
      output_value: '50.00000000',
      fee: null,
      weight: 540,
      vsize: 135,
      fee_rate: null,
    },
  ],
  next_cursor: null,
};

/** Example of /block/{id}/summary. */
export const blockSummaryExample: BlockTxSummaryJson = {
  hash,
  height: 170,
  tx_count: 2,
  transactions: [
    {
      txid: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
      vsize: 275,
      fee: '0.00000000',
      fee_rate: '0.000',
    },
  ],
};

/** Example of /blocks/stale. */
export const staleBlocksExample: { items: StaleBlockJson[] } = {
  items: [
    {
      hash: '00000000b69bd8e4dc60580117617a466d5c76ada85fb7b87e9baea01f9d9984',
      height: 170,
      time: '2009-01-12T03:29:01.000Z',
      tx_count: 1,
      previous_hash: '000000002a22cfee1f2c846adbd12b3e183d4f97683f85dad08a79780a84bd55',
      header,
      left_at: '2009-01-12T03:30:26.512Z',
      replaced_by: hash,
    },
  ],
};
