/** What the operator says of gifts and spends; entries of it are written by who follows the chain. */

import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import type { Precious } from '../db/precious.ts';
import { insertAssignment, withdrawAssignment } from '../parts/treasury/assignments/assignment-store.ts';
import { putNote } from '../parts/treasury/assignments/note-store.ts';
import { findContributor } from '../parts/treasury/contributors/contributor-store.ts';
import { findCoin } from '../parts/treasury/ledger/coin-store.ts';
import { findSpend } from '../parts/treasury/ledger/ledger-store.ts';
import type { AssignmentTable, TreasuryTables } from '../parts/treasury/schema/treasury-tables.ts';

export type SayingCommand =
  | { kind: 'gift-assign'; txid: string; vout: number; contributorId: string }
  | { kind: 'gift-unassign'; txid: string; vout: number }
  | { kind: 'spend-note'; txid: string; purpose: string; payee: string };

type Outcome = Result<{ lines: readonly string[]; json: object }>;

const FOLLOWS = 'A worker of the service adds the entry.';

/** Runs a command; a reason says why it could not be done. */
export async function runSayingCommand(
  { precious, now }: { precious: Precious; now: () => number },
  command: SayingCommand,
): Promise<Outcome> {
  const db = precious.query<TreasuryTables>();
  if (command.kind === 'spend-note') {
    const { txid, purpose, payee } = command;
    if ((await findSpend(db, txid)) === undefined) return fail(`${txid} spends nothing of the treasury.`);
    await putNote(db, { txid, purpose, payee, made_at: now() });
    return ok({ lines: [`${txid}: ${purpose}, to ${payee}. ${FOLLOWS}`], json: { txid, purpose, payee } });
  }
  const { txid, vout } = command;
  if (command.kind === 'gift-unassign') {
    if (!(await withdrawAssignment(db, { txid, vout })))
      return fail(`Nobody has claimed ${txid}:${vout}, and it was not assigned.`);
    return ok({ lines: [`${txid}:${vout} is nobody's again. ${FOLLOWS}`], json: { txid, vout } });
  }
  const { contributorId } = command;
  if ((await findContributor(db, contributorId)) === undefined)
    return fail(
      `There is no contributor ${JSON.stringify(contributorId)}; "treasury contributors" names them.`,
    );
  const coin = await findCoin(db, txid, vout);
  if (coin?.kind !== 'unattributed') return fail(`${txid}:${vout} is no unattributed gift of the ledger.`);
  const row = { txid, vout, contributor_id: contributorId, assigned_by: 'operator' as const };
  const held = await precious.transaction<TreasuryTables, AssignmentTable>((trx) =>
    insertAssignment(trx, { ...row, address: null, signature: null, made_at: now() }),
  );
  if (held.contributor_id !== contributorId)
    return fail(`${txid}:${vout} is of ${held.contributor_id} already.`);
  return ok({ lines: [`${txid}:${vout} is of ${contributorId}. ${FOLLOWS}`], json: row });
}
