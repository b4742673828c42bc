/** What the operator typed, as a command. */

import { parseArgs } from 'node:util';
import { merchantLimits } from '@coinfront/api/merchants.ts';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { parseWhole } from '../config-values.ts';
import { findNameFault } from '../parts/payments/merchants/merchant-name.ts';
import type { AddressCommand } from './address-commands.ts';
import type { BackupCommand, RetireCommand } from './backup-commands.ts';
import type { RegistryCommand } from './registry-commands.ts';
import type { TokenCommand } from './token-commands.ts';
import type { ContributorCommand, LedgerCommand } from './treasury-commands.ts';

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
  | { kind: 'verify-index' }
  | { kind: 'doctor' }
  | { kind: 'build-index' }
  | RegistryCommand
  | { kind: 'registry-verify'; head: string | null }
  | BackupCommand
  | RetireCommand
);

/** Bounds of what can be given. */
const limits = {
  reasonLength: 500,
  poolLow: { default: 10, max: merchantLimits.lowThreshold },
  overlapHours: { default: 24, max: 720 },
  purgeDays: { min: 1, max: 36_500 },
  keep: { min: 1, max: 10_000 },
  atMost: { min: 1, max: 10_000_000 },
};
const HOUR_MS = 3_600_000;

export const usage = `Usage: coinfront admin <command> [--json], or npm run admin -- <command> in the repository

  merchant create --name <name> [--webhook-url <url>] [--pool-low <addresses>]
      Makes a merchant; prints its API key and webhook secret, which are not shown again.
      --webhook-url   where its events go unless a payment says otherwise
      --pool-low      the event pool.low comes when fewer addresses are ready (${limits.poolLow.default} unless given)
  merchant list
  merchant rotate-key <merchant> [--overlap-hours <hours>]
      Makes a new API key; the one before stays valid for the overlap (${limits.overlapHours.default} hours unless given).
  merchant disable <merchant>
  merchant enable <merchant>
  webhook-secret rotate <merchant> [--overlap-hours <hours>]
      Makes a new webhook secret; until the overlap ends events are signed with both. 0 hours end all earlier ones.
  addresses release <address>
  addresses move <address> --to <merchant>
      Takes an address that was never leased out of the pool that has it, for its owner to import, or into another's.
  deliveries purge --older-than-days <days> [--undelivered]
      Forgets webhooks that were delivered so long ago, with their events; never what is pending.
      --undelivered   what is dead or disabled as well, once it is older than 90 days, too
  tokens review [list]
      Descriptions of tokens that await review, the longest waiting first.
  tokens review show <submission> [--logo <file>]
      What was submitted; --logo writes the logo as it would be shown into a new file.
  tokens review approve <submission>
      Shows it with its token from now on, in the place of the one before.
  tokens review reject <submission> --reason <text>
      The reason is told to who asks for the state of the submission.
  tokens withdraw <token> --reason <text>
      Takes back what is shown of a token.
  treasury export --format csv|jsonl [--private]
      Writes the whole ledger, oldest entry first; needs COINFRONT_COIN. It shows what everybody may see; --private adds
      the contributors that do not want to be shown, and the intents.
  treasury reconcile
      Compares ledger and chain output by output at one block; needs COINFRONT_COIN. Exit code 1: they differ.
  treasury contributors [list]
  treasury contributors hide <contributor>
  treasury contributors show <contributor>
      Shows a contributor as "Anonymous", or again as it chose.
  treasury contributors ban-nickname <contributor>
      Takes its nickname away; nobody can have that one, or one that looks like it, any more.
  verify-index
      Derives proofs, names and tokens once more from the raw blocks of the index and compares; needs COINFRONT_COIN.
      The service may run meanwhile. Exit code 1: the index is not what its blocks say.
  build-index
      Builds the index that COINFRONT_INDEX names up to the node's tip, and ends; needs the settings of the service, which
      may run meanwhile on another index. For an upgrade without hours of waiting.
  registry list
      Nodes of the registry, with their uptime and last verdict.
  registry remove <node key>
      It is not looked at any more; its owner may register it again.
  registry block <node key>
  registry unblock <node key>
  registry verify [--head <hash>]
      Walks the log of receipts: hashes, signatures, Merkle roots, counts. Exit code 1: something was changed.
      --head   hash of a receipt that was seen earlier, such as /status gave it: it has to be in the log

  doctor
      Looks at node, disk, clock, proxy, databases, files and the way out for webhooks, by all settings of the service, and says
      what to do. It changes nothing. Exit code 1: something is wrong.
  backup --to <folder> [--keep <backups>]
      Makes a backup of all that nothing can make again, in a new folder of that one; needs COINFRONT_COIN. The service may
      run meanwhile.
      --keep   how many are left in the folder; the oldest are removed
  restore <backup> [--replace] [--leased-since <addresses> | --nothing-leased-since]
      Puts a backup back while no process of the service runs; needs COINFRONT_COIN. Ready addresses of pools are retired: any
      of them may have been leased since the backup was made.
      --replace   what is there is put aside; without it nothing is touched where there is anything
      --leased-since           how many of each merchant's were leased since at most: only these are retired
      --nothing-leased-since   none was: the service did not run any more when the backup was made
  restore <backup> --check
      Whether the backup is whole and could be restored here; changes nothing.
  payments retire-leased-since <time> [--at-most <addresses>]
      After an older copy of the data was put back by other means: retires the addresses that may have been leased since it
      was made. Run it before the service is started. The time is UTC: 2026-03-01T12:00:00Z.
      --at-most   how many of each merchant's were leased since at most

--json prints one JSON object for programs. The database is found by the settings of the service:
COINFRONT_DATA_DIR, or COINFRONT_DATABASE_URL. Exit codes: 0 done, 1 not done, 2 not understood.`;

