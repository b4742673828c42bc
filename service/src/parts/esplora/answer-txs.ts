/**
 * Transactions as answers: bounded by bytes, not by their count alone, for one may have megabytes.
 *
 * Esplora's clients take a page of fewer than 25 for the last one, so a page cannot end early. What is small is read from
 * one view and answered whole. What is large is sent in pieces: which transactions, and where they are, says one view; the
 * bytes of each, and of what it spends, which follow from its txid for good, are read when its turn comes.
 */

import type { EsploraTxJson } from '@coinfront/api/esplora.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { ChainView, ReadChain, TxRecord } from '../../chain/chain-reads.ts';
import type { StreamedText } from '../../http/large-answers.ts';
import type { EsploraContext } from './esplora-context.ts';
import { type EsploraTxParts, readManyTxParts, readStatus, readTxParts, serialiseTx } from './serialise.ts';
import { writeTx } from './write-tx.ts';

/** Bytes of transactions, and of the scripts that they spend, that are answered whole: some 100 KB of JSON. */
const maxWholeBytes = 32_768;

/** As large as is not answered whole. */
const LARGE = { isLarge: true } as const;

/** A transaction that a list has found, by its txid; and where it is confirmed, by its number in the index. */
export type ListedTx = Pick<TxRecord, 'id' | 'txid' | 'status'>;

/** Transactions that are read together: what they have in common is read once, and each may be a megabyte. */
const readAtOnce = 5;

/** Answers one transaction. */
export async function answerTx(
  view: ChainView,
  record: TxRecord,
  { readChain, profile }: EsploraContext,
): Promise<EsploraTxJson | StreamedText> {
  const { txid, status } = record;
  const shownStatus = await readStatus(view, status.confirmed ? status.height : undefined);
  if (record.raw.length <= maxWholeBytes) {
    const parts = await readTxParts(view, record);
    if (bytesOf(parts) <= maxWholeBytes) return serialiseTx(parts, profile);
  }
  return {
    async *streamedText() {
      yield writeTx({ ...(await readLater(readChain, txid)), status: shownStatus }, profile);
    },
  };
}

/** What follows from a txid for good, read in a view of its own. */
function readLater(readChain: ReadChain, txid: Uint8Array): Promise<EsploraTxParts> {
  return readChain(async (view) => {
    const record = await view.findTx(txid);
    // Replaced, or reorganised away meanwhile: the answer cannot be completed any more.
    if (record === undefined) throw new Error(`${toDisplayHash(txid)} left the chain under an answer`);
    return await readTxParts(view, record);
  }, LARGE);
}

/** Answers a list of transactions in its order. */
export async function answerTxs(
  view: ChainView,
  listed: readonly ListedTx[],
  context: EsploraContext,
): Promise<EsploraTxJson[] | StreamedText> {
  const whole: EsploraTxJson[] = [];
  let bytes = 0;
  for (let first = 0; first < listed.length; first += readAtOnce) {
    const records = await readListed(view, listed.slice(first, first + readAtOnce));
    const small = takeWhole(records, maxWholeBytes - bytes);
    for (const parts of await readManyTxParts(view, small)) {
      if (bytes + parts.record.raw.length > maxWholeBytes) return streamTxs(view, whole, listed, context);
      bytes += bytesOf(parts);
      whole.push(serialiseTx(parts, context.profile));
    }
    if (small.length < records.length) return streamTxs(view, whole, listed, context);
  }
  return whole;
}

/** Transactions of a list: what is confirmed is found by its number. */
async function readListed(view: ChainView, listed: readonly ListedTx[]): Promise<TxRecord[]> {
  const confirmed = listed.filter(({ status }) => status.confirmed);
  const records = await view.getTxsById(confirmed.map(({ id }) => id));
  return await Promise.all(
    listed.map(async ({ txid, status }) => {
      const record = status.confirmed ? records.shift() : await view.findTx(txid);
      if (record === undefined)
        throw new Error(`a list has ${toDisplayHash(txid)}, which is not in its view`);
      return record;
    }),
  );
}

/** The first of them, up to so many bytes together. */
function takeWhole(records: readonly TxRecord[], room: number): readonly TxRecord[] {
  let bytes = 0;
  const tooMany = records.findIndex(({ raw }) => {
    bytes += raw.length;
    return bytes > room;
  });
  return tooMany < 0 ? records : records.slice(0, tooMany);
}

/** The list of which `whole` is the beginning. */
async function streamTxs(
  view: ChainView,
  whole: readonly EsploraTxJson[],
  listed: readonly ListedTx[],
  { readChain, profile }: EsploraContext,
): Promise<StreamedText> {
  const later = await Promise.all(
    listed.slice(whole.length).map(async ({ txid, status }) => ({
      txid,
      status: await readStatus(view, status.confirmed ? status.height : undefined),
    })),
  );
  return {
    async *streamedText() {
      yield [`[${whole.map((tx) => JSON.stringify(tx)).join(',')}`];
      for (const [i, { txid, status }] of later.entries()) {
        if (whole.length + i > 0) yield [','];
        const parts = { ...(await readLater(readChain, txid)), status };
        yield writeTx(parts, profile);
      }
      yield [']'];
    },
  };
}

function bytesOf({ record, prevouts }: EsploraTxParts): number {
  return prevouts.reduce((sum, prevout) => sum + (prevout?.script.length ?? 0), record.raw.length);
}
