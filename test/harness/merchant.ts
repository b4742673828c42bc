import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { keepCompiled } from '../../scripts/keep-compiled.ts';
import type { DatabaseLocation } from './engines.ts';
import { describeDatabase, type ServiceAnswer, type TestService } from './service.ts';

const ADMIN = join(import.meta.dirname, '..', '..', 'service', 'src', 'admin', 'main.ts');

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
    execFile(process.execPath, [...keepCompiled, ADMIN, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });
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

/** Makes a merchant by the operator's command; `args` are more options of `merchant create`. */
export async function createTestMerchant(
  service: TestService,
  database: DatabaseLocation,
  args: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<TestMerchant> {
  const command = ['merchant', 'create', '--name', 'Test shop', '--json', ...args];
  const { code, stdout, stderr } = await runAdmin(database, command, settings);
  if (code !== 0) throw new Error(`merchant create ended with ${code}: ${stderr}`);
  const made = JSON.parse(stdout);
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