const options = {
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
  to: { type: 'string' },
  keep: { type: 'string' },
  replace: { type: 'boolean' },
  check: { type: 'boolean' },
  'leased-since': { type: 'string' },
  'nothing-leased-since': { type: 'boolean' },
  'at-most': { type: 'string' },
} as const;
type Values = { [name in keyof typeof options]?: string | boolean };

/** Reads the arguments; a reason says what is wrong with them. */
export function parseCommand(args: readonly string[]): Result<Command> {
  let given: { values: Values; positionals: string[] };
  try {
    given = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    return fail((error as Error).message);
  }
  const { values, positionals } = given;
  const { named, subject, rest } = splitPositionals(positionals);
  const form = forms[named];
  if (form === undefined) return fail(`"${named}" is no command.`);
  const unknown = Object.keys(values).find((name) => name !== 'json' && !form.options.includes(name));
  if (unknown !== undefined) return fail(`"${named}" has no option --${unknown}.`);
  if (rest.length > 0 || (subject !== undefined && form.subject === undefined))
    return fail(`"${named}" got more arguments than it has.`);
  if (form.subject !== undefined && subject === undefined) return fail(`"${named}" needs ${form.subject}.`);
  const parsed = form.parse(values, subject ?? '');
  return parsed.ok ? ok({ ...parsed.value, json: values.json === true }) : parsed;
}

/** Of what there is a list, and more that is done to one of it: such commands have three words. */
const listed: readonly string[] = ['tokens review', 'treasury contributors'];

/** Commands of one word. */
const single: readonly string[] = ['backup', 'restore', 'verify-index', 'build-index', 'doctor'];

