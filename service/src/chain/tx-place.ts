import type { BlockRecord, ChainView } from './chain-view.ts';

/** A confirmed transaction that a part's table names by its place. */
export type TxPlace = { block: BlockRecord; txid: Uint8Array };

/**
 * Reads places for one page: each block and each transaction once, however many rows lie in it. One transaction may have
 * made a whole page of them, and be a megabyte.
 */
export function createPlaceReader(view: ChainView): (height: number, position: number) => Promise<TxPlace> {
  const blocks = new Map<number, BlockRecord | undefined>();
  const places = new Map<string, TxPlace>();
  return async (height, position) => {
    const key = `${height}/${position}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    if (!blocks.has(height)) blocks.set(height, await view.findBlockAt(height));
    const block = blocks.get(height);
    const [tx] = block === undefined ? [] : await view.listBlockTxs(block, position, 1);
    if (block === undefined || tx === undefined) {
      throw new Error(`block ${height} has no transaction ${position}`);
    }
    const place = { block, txid: tx.txid };
    places.set(key, place);
    return place;
  };
}
