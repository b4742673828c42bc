/** What the operator's commands do; each gives the text that is printed. */

import type { KeyJson } from '@coinfront/api/merchant-keys.ts';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import type { Precious } from '../db/precious.ts';
import { serialiseKey } from '../parts/payments/merchants/key-store.ts';
import {
  createMerchant,
  holdMerchant,
  type ListedMerchant,
  listMerchants,
  rotateApiKey,
  setMerchantDisabled,
} from '../parts/payments/merchants/merchant-store.ts';
import type { PaymentTables } from '../parts/payments/schema/payment-tables.ts';
import { purgeDeliveries } from '../parts/payments/webhooks/purge-deliveries.ts';
import { rotateWebhookSecret } from '../parts/payments/webhooks/webhook-secret-store.ts';
import { writeTime } from '../parts/payments/write-time.ts';
import type { BackupCommand } from './backup-commands.ts';
import type { Command } from './command.ts';
import type { LedgerCommand } from './treasury-commands.ts';

type AdminContext = {
  precious: Precious;
  /** The normalised form of a URL that webhooks may be sent to. */
  checkWebhookUrl: (url: string) => Result<string>;
  now: () => number;
};

/** One outcome in both forms: lines for people, an object for programs. */
type Outcome = Result<{ lines: readonly string[]; json: object }>;

/** A command on precious data. */
export type PreciousCommand = Exclude<
  Command,
  {
    kind:
      | 'verify-index'
      | 'build-index'
      | 'doctor'
      | 'registry-verify'
      | LedgerCommand['kind']
      | BackupCommand['kind'];
  }
>;

/** Runs a command; a reason says why it could not be done. What a part alone needs is loaded for its own commands only. */
export async function runCommand(context: AdminContext, command: PreciousCommand): Promise<Result<string>> {
  const outcome = await run(context, command);
  if (!outcome.ok) return outcome;
  const { lines, json } = outcome.value;
  return ok(command.json ? JSON.stringify(json) : lines.join('\n'));
}

async function run(context: AdminContext, command: PreciousCommand): Promise<Outcome> {
  switch (command.kind) {
    case 'create':
      return await create(context, command);
    case 'list':
      return list(await listMerchants(context.precious, context.now()));
    case 'rotate-key':
      return await rotateKey(context, command.merchantId, command.overlapMs);
    case 'rotate-secret':
      return await rotateSecret(context, command.merchantId, command.overlapMs);
    case 'disable':
    case 'enable':
      return await setDisabled(context, command.merchantId, command.kind);
    case 'purge-deliveries':
      return await purge(context, command);
    case 'address-release':
      return await (await import('./address-commands.ts')).runAddressCommand(
        context.precious,
        command,
        context.now(),
      );
    case 'retire-leased-since':
      return await (await import('./backup-commands.ts')).runRetireCommand(
        context.precious,
        command,
        context.now(),
      );
    case 'contributor-list':
    case 'contributor-hide':
    case 'contributor-show':
    case 'nickname-ban':
      return await (await import('./treasury-commands.ts')).runContributorCommand(context, command);
    case 'gift-assign':
    case 'gift-unassign':
    case 'spend-note':
      return await (await import('./treasury-sayings.ts')).runSayingCommand(context, command);
    case 'registry-list':
    case 'registry-remove':
    case 'registry-block':
    case 'registry-unblock':
    case 'registry-forget-peer':
      return await (await import('./registry-commands.ts')).runRegistryCommand(context.precious, command);
    default:
      return await (await import('./token-commands.ts')).runTokenCommand(context, command);
  }
}

async function create(
  { precious, checkWebhookUrl, now }: AdminContext,
  command: Extract<Command, { kind: 'create' }>,
): Promise<Outcome> {
  const { name, poolLowThreshold } = command;
  let webhookUrl: string | null = null;
  if (command.webhookUrl !== null) {
    const checked = checkWebhookUrl(command.webhookUrl);
    if (!checked.ok) return fail(`--webhook-url ${checked.reason}.`);
    webhookUrl = checked.value;
  }
  const made = await createMerchant(precious, { name, webhookUrl, poolLowThreshold }, now());
  return ok({
    lines: [
      `Merchant        ${made.id}`,
      `API key         ${made.apiKey}`,
      `Webhook secret  ${made.webhookSecret}`,
      'Key and secret are not shown again; keep them where only the merchant can read them.',
    ],
    json: { id: made.id, api_key: made.apiKey, webhook_secret: made.webhookSecret },
  });
}