/** What is done, of three words, of two or of one; then what it is done to. */
function splitPositionals(given: readonly string[]) {
  const isListed = listed.includes(given.slice(0, 2).join(' '));
  const length = isListed ? 3 : single.includes(given[0] ?? '') ? 1 : 2;
  const words = isListed ? [...given.slice(0, 2), given[2] ?? 'list'] : given.slice(0, length);
  const [subject, ...rest] = given.slice(length);
  return { named: words.join(' '), subject, rest };
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type Form = {
  /** What it is done to, as a reason says it; undefined when it takes nothing. */
  subject: string | undefined;
  options: readonly string[];
  parse(values: Values, subject: string): Result<DistributiveOmit<Command, 'json'>>;
};

const aMerchant = 'the merchant, such as mer_…';
const anAddress = 'the address';
const aNode = 'the node key: 64 hex digits';
const aSubmission = 'the submission, such as tms_…';
const aContributor = 'the contributor, such as VC-…';

const forms: Readonly<Record<string, Form>> = {
  'merchant create': {
    subject: undefined,
    options: ['name', 'webhook-url', 'pool-low'],
    parse: parseCreate,
  },
  'merchant list': { subject: undefined, options: [], parse: () => ok({ kind: 'list' }) },
  'merchant rotate-key': {
    subject: aMerchant,
    options: ['overlap-hours'],
    parse: (values, merchantId) => parseRotation('rotate-key', values, merchantId),
  },
  'merchant disable': {
    subject: aMerchant,
    options: [],
    parse: (_, merchantId) => ok({ kind: 'disable', merchantId }),
  },
  'merchant enable': {
    subject: aMerchant,
    options: [],
    parse: (_, merchantId) => ok({ kind: 'enable', merchantId }),
  },
  'webhook-secret rotate': {
    subject: aMerchant,
    options: ['overlap-hours'],
    parse: (values, merchantId) => parseRotation('rotate-secret', values, merchantId),
  },
  'addresses release': {
    subject: anAddress,
    options: [],
    parse: (_, address) => ok({ kind: 'address-release', address, to: null }),
  },
  'addresses move': {
    subject: anAddress,
    options: ['to'],
    parse: ({ to }, address) =>
      typeof to === 'string'
        ? ok({ kind: 'address-release', address, to })
        : fail('"addresses move" needs --to <merchant>.'),
  },
  'deliveries purge': { subject: undefined, options: ['older-than-days', 'undelivered'], parse: parsePurge },
  'verify-index': { subject: undefined, options: [], parse: () => ok({ kind: 'verify-index' }) },
  'build-index': { subject: undefined, options: [], parse: () => ok({ kind: 'build-index' }) },
  doctor: { subject: undefined, options: [], parse: () => ok({ kind: 'doctor' }) },
  'treasury export': { subject: undefined, options: ['format', 'private'], parse: parseExport },
  'treasury reconcile': {
    subject: undefined,
    options: [],
    parse: () => ok({ kind: 'treasury-reconcile' }),
  },
  'treasury contributors list': {
    subject: undefined,
    options: [],
    parse: () => ok({ kind: 'contributor-list' }),
  },
  'treasury contributors hide': {
    subject: aContributor,
    options: [],
    parse: (_, id) => ok({ kind: 'contributor-hide', id }),
  },
  'treasury contributors show': {
    subject: aContributor,
    options: [],
    parse: (_, id) => ok({ kind: 'contributor-show', id }),
  },
  'treasury contributors ban-nickname': {
    subject: aContributor,
    options: [],
    parse: (_, id) => ok({ kind: 'nickname-ban', id }),
  },
  'tokens review list': { subject: undefined, options: [], parse: () => ok({ kind: 'review-list' }) },
  'tokens review show': {
    subject: aSubmission,
    options: ['logo'],
    parse: ({ logo }, id) =>
      ok({ kind: 'review-show', id, logoFile: typeof logo === 'string' ? logo : null }),
  },
  'tokens review approve': {
    subject: aSubmission,
    options: [],
    parse: (_, id) => ok({ kind: 'review-approve', id }),
  },
  'tokens review reject': {
    subject: aSubmission,
    options: ['reason'],
    parse: (values, id) => withReason(values, (reason) => ({ kind: 'review-reject', id, reason })),
  },
  'registry list': { subject: undefined, options: [], parse: () => ok({ kind: 'registry-list' }) },
  'registry remove': {
    subject: aNode,
    options: [],
    parse: (_, nodeKey) => ok({ kind: 'registry-remove', nodeKey }),
  },
  'registry block': {
    subject: aNode,
    options: [],
    parse: (_, nodeKey) => ok({ kind: 'registry-block', nodeKey }),
  },
  'registry unblock': {
    subject: aNode,
    options: [],
    parse: (_, nodeKey) => ok({ kind: 'registry-unblock', nodeKey }),
  },
  'registry verify': {
    subject: undefined,
    options: ['head'],
    parse: ({ head }) => parseHead(head),
  },
  backup: { subject: undefined, options: ['to', 'keep'], parse: parseBackup },
  restore: {
    subject: 'the folder of the backup',
    options: ['replace', 'check', 'leased-since', 'nothing-leased-since'],
    parse: parseRestore,
  },
  'payments retire-leased-since': {
    subject: 'the time at which the copy was made, such as 2026-03-01T12:00:00Z',
    options: ['at-most'],
    parse: parseRetire,
  },
  'tokens withdraw': {
    subject: 'the token: 64 hex digits',
    options: ['reason'],
    parse: (values, tokenId) => withReason(values, (reason) => ({ kind: 'withdraw', tokenId, reason })),
  },
};

function withReason<T>(values: Values, make: (reason: string) => T): Result<T> {
  const reason = String(values.reason ?? '').trim();
  if (reason === '') return fail('A --reason is needed: the issuer reads it.');
  if (reason.length > limits.reasonLength || !isPrintable(reason))
    return fail(`--reason has at most ${limits.reasonLength} printable characters.`);
  return ok(make(reason));
}

function parseExport({ format, private: isPrivate }: Values): Result<DistributiveOmit<Command, 'json'>> {
  if (format !== 'csv' && format !== 'jsonl')
    return fail('"treasury export" needs --format csv or --format jsonl.');
  return ok({ kind: 'treasury-export', format, isPrivate: isPrivate === true });
}

function parseHead(head: string | boolean | undefined): Result<DistributiveOmit<Command, 'json'>> {
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(String(head)))
    return fail('--head is the hash of a receipt: 64 hex digits.');
  return ok({ kind: 'registry-verify', head: head === undefined ? null : String(head) });
}

