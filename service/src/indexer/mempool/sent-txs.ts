import { bytesToHex, getHexBytes, reverseBytes } from '@coinfront/protocol/bytes.ts';
import type { NodeClient } from '../../node/rpc-client.ts';
import { fetchRaws } from './fetch-raws.ts';
import type { Mempool } from './mempool.ts';

/**
 * Transactions that the node has just taken from clients of this service: they are admitted to the mempool by themselves,
 * before the next look at all of the node's, so that who sent one sees it.
 */
export type SentTxs = {
  /** Names one, by its display txid. */
  add(txid: string): void;
  /**
   * Admits what was named, unless that was done a moment ago; then it rings again. Nothing is done when the node is at another
   * block than the index: what that block mined, or undid, has to be known first.
   *
   * @param tipHash display hex of the block that the index ends with
   * @returns whether all that these spend is known
   * @throws NodeError
   */
  admit(tipHash: string): Promise<boolean>;
};

/** Where processes that share a database name what they sent: display txids with commas between them. */
export const SENT_CHANNEL = 'coinfront_sent';

const TXID = /^[0-9a-f]{64}$/;
/** Fetched and stored at once. */
const TXS_AT_ONCE = 200;
/** More do not wait: the next look at the mempool finds them. */
const MOST_WAITING = 5_000;
/** Each time a new revision of the index is made, after which answers are made anew: no more often than this. */
const LEAST_PAUSE_MS = 20;

/**
 * @param ring is called when there is something to admit
 * @param mostTxs from how many on the mempool takes no more
 */
export function openSentTxs(node: NodeClient, mempool: Mempool, ring: () => void, mostTxs: number): SentTxs {
  const waiting = new Set<string>();
  let restUntilMs = 0;
  let timer: NodeJS.Timeout | undefined;

  const plan = (): void => {
    if (waiting.size === 0 || timer) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        ring();
      },
      // A timer may come a fraction of a millisecond early.
      Math.max(0, Math.ceil(restUntilMs - performance.now()) + 1),
    ).unref();
  };

  return {
    add(txid) {
      if (waiting.size >= MOST_WAITING || !TXID.test(txid)) return;
      waiting.add(txid);
      if (performance.now() >= restUntilMs) ring();
      else plan();
    },
    async admit(tipHash) {
      if (waiting.size === 0 || performance.now() < restUntilMs) {
        plan();
        return true;
      }
      const startedMs = performance.now();
      const txids = [...waiting].slice(0, TXS_AT_ONCE);
      const raws = await fetchRaws(
        node,
        txids.filter((txid) => !mempool.has(toInternal(txid))),
      );
      // Asked after them: what was there before this tip is in its mempool, or mined by it and then in the index.
      if ((await node.call<unknown>('getbestblockhash')) !== tipHash) return true;
      for (const txid of txids) waiting.delete(txid);
      const room = Math.max(0, mostTxs - mempool.size);
      const known = [...raws.values()].slice(0, room);
      // A child may be named before its parent.
      let orphans = known.length > 0 ? await mempool.admit(known, Date.now()) : 0;
      for (let before = known.length; orphans > 0 && orphans < before; ) {
        before = orphans;
        orphans = await mempool.admit(known, Date.now());
      }
      restUntilMs = performance.now() + Math.max(LEAST_PAUSE_MS, performance.now() - startedMs);
      plan();
      return orphans === 0;
    },
  };
}

function toInternal(txid: string): string {
  return bytesToHex(reverseBytes(getHexBytes(txid)));
}
