import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { anchorScript } from '@coinfront/protocol/proofs/anchor.ts';
import { confirmationsAt } from '../../../chain/chain-reads.ts';
import type { ReadChain } from '../../../chain/chain-view.ts';
import type { Precious } from '../../../db/precious.ts';
import { pause } from '../../../pause.ts';
import { listWatched, saveBatchState } from './batch-store.ts';
import type { CalendarBatchTable, CalendarTables } from './calendar-tables.ts';
import { sealDue } from './seal-batch.ts';

export type RunCalendarOptions = {
  precious: Precious;
  /** The least time between two trees. */
  intervalMs: number;
  /** Confirmations of a root in the best chain; 0 while it is in no block. */
  findConfirmations(root: string): Promise<number>;
  /** Sends the transaction that carries a root, or finds the one that was sent before; false when it cannot be sent now. */
  anchor(root: string): Promise<boolean>;
  now: () => number;
  /** Something failed; it is tried again. */
  onError(error: unknown): void;
};

/** A root is looked after until it is so deep: by then no reorganisation is expected, and one that comes is told of by the chain alone. */
const WATCHED_DEPTH = 100;
const BITE = 100;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Makes trees of digests, and has their roots anchored. What was fixed is in the database before anything is sent, and asking for the
 * anchor of a root again changes nothing while there is one, so it is asked for until a block has it: also when a block left the chain,
 * or when its transaction can never be mined and was given up.
 */
export function runCalendar(options: RunCalendarOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await sealDue(options.precious, { ...options, signal })
        .then(() => lookAfterAll(options, signal))
        .catch(options.onError);
      await pause(Math.min(options.intervalMs, LONGEST_PAUSE_MS), signal);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function lookAfterAll(options: RunCalendarOptions, signal: AbortSignal): Promise<void> {
  const query = options.precious.query<CalendarTables>();
  for (let after = -1; ; ) {
    const batches = await listWatched(query, after, BITE);
    for (const batch of batches) {
      if (signal.aborted) return;
      await lookAfter(options, batch);
    }
    const last = batches.at(-1);
    if (last === undefined || batches.length < BITE) return;
    after = last.id;
  }
}

async function lookAfter(
  options: RunCalendarOptions,
  { id, state, root }: CalendarBatchTable,
): Promise<void> {
  const query = options.precious.query<CalendarTables>();
  const confirmations = await options.findConfirmations(root);
  if (confirmations >= WATCHED_DEPTH) return await saveBatchState(query, id, 'settled');
  const isThere = confirmations > 0 || (await options.anchor(root));
  if (isThere && state === 'sealed') await saveBatchState(query, id, 'sent');
}

/** How deep digests are, by the index. */
export function createDepthLook(
  readChain: ReadChain,
  marker: Uint8Array,
): RunCalendarOptions['findConfirmations'] {
  return (root) =>
    readChain(async (view) => {
      const first = await view.findFirstOutput(anchorScript(getHexBytes(root), marker));
      return first === undefined || view.tip === undefined ? 0 : confirmationsAt(first.height, view.tip);
    });
}
