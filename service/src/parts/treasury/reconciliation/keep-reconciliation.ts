/** Reconciles once for each state of ledger and chain, however often it is asked. */

import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { findCursor } from '../ledger/ledger-store.ts';
import type { TreasuryTables } from '../schema/treasury-tables.ts';
import { reconcile } from './reconcile.ts';

type Outcome = Awaited<ReturnType<typeof reconcile>>;
export type Reconcile = () => Promise<Outcome>;

/** What somebody does to the rows without moving the cursor is told of after this at the latest. */
const KEPT_MS = 30_000;

/** The reconciliation of one process. What could not be compared is tried again each time. */
export function keepReconciliation(
  context: Parameters<typeof reconcile>[0],
  now: () => number = Date.now,
): Reconcile {
  const { precious, readChain } = context;
  let kept: { state: string; atMs: number; outcome: Promise<Outcome> } | undefined;

  const nameState = async (): Promise<string> => {
    const cursor = await findCursor(precious.query<TreasuryTables>());
    const tip = await readChain(async (view) => view.tip && bytesToHex(view.tip.hash));
    return `${cursor?.version} ${tip}`;
  };

  const begin = (state: string): Promise<Outcome> => {
    const outcome = reconcile(context);
    kept = { state, atMs: now(), outcome };
    const forget = () => {
      if (kept?.outcome === outcome) kept = undefined;
    };
    outcome.then(({ reconciliation }) => reconciliation ?? forget(), forget);
    return outcome;
  };

  return async () => {
    const state = await nameState();
    if (kept?.state === state && now() - kept.atMs < KEPT_MS) return await kept.outcome;
    return await begin(state);
  };
}
