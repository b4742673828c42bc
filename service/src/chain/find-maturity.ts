import { PEG_OUT_MATURITY } from '@coinfront/protocol/transaction.ts';
import type { Utxo } from './chain-view.ts';

/** The first height that may spend an output which matures; undefined for any other. */
export function findMaturity(
  { height, coinbase, pegOut }: Pick<Utxo, 'height' | 'coinbase' | 'pegOut'>,
  coinbaseMaturity: number,
): number | undefined {
  if (height === undefined || !(coinbase || pegOut)) return undefined;
  return height + (coinbase ? coinbaseMaturity : PEG_OUT_MATURITY);
}
