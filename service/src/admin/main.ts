/** `npm run admin -- …`: the operator's commands. They need the database only; the service may run meanwhile. */

import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { readAdminConfig } from '../config.ts';
import { openPrecious } from '../db/precious.ts';
import { loadProfile } from '../load-profile.ts';
import { preciousMigrations } from '../migrations.ts';
import { createAllowList } from '../outbound/allow-list.ts';
import { checkOutboundUrl } from '../outbound/check-url.ts';
import { locateIndex, locatePrecious } from '../wiring/locate-index.ts';
import { runCommand } from './commands.ts';
import { parseCommand } from './parse-command.ts';
import { usage } from './usage.ts';

/** Exit codes: done; not done, for a reason that is told; not understood. */
const [DONE, FAILED, MISUSED] = [0, 1, 2];

type Verified = { isSound: boolean; lines: readonly string[]; json: object };

process.exitCode = await main(process.argv.slice(2));

/** Only where somebody looks on. */
function showProgress(height: number): void {
  if (process.stderr.isTTY && height % 1_000 === 0) process.stderr.write(`\rblock ${height}\r`);
}

/** Resolves once there is room for more, so that a long export is never kept whole. */
function writeOut(text: string): Promise<void> {
  return new Promise((resolve, reject) =>
    process.stdout.write(text, (error) => (error ? reject(error) : resolve())),
  );
}

/** Prints what was done, or why it was not. */
function tell(outcome: Result<{ lines: readonly string[]; json: object }>, json: boolean): number {
  if (!outcome.ok) console.error(outcome.reason);
  else console.log(json ? JSON.stringify(outcome.value.json) : outcome.value.lines.join('\n'));
  return outcome.ok ? DONE : FAILED;
}

function loadNamedProfile(coin: string | undefined): Result<CoinProfile> {
  return coin === undefined
    ? fail('COINFRONT_COIN is not set; give the profile that the service runs with.')
    : loadProfile(coin);
}

/** Prints what was verified; a fault is output, and a code. */
function print(verified: Result<Verified>, json: boolean): number {
  const told = tell(verified, json);
  return verified.ok && !verified.value.isSound ? FAILED : told;
}

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    console.log(usage);
    return args.length === 0 ? MISUSED : DONE;
  }
  const command = parseCommand(args);
  if (!command.ok) {
    console.error(`${command.reason}\n\n${usage}`);
    return MISUSED;
  }
  if (command.value.kind === 'doctor') {
    const { runDoctorCommand } = await import('./doctor-command.ts');
    return print(ok(await runDoctorCommand()), command.value.json);
  }
  if (command.value.kind === 'build-index') {
    const { buildIndex } = await import('./build-index.ts');
    return tell(await buildIndex(({ height }) => showProgress(height)), command.value.json);
  }
  const settings = readAdminConfig();
  if (!settings.ok) {
    for (const problem of settings.problems) console.error(problem);
    return MISUSED;
  }
  const { dataDir, webhookAllow, coin, registryKeyFile: keyFile } = settings.value;
  const { json } = command.value;
  const [index, front] = [locateIndex(settings.value), locatePrecious(settings.value)];
  try {
    if (command.value.kind === 'verify-index') {
      const { verifyIndex } = await import('./verify-index.ts');
      return print(await verifyIndex(index, coin, showProgress), json);
    }
    if (command.value.kind === 'backup' || command.value.kind === 'restore') {
      const { runBackupCommand } = await import('./backup-commands.ts');
      const { serviceKeyFile } = await import('../signing/service-key.ts');
      const profile = loadNamedProfile(coin);
      if (!profile.ok) return tell(profile, json);
      const place = { database: front, keyFile: serviceKeyFile(dataDir, keyFile), profile: profile.value };
      return tell(await runBackupCommand(place, command.value, Date.now), json);
    }
    const precious = await openPrecious(front, preciousMigrations);
    try {
      if (command.value.kind === 'treasury-export' || command.value.kind === 'treasury-reconcile') {
        const { runLedgerCommand } = await import('./treasury-commands.ts');
        const { serviceKeyFile } = await import('../signing/service-key.ts');
        const place = { precious, index, coin, keyFile: serviceKeyFile(dataDir, keyFile) };
        const ran = await runLedgerCommand(place, command.value, writeOut);
        if (!ran.ok) console.error(ran.reason);
        return ran.ok && ran.value.isSound ? DONE : FAILED;
      }
      if (command.value.kind === 'registry-verify') {
        const { head } = command.value;
        const { verifyRegistryLog } = await import('./registry-commands.ts');
        const { serviceKeyFile } = await import('../signing/service-key.ts');
        const file = serviceKeyFile(dataDir, keyFile);
        return print(await verifyRegistryLog(precious, { keyFile: file, coin, head }), json);
      }
      const allow = createAllowList(webhookAllow);
      const checkWebhookUrl = (url: string) => checkOutboundUrl(url, allow);
      const outcome = await runCommand({ precious, checkWebhookUrl, now: Date.now }, command.value);
      if (outcome.ok) console.log(outcome.value);
      else console.error(outcome.reason);
      return outcome.ok ? DONE : FAILED;
    } finally {
      await precious.close();
    }
  } catch (error) {
    console.error((error as Error).message);
    return FAILED;
  }
}
