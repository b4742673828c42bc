import type { BlockRecord, ChainView } from '../../chain/chain-view.ts';
import { makeRowCursor, readRowCursor } from '../../http/position-cursor.ts';

const HALF_AMOUNT = 2n ** 32n;

/** A place in a list from large to small amounts, and of equal ones from late to early scripts. */
export type AmountPlace = { amount: bigint; scriptId: number };

type AmountList = { kind: string; subject: string };

/** The cursor behind a balance. Scripts are numbered along the chain, so it holds while the tip of its page stays. */
export async function makeAmountCursor(
  view: ChainView,
  tip: BlockRecord,
  list: AmountList,
  { amount, scriptId }: AmountPlace,
): Promise<string> {
  const numbers = [Number(amount / HALF_AMOUNT), Number(amount % HALF_AMOUNT), scriptId];
  return await makeRowCursor(view, list, tip.height, numbers);
}

/**
 * What the rows behind a cursor of {@link makeAmountCursor} are below.
 *
 * @throws AppError `invalid_cursor`, `cursor_expired`
 */
export async function readAmountCursor(
  view: ChainView,
  list: AmountList,
  cursor: string | undefined,
): Promise<AmountPlace | undefined> {
  const read = await readRowCursor(view, list, cursor, 3);
  if (read === undefined) return undefined;
  const [high, low, scriptId] = read.numbers as [number, number, number];
  const amount = (BigInt(high) % 2n ** 31n) * HALF_AMOUNT + (BigInt(low) % HALF_AMOUNT);
  return { amount, scriptId };
}
