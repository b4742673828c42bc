import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { readCoinbaseTag } from '@coinfront/protocol/coinbase-tag.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction } from '@coinfront/protocol/transaction.ts';
import type { BlockRecord, TxRecord } from './chain-view.ts';

/** Tags that were read lately, by the hash of the block (hex): a block never gets another one. */
export type TagMemory = Map<string, string | undefined>;

const REMEMBERED_TAGS = 5_000;

/**
 * The texts that miners wrote into the coinbases of blocks, in their order; undefined where there is none.
 *
 * @param getTxsById those of several ids, in their order
 * @param charge is told of the bytes of coinbases that are read
 */
export async function listCoinbaseTags(
  memory: TagMemory,
  blocks: readonly BlockRecord[],
  getTxsById: (ids: readonly number[]) => Promise<readonly TxRecord[]>,
  charge: (bytes: number) => void,
): Promise<(string | undefined)[]> {
  const keys = blocks.map(({ hash }) => bytesToHex(hash));
  // The memory may be emptied while coinbases are read: what it has is taken out of it first.
  const tags = new Map(keys.filter((key) => memory.has(key)).map((key) => [key, memory.get(key)]));
  const unknown = blocks.filter((_, i) => !tags.has(keys[i]!));
  if (unknown.length > 0) {
    const coinbases = await getTxsById(unknown.map(({ firstTxId }) => firstTxId));
    for (const [i, { raw }] of coinbases.entries()) {
      charge(raw.length);
      const [input] = getValue(parseTransaction(raw)).inputs;
      tags.set(bytesToHex(unknown[i]!.hash), input && readCoinbaseTag(input.scriptSig));
    }
    if (memory.size + unknown.length > REMEMBERED_TAGS) memory.clear();
    for (const [key, tag] of tags) memory.set(key, tag);
  }
  return keys.map((key) => tags.get(key));
}
