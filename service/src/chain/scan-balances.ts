import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import type { Reader } from '../db/database.ts';
import { type EntryStreams, openEntryStreams } from '../indexer/runs/entry-streams.ts';
import { readValue } from '../indexer/runs/run-builder.ts';
import {
  COIN_SIGN_AT,
  coinRuns,
  HISTORY_KIND_AT,
  HISTORY_VALUE_AT,
  historyRuns,
  type RunKind,
  SPENDING,
} from '../indexer/runs/run-kinds.ts';
import { compareBytes } from '../indexer/runs/run-page.ts';
import { listRuns, type Run } from '../indexer/runs/run-set.ts';
import type { BlockRecord, ReadChain } from './chain-view.ts';

/** Entries that are summed before others get a turn. */
const ENTRIES_AT_ONCE = 2_048;

/**
 * Visits every script that has something unspent, once, in the order of their keys, as of one tip. Both indexes of scripts are read
 * from end to end, in the order of their pages; nothing is kept of them but the script under way.
 *
 * What can never be spent (OP_RETURN, the coinbase of the first block) has no coins in the index, so it is passed over.
 *
 * @param visit is given the first 16 bytes of a script's SHA-256 with a character for each byte, its balance in base units, and how
 *   many outputs that is
 * @param giveWay is awaited between slices of some thousand entries; what it throws ends the scan
 * @returns the tip; undefined where there is no chain yet
 */
export async function scanBalances(
  readChain: ReadChain,
  visit: (key: string, balance: bigint, coins: number) => void,
  giveWay: () => Promise<void>,
): Promise<BlockRecord | undefined> {
  const found = await readChain(
    async (view) => {
      if (view.tip === undefined) return undefined;
      const runs = await listRuns(view.reader);
      if (runs.every(({ file }) => file !== undefined)) return { tip: view.tip, files: runs };
      // Rows of merged runs are deleted: only this snapshot has all of these.
      await visitBalances(view.reader, runs, visit, giveWay);
      return { tip: view.tip, files: [] };
    },
    { isLarge: true },
  );
  if (found === undefined) return undefined;
  try {
    // Files that are open stay whole whatever becomes of their names, so no snapshot has to wait.
    if (found.files.length > 0) await visitBalances(undefined, found.files, visit, giveWay);
  } finally {
    for (const { file } of found.files) file?.close();
  }
  return found.tip;
}

async function visitBalances(
  reader: Reader | undefined,
  runs: readonly Run[],
  visit: (key: string, balance: bigint, coins: number) => void,
  giveWay: () => Promise<void>,
): Promise<void> {
  const balances = openSums(reader, runs, historyRuns, 0n, addHistory, giveWay);
  const coins = openSums(reader, runs, coinRuns, 0, addCoin, giveWay);
  for (;;) {
    const script = balances.peek() ?? (await balances.fill());
    if (script === undefined) return;
    let unspent = coins.peek() ?? (await coins.fill());
    while (unspent !== undefined && unspent.key < script.key) {
      coins.skip();
      unspent = coins.peek() ?? (await coins.fill());
    }
    if (unspent?.key === script.key && unspent.sum > 0 && script.sum > 0n)
      visit(script.key, script.sum, unspent.sum);
    balances.skip();
  }
}

function addHistory(sum: bigint, data: Uint8Array, at: number): bigint {
  const value = readValue(data, at + HISTORY_VALUE_AT);
  return (data[at + HISTORY_KIND_AT]! & SPENDING) !== 0 ? sum - value : sum + value;
}

function addCoin(sum: number, data: Uint8Array, at: number): number {
  return data[at + COIN_SIGN_AT] === 0 ? sum + 1 : sum - 1;
}

type KeySum<T> = { key: string; sum: T };

/** The sums of each script in the order of their keys. */
type Sums<T> = {
  /** The next one, where it is read already. */
  peek(): KeySum<T> | undefined;
  skip(): void;
  /** Reads on; undefined at the end. */
  fill(): Promise<KeySum<T> | undefined>;
};

function openSums<T>(
  reader: Reader | undefined,
  runs: readonly Run[],
  kind: RunKind,
  zero: T,
  add: (sum: T, data: Uint8Array, at: number) => T,
  giveWay: () => Promise<void>,
): Sums<T> {
  const streams: EntryStreams = openEntryStreams(
    reader,
    runs.filter((run) => run.entries[kind.code]! > 0),
    kind,
  );
  const key = Buffer.alloc(SCRIPT_KEY_BYTES);
  let sum = zero;
  let isOpen = false;
  let hasEnded = false;
  let ready: KeySum<T>[] = [];
  let at = 0;
  const finish = (): void => {
    if (isOpen) ready.push({ key: key.toString('latin1'), sum });
    isOpen = false;
  };
  const builder = {
    add(data: Uint8Array, from: number): void {
      if (!isOpen || compareBytes(data, from, key, 0, SCRIPT_KEY_BYTES) !== 0) {
        finish();
        key.set(data.subarray(from, from + SCRIPT_KEY_BYTES));
        sum = zero;
        isOpen = true;
      }
      sum = add(sum, data, from);
    },
  };
  return {
    peek: () => ready[at],
    skip() {
      at += 1;
    },
    async fill() {
      ready = [];
      at = 0;
      while (ready.length === 0 && !hasEnded) {
        await giveWay();
        await streams.readPages();
        if (streams.haveEnded) {
          finish();
          hasEnded = true;
        } else streams.takeInOrder(builder, ENTRIES_AT_ONCE);
      }
      return ready[0];
    },
  };
}
