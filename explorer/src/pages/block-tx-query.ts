import type { BlockTransactionSort } from '@coinfront/api/chain-blocks.ts';

/** What the page of a block lists of its transactions, and in which order. */
export type BlockTxQuery = {
  sort?: BlockTransactionSort;
  order?: 'asc' | 'desc';
  min_fee_rate?: string;
  min_output_value?: string;
};

const sorts: readonly BlockTransactionSort[] = ['position', 'fee_rate', 'fee', 'output_value', 'vsize'];
/** What the service takes: a decimal without superfluous zeros. */
const DECIMAL = /^(0|[1-9][0-9]{0,8})(\.[0-9]{1,3})?$/;
const AMOUNT = /^(0|[1-9][0-9]{0,19})(\.[0-9]{1,18})?$/;

/** What a page's own address says of it; what the service would not take, or what says nothing, is left out. */
export function readBlockTxQuery(query: URLSearchParams): BlockTxQuery {
  const sort = sorts.find((each) => each === query.get('sort'));
  const order = query.get('order');
  const rate = query.get('min_fee_rate') ?? '';
  const value = query.get('min_output_value') ?? '';
  return {
    ...(sort === undefined || sort === 'position' ? {} : { sort }),
    ...(order === 'asc' || order === 'desc' ? { order } : {}),
    ...(DECIMAL.test(rate) ? { min_fee_rate: rate } : {}),
    ...(AMOUNT.test(value) ? { min_output_value: value } : {}),
  };
}
