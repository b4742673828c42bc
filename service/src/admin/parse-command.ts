/** What the operator typed, as a command. */

import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { parseWhole } from '../config-values.ts';

/** A command that was understood. `json`: the answer is for a program. */
export type Command = { json: boolean } & (
  | { kind: 'create'; name: string; webhookUrl: string | null; poolLowThreshold: number }
  | { kind: 'list' }
  | { kind: 'rotate-key' | 'rotate-secret'; merchantId: string; overlapMs: number }
  | { kind: 'disable' | 'enable'; merchantId: string }
);

/** Bounds of what can be given. */
const limits = {
  nameLength: 100,
  poolLow: { default: 10, max: 10_000 },
  overlapHours: { default: 24, max: 720 },
};
const HOUR_MS = 3_600_000;

export const usage = `Usage: npm run admin -- <command> [--json]

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
      Makes a new webhook secret; until the overlap ends events are signed with both.

--json prints one JSON object for programs. The database is found by the settings of the service:
COINFRONT_DATA_DIR, or COINFRONT_DATABASE_URL. Exit codes: 0 done, 1 not done, 2 not understood.`;

const options = {
  json: { type: 'boolean' },
  name: { type: 'string' },
  'webhook-url': { type: 'string' },
  'pool-low': { type: 'string' },
  'overlap-hours': { type: 'string' },
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
  const [topic, action, merchantId, ...rest] = positionals;
  const named = `${topic ?? ''} ${action ?? ''}`.trim();
  const form = forms[named];
  if (form === undefined) return fail(`"${named}" is no command.`);
  const unknown = Object.keys(values).find((name) => name !== 'json' && !form.options.includes(name));
  if (unknown !== undefined) return fail(`"${named}" has no option --${unknown}.`);
  if (rest.length > 0 || (merchantId !== undefined && !form.needsMerchant))
    return fail(`"${named}" got more arguments than it has.`);
  if (form.needsMerchant && merchantId === undefined)
    return fail(`"${named}" needs the merchant, such as mer_….`);
  const parsed = form.parse(values, merchantId ?? '');
  return parsed.ok ? ok({ ...parsed.value, json: values.json === true }) : parsed;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type Form = {
  needsMerchant: boolean;
  options: readonly string[];
  parse(values: Values, merchantId: string): Result<DistributiveOmit<Command, 'json'>>;
};

const forms: Readonly<Record<string, Form>> = {
  'merchant create': {
    needsMerchant: false,
    options: ['name', 'webhook-url', 'pool-low'],
    parse: parseCreate,
  },
  'merchant list': { needsMerchant: false, options: [], parse: () => ok({ kind: 'list' }) },
  'merchant rotate-key': {
    needsMerchant: true,
    options: ['overlap-hours'],
    parse: (values, merchantId) => parseRotation('rotate-key', values, merchantId),
  },
  'merchant disable': {
    needsMerchant: true,
    options: [],
    parse: (_, merchantId) => ok({ kind: 'disable', merchantId }),
  },
  'merchant enable': {
    needsMerchant: true,
    options: [],
    parse: (_, merchantId) => ok({ kind: 'enable', merchantId }),
  },
  'webhook-secret rotate': {
    needsMerchant: true,
    options: ['overlap-hours'],
    parse: (values, merchantId) => parseRotation('rotate-secret', values, merchantId),
  },
};

function parseCreate(values: Values): Result<DistributiveOmit<Command, 'json'>> {
  const name = String(values.name ?? '').trim();
  if (name === '') return fail('"merchant create" needs --name.');
  if (name.length > limits.nameLength || !name.isWellFormed() || /\p{Cc}/u.test(name))
    return fail(`--name has at most ${limits.nameLength} printable characters.`);
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