function list(merchants: readonly ListedMerchant[]): Outcome {
  const items = merchants.map(
    ({ id, name, webhook_url, pool_low_threshold, created_at, disabled_at, keys }) => ({
      id,
      name,
      webhook_url,
      pool_low_threshold,
      created_at: writeTime(created_at),
      disabled_at: disabled_at === null ? null : writeTime(disabled_at),
      keys: keys.map(serialiseKey),
    }),
  );
  const lines = items.flatMap(({ id, name, webhook_url, disabled_at, keys }) => [
    `${id}  ${name}${disabled_at === null ? '' : `  (disabled since ${disabled_at})`}`,
    `    webhooks to ${webhook_url ?? 'no address of its own'}`,
    ...keys.map(describeKey),
  ]);
  return ok({ lines: lines.length > 0 ? lines : ['There is no merchant yet.'], json: { items } });
}

function describeKey({ hint, name, scope, expires_at }: KeyJson): string {
  const named = name === null ? '' : ` of the merchant, "${name}", for ${scope}`;
  return `    key ${hint}…${named}${expires_at === null ? '' : `, valid until ${expires_at}`}`;
}

async function rotateKey({ precious, now }: AdminContext, id: string, overlapMs: number): Promise<Outcome> {
  const rotated = await rotateApiKey(precious, id, overlapMs, now());
  if (rotated === undefined) return notFound(id);
  const until = writeTime(rotated.previousValidUntil);
  return ok({
    lines: [
      `API key         ${rotated.apiKey}`,
      `It is not shown again. The one before is valid until ${until}.`,
    ],
    json: { id, api_key: rotated.apiKey, previous_valid_until: until },
  });
}

async function rotateSecret(
  { precious, now }: AdminContext,
  id: string,
  overlapMs: number,
): Promise<Outcome> {
  const rotated = await precious.transaction<
    PaymentTables,
    Awaited<ReturnType<typeof rotateWebhookSecret>> | undefined
  >(async (trx) =>
    (await holdMerchant(trx, id)) ? await rotateWebhookSecret(trx, id, now(), overlapMs) : undefined,
  );
  if (rotated === undefined) return notFound(id);
  const until = writeTime(rotated.previousValidUntilMs);
  return ok({
    lines: [
      `Webhook secret  ${rotated.secret}`,
      `It is not shown again. Until ${until} the one before signs as well.`,
    ],
    json: { id, webhook_secret: rotated.secret, previous_valid_until: until },
  });
}

async function setDisabled(
  { precious, now }: AdminContext,
  id: string,
  kind: 'disable' | 'enable',
): Promise<Outcome> {
  const at = kind === 'disable' ? now() : null;
  if (!(await setMerchantDisabled(precious, id, at))) return notFound(id);
  const line =
    kind === 'disable'
      ? `${id} is disabled: its keys are refused. Payments that were made go on, and so do their webhooks.`
      : `${id} is enabled.`;
  return ok({ lines: [line], json: { id, disabled_at: at === null ? null : writeTime(at) } });
}

async function purge(
  { precious, now }: AdminContext,
  { olderThanMs, withUndelivered }: { olderThanMs: number; withUndelivered: boolean },
): Promise<Outcome> {
  const nowMs = now();
  const before = nowMs - olderThanMs;
  const purged = await purgeDeliveries(precious, before, nowMs, { withUndelivered });
  const line = `${purged} deliveries from before ${writeTime(before)} were removed.`;
  return ok({ lines: [line], json: { purged, before: writeTime(before) } });
}

function notFound(id: string): Outcome {
  return fail(`There is no merchant ${JSON.stringify(id)}; "merchant list" names them.`);
}
