/** The operator's commands that keep the precious data: backups, putting one back, and what has to be done then. */

import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { makeBackup, type PreciousPlace } from '../backup/make-backup.ts';
import type { Manifest } from '../backup/manifest.ts';
import { checkBackup, type Restored, restoreBackup } from '../backup/restore-backup.ts';
import type { Precious } from '../db/precious.ts';
import { type Retired, retireLeasable } from '../parts/payments/pool/retire-leasable.ts';

/** Commands that open the precious data by themselves. */
export type BackupCommand =
  | { kind: 'backup'; within: string; keep: number | undefined }
  | { kind: 'restore'; folder: string; replace: boolean; isCheck: boolean; leased: LeasedSince };

/** What was leased after the backup: nothing, or at most so many addresses of each merchant (undefined: any number). */
export type LeasedSince = 'nothing' | { atMost: number | undefined };

export type RetireCommand = { kind: 'retire-leased-since'; sinceMs: number; atMost: number | undefined };

type Outcome = Result<{ lines: readonly string[]; json: object }>;

/** Runs a command; a reason says in one line why it could not be done. */
export async function runBackupCommand(
  place: PreciousPlace,
  command: BackupCommand,
  now: () => number,
): Promise<Outcome> {
  if (command.kind === 'backup') {
    const { folder, manifest, removed } = await makeBackup(place, command.within, command.keep, now);
    return ok({
      lines: [
        `Backup   ${folder}`,
        ...describeBackup(manifest),
        ...removed.map((each) => `Removed  ${each}`),
        'Webhook secrets and the key of the registry are in it: keep it as safe as the service.',
      ],
      json: { folder, ...manifest, removed },
    });
  }
  const { folder, replace, isCheck, leased } = command;
  if (isCheck) {
    const checked = await checkBackup(place, folder);
    if (!checked.ok) return checked;
    const lines = ['The backup is whole and can be restored here.', ...describeBackup(checked.value)];
    return ok({ lines, json: { restorable: true, ...checked.value } });
  }
  const finish = (precious: Precious): Promise<Retired | undefined> =>
    leased === 'nothing'
      ? Promise.resolve(undefined)
      : // All that the copy has: no clock says better what was in it.
        retireLeasable(precious, { sinceMs: Number.MAX_SAFE_INTEGER, atMost: leased.atMost }, now());
  const restored = await restoreBackup(place, folder, { replace, now, finish });
  return restored.ok ? describeRestored(restored.value) : restored;
}

function describeBackup({ taken_at, coin, engine, rows, files }: Manifest): string[] {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    `Taken    ${taken_at}, of ${coin} on ${engine}`,
    `Holds    ${rows.merchant} merchants, ${rows.payment} payments, ${rows.event} events, ${rows.pool_address} pool addresses`,
    `Files    ${files.map(({ name }) => name).join(', ')} (${bytes} bytes)`,
  ];
}

function describeRestored({
  manifest,
  databaseBefore,
  keyBefore,
  finished,
}: Restored<Retired | undefined>): Outcome {
  const lines = [
    `Restored ${manifest.taken_at}`,
    ...describeBackup(manifest).slice(1),
    ...(databaseBefore === undefined ? [] : [`Before   ${databaseBefore}: remove it when you are sure`]),
    ...(keyBefore === undefined ? [] : [`Key      the one before is ${keyBefore}`]),
    ...(finished === undefined
      ? ['No address was retired: you said that none was leased since the backup was made.']
      : describeRetired(finished)),
    'Start the service. Read "After a restore" in docs/operations.md: merchants have to know what was lost.',
  ];
  return ok({
    lines,
    json: {
      restored: manifest,
      database_before: databaseBefore ?? null,
      key_before: keyBefore ?? null,
      retired: finished?.merchants ?? null,
    },
  });
}

function describeRetired({ merchants }: Retired): string[] {
  if (merchants.length === 0) return ['No address was in a pool that may have been leased since.'];
  return merchants.map(
    ({ id, name, retired, ready }) => `Retired  ${retired} addresses of ${id} (${name}); ${ready} are ready`,
  );
}

/** Retires addresses in the database that the service runs on. */
export async function runRetireCommand(
  precious: Precious,
  { sinceMs, atMost }: RetireCommand,
  nowMs: number,
): Promise<Outcome> {
  if (sinceMs > nowMs) return fail('The time is in the future; give the one at which the copy was made.');
  const retired = await retireLeasable(precious, { sinceMs, atMost }, nowMs);
  const { merchants, leasedSince } = retired;
  const doubtful =
    leasedSince.length === 0
      ? []
      : [
          `${leasedSince.length} payments leased an address after that time. If the service has run since the copy was put back, each of`,
          'these addresses may belong to an earlier payment, too; have their merchants ask the buyers:',
          ...leasedSince.map(({ payment_id, address }) => `  ${payment_id} ${address}`),
        ];
  return ok({
    lines: [...describeRetired(retired), ...doubtful],
    json: { retired: merchants, leased_since: leasedSince },
  });
}
