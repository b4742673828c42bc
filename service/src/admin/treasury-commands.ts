/** What the operator's commands do with the treasury. */

import type { CoinProfile, TreasuryProfile } from '@coinfront/protocol/profile.ts';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { createReadChain } from '../chain/read-chain.ts';
import type { DatabaseLocation } from '../db/database.ts';
import { openDatabase } from '../db/open.ts';
import type { Precious } from '../db/precious.ts';
import { loadProfile } from '../load-profile.ts';
import {
  banNickname,
  findContributor,
  listContributors,
  listDisplays,
  updateContributor,
} from '../parts/treasury/contributors/contributor-store.ts';
import { displayOf } from '../parts/treasury/contributors/serialise-contributor.ts';
import {
  type ExportFormat,
  writeExportHead,
  writeExportLine,
} from '../parts/treasury/ledger/export-ledger.ts';
import { findCursor, listEntriesAbove } from '../parts/treasury/ledger/ledger-store.ts';
import { serialiseEntry } from '../parts/treasury/ledger/serialise-entry.ts';
import type { ContributorTable, TreasuryTables } from '../parts/treasury/schema/treasury-tables.ts';
import { writeTime } from '../parts/treasury/write-time.ts';
import { findServicePublicKey } from '../signing/service-key.ts';
import { runReconcile } from './treasury-reconcile.ts';

/** A command about contributors. */
export type ContributorCommand =
  | { kind: 'contributor-list' }
  | { kind: 'contributor-hide' | 'contributor-show' | 'nickname-ban'; id: string };

/** A command about the ledger; it needs the coin's profile, and for the comparison the index. */
export type LedgerCommand =
  | { kind: 'treasury-export'; format: ExportFormat; isPrivate: boolean }
  | { kind: 'treasury-reconcile'; head: string | undefined; keys?: readonly string[] | undefined };

type Outcome = Result<{ lines: readonly string[]; json: object }>;
type Context = { precious: Precious; now: () => number };

const PAGE = 500;

/** Runs a command about contributors; a reason says why it could not be done. */
export async function runContributorCommand(
  { precious, now }: Context,
  command: ContributorCommand,
): Promise<Outcome> {
  const db = precious.query<TreasuryTables>();
  if (command.kind === 'contributor-list') {
    const rows: ContributorTable[] = [];
    for (let page = await listContributors(db, '', PAGE); page.length > 0; ) {
      rows.push(...page);
      page = await listContributors(db, page.at(-1)!.id, PAGE);
    }
    return list(rows);
  }
  const { id, kind } = command;
  const row = await findContributor(db, id);
  if (row === undefined) {
    return fail(`There is no contributor ${JSON.stringify(id)}; "treasury contributors" names them.`);
  }
  if (kind === 'nickname-ban') {
    const { nickname } = row;
    if (nickname === null) return fail(`${id} has no nickname.`);
    await banNickname(precious, { id, nickname }, now());
    return ok({
      lines: [`${id} has no nickname any more; nobody can have ${JSON.stringify(nickname)}.`],
      json: { id, nickname: null, banned: nickname },
    });
  }
  const isHidden = kind === 'contributor-hide';
  await updateContributor(precious, id, { hidden_at: isHidden ? now() : null }, now());
  const line = isHidden ? `${id} is shown as Anonymous.` : `${id} is shown as it chose.`;
  return ok({ lines: [line], json: { id, hidden: isHidden } });
}

function list(rows: readonly ContributorTable[]): Outcome {
  const items = rows.map(({ id, nickname, is_public, hidden_at, created_at }) => ({
    id,
    nickname,
    public_display: is_public === 1,
    hidden: hidden_at !== null,
    created_at: writeTime(created_at),
  }));
  const lines = items.map(({ id, nickname, public_display, hidden, created_at }) => {
    const marks = [public_display ? '' : 'not public', hidden ? 'hidden' : ''].filter(Boolean).join(', ');
    return `${id}  ${created_at}  ${JSON.stringify(nickname)}${marks === '' ? '' : `  (${marks})`}`;
  });
  return ok({ lines: lines.length > 0 ? lines : ['There is no contributor yet.'], json: { items } });
}

type LedgerContext = {
  precious: Precious;
  index: DatabaseLocation;
  coin: string | undefined;
  /** Where the service's key is. */
  keyFile: string;
};

/** Runs a command about the ledger; `isSound` is false when ledger and chain differ. */
export async function runLedgerCommand(
  { precious, index, coin, keyFile }: LedgerContext,
  command: LedgerCommand & { json: boolean },
  write: (text: string) => Promise<void>,
): Promise<Result<{ isSound: boolean }>> {
  if (coin === undefined)
    return fail('COINFRONT_COIN is not set; give the profile that the service runs with.');
  const loaded = loadProfile(coin);
  if (!loaded.ok) return loaded;
  const { treasury } = loaded.value;
  if (treasury === undefined) return fail('The coin profile names no treasury.');
  if (command.kind === 'treasury-export') {
    await exportLedger(precious, { profile: loaded.value, treasury }, command, write);
    return ok({ isSound: true });
  }
  const database = await openDatabase(index);
  try {
    const context = { precious, readChain: createReadChain(database), profile: loaded.value, treasury };
    const own = findServicePublicKey(keyFile);
    const serviceKeys = command.keys ?? (own === undefined ? undefined : [own]);
    return await runReconcile(context, { serviceKeys, head: command.head }, command.json, write);
  } finally {
    await database.close();
  }
}

async function exportLedger(
  precious: Precious,
  { profile, treasury }: { profile: CoinProfile; treasury: TreasuryProfile },
  { format, isPrivate }: Extract<LedgerCommand, { kind: 'treasury-export' }>,
  write: (text: string) => Promise<void>,
): Promise<void> {
  const db = precious.query<TreasuryTables>();
  const tipHeight = (await findCursor(db))?.height ?? 0;
  await write(writeExportHead(format));
  for (let above = 0; ; ) {
    const rows = await listEntriesAbove(db, above, PAGE);
    const displays = await listDisplays(
      db,
      rows.flatMap(({ contributor_id }) => contributor_id ?? []),
    );
    const lines = rows.map((row) => {
      const known = row.contributor_id === null ? undefined : displays.get(row.contributor_id);
      const shown =
        isPrivate && known ? { id: known.id, name: known.nickname ?? known.id } : displayOf(known);
      const entry = serialiseEntry(row, {
        tipHeight,
        confirmations: treasury.confirmations,
        decimals: profile.decimals,
        display: row.contributor_id === null ? null : shown,
      });
      return writeExportLine(
        isPrivate ? { ...entry, intent_id: row.intent_id, salt: row.salt } : entry,
        format,
      );
    });
    await write(lines.join(''));
    if (rows.length < PAGE) return;
    above = rows.at(-1)!.sequence;
  }
}
