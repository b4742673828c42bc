import type { PartWriter } from '../../indexer/parts/part.ts';
import { tokenCountTable } from './token-tables.ts';

/** Totals of all tokens. `holders` are the positive balances, the kinds of operations count the valid ones. */
export type Counts = Record<
  'tokens' | 'holders' | 'creates' | 'mints' | 'transfers' | 'burns' | 'sweeps' | 'invalid',
  number
>;

/** The totals below a block; zeros before the first operation. */
export async function openCounts(writer: PartWriter): Promise<Counts> {
  const row = await writer.find(tokenCountTable, [0]);
  const read = (name: keyof Counts): number => Number(row?.[name] ?? 0);
  return {
    tokens: read('tokens'),
    holders: read('holders'),
    creates: read('creates'),
    mints: read('mints'),
    transfers: read('transfers'),
    burns: read('burns'),
    sweeps: read('sweeps'),
    invalid: read('invalid'),
  };
}
