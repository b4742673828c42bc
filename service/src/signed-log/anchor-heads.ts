/** Has the newest checkpoint of a log anchored in the chain. A checkpoint stands for all before it, so no other has to be. */

import { digestOfHead } from '@coinfront/protocol/signed-log/checkpoint.ts';
import type { Precious } from '../db/precious.ts';
import { pause } from '../pause.ts';
import { insertAnchor } from './anchor-store.ts';
import { findHead } from './log-store.ts';
import type { SignedLogTables } from './log-tables.ts';

export type AnchorHeadsOptions = {
  precious: Precious;
  /** The log; undefined while there is none. */
  findOrigin(): Promise<string | undefined>;
  /**
   * Sends the transaction that carries a digest (hex), or finds the one that was sent before; what was sent is sent again until it is
   * deep in the chain. False when it cannot be sent now.
   */
  anchor(digest: string): Promise<boolean>;
  now: () => number;
  everyMs: number;
  /** Something failed; it is tried again. */
  onError(error: unknown): void;
};

/** Starts it. */
export function startAnchoring(options: AnchorHeadsOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await anchorHead(options).catch(options.onError);
      await pause(options.everyMs, stopping.signal);
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

/** One round: what was asked for before costs a look. */
async function anchorHead({ precious, findOrigin, anchor, now }: AnchorHeadsOptions): Promise<void> {
  const origin = await findOrigin();
  const head = origin === undefined ? undefined : await findHead(precious.query<SignedLogTables>(), origin);
  if (origin === undefined || head === undefined) return;
  const digest = digestOfHead(head);
  if (!(await anchor(digest))) return;
  await insertAnchor(precious.query<SignedLogTables>(), { origin, size: head.size, digest }, now());
}
