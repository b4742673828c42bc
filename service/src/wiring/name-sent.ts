import type { Database } from '../db/database.ts';
import { SENT_CHANNEL } from '../indexer/mempool/sent-txs.ts';
import type { Indexer } from '../start-indexer.ts';

/** Txids in a message: 65 bytes each, of 7,999. */
const TXIDS_AT_ONCE = 120;

/**
 * Makes what tells the indexer of a transaction that the node has just taken. On PostgreSQL through the database, in whatever
 * process the indexer is; on SQLite to the one of this process. One message is under way at a time and has all that came
 * meanwhile. Nothing depends on its arrival: the indexer's next look at the mempool finds the transaction, too.
 */
export function createSentNamer(
  notify: Database['notify'],
  indexer: Pick<Indexer, 'nameSent'> | undefined,
): (txid: string) => void {
  if (!notify) return (txid) => indexer?.nameSent(txid);
  let waiting: string[] = [];
  let isSending = false;
  const send = async (): Promise<void> => {
    isSending = true;
    while (waiting.length > 0) {
      const txids = waiting.slice(0, TXIDS_AT_ONCE);
      waiting = waiting.slice(TXIDS_AT_ONCE);
      await notify(SENT_CHANNEL, txids.join(',')).catch(() => {
        waiting = [];
      });
    }
    isSending = false;
  };
  return (txid) => {
    waiting.push(txid);
    if (!isSending) void send();
  };
}