function isPrintable(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}

function parseCreate(values: Values): Result<DistributiveOmit<Command, 'json'>> {
  const name = String(values.name ?? '').trim();
  if (name === '') return fail('"merchant create" needs --name.');
  const fault = findNameFault(name);
  if (fault !== undefined) return fail(`--name ${fault}; payers are shown it.`);
  const { default: fallback, max } = limits.poolLow;
  const poolLow = parseWhole(String(values['pool-low'] ?? fallback), 0, max);
  if (typeof poolLow === 'string') return fail(`--pool-low: ${poolLow}`);
  const url = values['webhook-url'];
  return ok({
    kind: 'create',
    name,
    webhookUrl: typeof url === 'string' ? url : null,
    poolLowThreshold: poolLow,
  });
}

function parsePurge(values: Values): Result<DistributiveOmit<Command, 'json'>> {
  const { min, max } = limits.purgeDays;
  const days = parseWhole(String(values['older-than-days'] ?? ''), min, max);
  if (typeof days === 'string') return fail(`--older-than-days: ${days}`);
  return ok({
    kind: 'purge-deliveries',
    olderThanMs: days * 24 * HOUR_MS,
    withUndelivered: values.undelivered === true,
  });
}

function parseRotation(
  kind: 'rotate-key' | 'rotate-secret',
  values: Values,
  merchantId: string,
): Result<DistributiveOmit<Command, 'json'>> {
  const { default: fallback, max } = limits.overlapHours;
  const hours = parseWhole(String(values['overlap-hours'] ?? fallback), 0, max);
  if (typeof hours === 'string') return fail(`--overlap-hours: ${hours}`);
  return ok({ kind, merchantId, overlapMs: hours * HOUR_MS });
}

function parseBackup({ to, keep }: Values): Result<DistributiveOmit<Command, 'json'>> {
  if (typeof to !== 'string' || to === '') return fail('"backup" needs --to <folder>.');
  const kept = parseBounded('keep', keep, limits.keep);
  return kept.ok ? ok({ kind: 'backup', within: to, keep: kept.value }) : kept;
}

function parseRestore(values: Values, folder: string): Result<DistributiveOmit<Command, 'json'>> {
  const isNothing = values['nothing-leased-since'] === true;
  const given = values['leased-since'];
  if (isNothing && given !== undefined)
    return fail('Give --leased-since or --nothing-leased-since, not both.');
  const atMost = parseBounded('leased-since', given, limits.atMost);
  if (!atMost.ok) return atMost;
  return ok({
    kind: 'restore',
    folder,
    replace: values.replace === true,
    isCheck: values.check === true,
    leased: isNothing ? 'nothing' : { atMost: atMost.value },
  });
}

function parseRetire(values: Values, time: string): Result<DistributiveOmit<Command, 'json'>> {
  // Without a zone it would be a time of the machine, which may be hours off.
  const sinceMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z$/.test(time)
    ? Date.parse(time)
    : Number.NaN;
  if (Number.isNaN(sinceMs)) return fail(`"${time}" is no time in UTC such as 2026-03-01T12:00:00Z.`);
  const atMost = parseBounded('at-most', values['at-most'], limits.atMost);
  return atMost.ok ? ok({ kind: 'retire-leased-since', sinceMs, atMost: atMost.value }) : atMost;
}

function parseBounded(
  name: string,
  given: string | boolean | undefined,
  { min, max }: { min: number; max: number },
): Result<number | undefined> {
  if (given === undefined) return ok(undefined);
  const value = parseWhole(String(given), min, max);
  return typeof value === 'string' ? fail(`--${name}: ${value}`) : ok(value);
}
