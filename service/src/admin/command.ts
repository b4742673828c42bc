/** What a command is, and how the arguments of one are read. */

import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { parseWhole } from '../config-values.ts';
import type { AddressCommand } from './address-commands.ts';
import type { BackupCommand, RetireCommand } from './backup-commands.ts';
import type { RegistryCommand } from './registry-commands.ts';
import type { TokenCommand } from './token-commands.ts';
import type { ContributorCommand, LedgerCommand } from './treasury-commands.ts';
import type { SayingCommand } from './treasury-sayings.ts';

/** A command that was understood. `json`: the answer is for a program. */
export type Command = { json: boolean } & (
  | { kind: 'create'; name: string; webhookUrl: string | null; poolLowThreshold: number }
  | { kind: 'list' }
  | { kind: 'rotate-key' | 'rotate-secret'; merchantId: string; overlapMs: number }
  | { kind: 'disable' | 'enable'; merchantId: string }
  | { kind: 'purge-deliveries'; olderThanMs: number; withUndelivered: boolean }
  | AddressCommand
  | TokenCommand
  | ContributorCommand
  | LedgerCommand
  | SayingCommand
  | { kind: 'verify-index' }
  | { kind: 'doctor' }
  | { kind: 'build-index' }
  | RegistryCommand
  | { kind: 'registry-verify'; head: string | null }
  | BackupCommand
  | RetireCommand
);

/** All options that commands have. */
export const options = {
  json: { type: 'boolean' },
  name: { type: 'string' },
  'webhook-url': { type: 'string' },
  'pool-low': { type: 'string' },
  'overlap-hours': { type: 'string' },
  'older-than-days': { type: 'string' },
  undelivered: { type: 'boolean' },
  logo: { type: 'string' },
  reason: { type: 'string' },
  format: { type: 'string' },
  private: { type: 'boolean' },
  head: { type: 'string' },
  key: { type: 'string' },
  to: { type: 'string' },
  keep: { type: 'string' },
  replace: { type: 'boolean' },
  check: { type: 'boolean' },
  'leased-since': { type: 'string' },
  'nothing-leased-since': { type: 'boolean' },
  'at-most': { type: 'string' },
  purpose: { type: 'string' },
  payee: { type: 'string' },
} as const;

/** Those that were given. */
export type Values = { [name in keyof typeof options]?: string | boolean };

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** A command that was understood, but for `--json`, which all have. */
export type Understood = DistributiveOmit<Command, 'json'>;

/** How one command is read. */
export type Form = {
  /** What it is done to, as a reason says it; undefined when it takes nothing. */
  subject: string | undefined;
  options: readonly string[];
  parse(values: Values, subject: string): Result<Understood>;
};

/** Commands by their words. */
export type Forms = Readonly<Record<string, Form>>;

/** A whole number of an option, within bounds; undefined where it was not given. */
export function parseBounded(
  name: string,
  given: string | boolean | undefined,
  { min, max }: { min: number; max: number },
): Result<number | undefined> {
  if (given === undefined) return ok(undefined);
  const value = parseWhole(String(given), min, max);
  return typeof value === 'string' ? fail(`--${name}: ${value}`) : ok(value);
}
