/** Example bodies for the OpenAPI document: what is asked of blocks beside themselves. */

import type { BlockFeesJson, StaleBlockJson } from '@coinfront/api/chain-blocks.ts';
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
