import { execFile } from 'node:child_process';
import { getValue } from '@coinfront/protocol/result.ts';
import { keepCompiled } from '../../scripts/keep-compiled.ts';
import { type PreciousCommand, runCommand } from '../../service/src/admin/commands.ts';
import { parseCommand } from '../../service/src/admin/parse-command.ts';
import { readAdminConfig } from '../../service/src/config.ts';
import { createAllowList } from '../../service/src/outbound/allow-list.ts';
import { checkOutboundUrl } from '../../service/src/outbound/check-url.ts';
import type { DatabaseLocation } from './engines.ts';
import { openBeside } from './precious-rows.ts';
import { describeDatabase, type ServiceAnswer, type TestService } from './service.ts';
import { findProgram } from './service-program.ts';

/** What the operator's command printed, and how it ended. */
export type AdminOutcome = { code: number; stdout: string; stderr: string };

/** Runs the operator's command as its own process, with the settings of this database only. */
export function runAdmin(
  database: DatabaseLocation,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<AdminOutcome> {
  const env = { NODE_ENV: 'production', ...describeDatabase(database), ...settings };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...keepCompiled, findProgram('admin'), ...args],
      { env },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
      },
    );
  });
}

let lastRun: Promise<unknown> = Promise.resolve();

/** Runs a command on precious data in this process, and gives what it prints. */
async function runHere(
  database: DatabaseLocation,
  command: PreciousCommand,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const config = readAdminConfig({ ...describeDatabase(database), ...settings });
  if (!config.ok) throw new Error(config.problems.join('\n'));
  const allow = createAllowList(config.value.webhookAllow);
  const precious = await openBeside(database);
  try {
    const checkWebhookUrl = (url: string) => checkOutboundUrl(url, allow);
    return getValue(await runCommand({ precious, checkWebhookUrl, now: Date.now }, command));
  } finally {
    await precious.close();
  }
}

/** A merchant with its key, speaking to a service. */
export type TestMerchant = {
  readonly id: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
  get(path: string): Promise<ServiceAnswer>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<ServiceAnswer>;
  patch(path: string, body: unknown): Promise<ServiceAnswer>;
  delete(path: string): Promise<ServiceAnswer>;
};

/**
 * Makes a merchant by the operator's command, which is run here: a process for each merchant took more than what the suites did
 * with it. `args` are more options of `merchant create`.
 */
export async function createTestMerchant(
  service: TestService,
  database: DatabaseLocation,
  args: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<TestMerchant> {
  const command = parseCommand(['merchant', 'create', '--name', 'Test shop', '--json', ...args]);
  // One after another: two that have one SQLite file open in this thread would wait for each other.
  const running = lastRun.then(() => runHere(database, getValue(command) as PreciousCommand, settings));
  lastRun = running.catch(() => {});
  const made = JSON.parse(await running);
  const key = { 'x-coin-pay-api-key': made.api_key as string };
  return {
    id: made.id,
    apiKey: made.api_key,
    webhookSecret: made.webhook_secret,
    get: (path) => service.get(path, key),
    post: (path, body, headers) => service.post(path, body, { ...key, ...headers }),
    patch: (path, body) => service.send('PATCH', path, body, key),
    delete: (path) => service.send('DELETE', path, undefined, key),
  };
}
