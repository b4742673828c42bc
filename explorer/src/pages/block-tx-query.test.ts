import { expect, test } from 'vitest';
import { readBlockTxQuery } from './block-tx-query.ts';

test.each([
  ['', {}],
  ['sort=position', {}],
  ['sort=fee_rate&order=asc', { sort: 'fee_rate', order: 'asc' }],
  ['order=desc', { order: 'desc' }],
  ['sort=txid&order=up', {}],
  ['min_fee_rate=1.5&min_output_value=0.25', { min_fee_rate: '1.5', min_output_value: '0.25' }],
  ['min_fee_rate=-1&min_output_value=1e9', {}],
  ['min_fee_rate=01&min_output_value=.5', {}],
  ['min_fee_rate=1.2345', {}],
])('%s is read as %o', (query, expected) => {
  expect(readBlockTxQuery(new URLSearchParams(query))).toEqual(expected);
});
