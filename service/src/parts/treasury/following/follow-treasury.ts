/** Follows the chain for the treasury: the ledger is kept, and contributions are attributed, without any call. */

import { createAlarm } from '../../../alarm.ts';
import { pause } from '../../../pause.ts';
import type { TreasuryTables } from '../schema/treasury-tables.ts';
import { createIsNearEnd } from '../scripts/account-end.ts';
import { listScripts } from '../scripts/script-store.ts';
import type { TreasuryRecordContext } from '../treasury-context.ts';
import { readMempool } from './read-transactions.ts';
import { openLedgerRecorder } from './record-ledger.ts';
import { insertSightings, pruneSightings } from './sighting-store.ts';

export type TreasuryFollower = {
  /** The index has changed: looks soon instead of at the next poll. */
  wake(): void;
  stop(): Promise<void>;
};

export type TreasuryFollowerOptions = {
  /** A round failed; it is tried again after a pause. */
  onError: (error: unknown) => void;
  /** The account of the treasury is near the end of the addresses that are followed; told now and again. */
  onNearEnd: () => void;
};

const POLL_MS = 250;
/** Behind a block those come first who ask for it: nobody waits for the ledger, and what it writes holds up all who read. */
const QUIET_MS = 50;
const RETRY_MS = 2_000;
const PRUNE_EVERY_MS = 3_600_000;
/** Longer than any intent is open, its grace included. */
const KEPT_SIGHTING_MS = 90 * 86_400_000;
/** The newest transactions of the mempool that are looked at. */
const MOST_PENDING = 2_000;

/** Starts following. Any number of processes may; what one has written the others find written. */
export function startTreasuryFollower(
  context: TreasuryRecordContext,
  { onError, onNearEnd }: TreasuryFollowerOptions,
): TreasuryFollower {
  const { precious, readChain, profile, treasury } = context;
  const isNearEnd = createIsNearEnd(profile, treasury);
  const stopping = new AbortController();
  const { signal } = stopping;
  const alarm = createAlarm(signal);
  const recorder = openLedgerRecorder(context);
  let waking: NodeJS.Timeout | undefined;
  let mempoolVersion: number | undefined;
  let pending = new Set<string>();

  /** Remembers when transactions of the mempool were seen first, before a block may tell of them. */
  const takeSightings = async (): Promise<void> => {
    const seen = await readChain(async (view) =>
      view.mempool.version === mempoolVersion
        ? undefined
        : {
            version: view.mempool.version,
            ...(await readMempool(view, treasury, {
              most: MOST_PENDING,
              isKnown: (txid) => pending.has(txid),
            })),
          },
    );
    if (seen === undefined) return;
    if (seen.fresh.length > 0) {
      const rows = seen.fresh.map(({ txid, firstSeenMs, inputs }) => ({
        txid,
        first_seen_at: firstSeenMs,
        first_version: null,
        inputs: inputs.join(),
      }));
      await precious.transaction<TreasuryTables, void>((trx) => insertSightings(trx, rows));
    }
    pending = new Set(seen.txids);
    mempoolVersion = seen.version;
  };

  let prunedAtMs = 0;
  const lookAfter = async (): Promise<void> => {
    const nowMs = context.now();
    if (nowMs - prunedAtMs < PRUNE_EVERY_MS) return;
    if (isNearEnd(await listScripts(precious.query<TreasuryTables>()))) onNearEnd();
    await precious.transaction<TreasuryTables, void>((trx) => pruneSightings(trx, nowMs - KEPT_SIGHTING_MS));
    prunedAtMs = nowMs;
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await lookAfter();
        await takeSightings();
        while (!signal.aborted && (await recorder.step()));
        await alarm.wait(POLL_MS);
      } catch (error) {
        onError(error);
        await pause(RETRY_MS, signal);
      }
    }
  };

  const ended = run();
  return {
    wake() {
      waking ??= setTimeout(() => {
        waking = undefined;
        alarm.ring();
      }, QUIET_MS).unref();
    },
    async stop() {
      clearTimeout(waking);
      stopping.abort();
      await ended;
    },
  };
}
