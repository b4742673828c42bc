/** Where alerts about a node go, as its key has signed. */

import type { SetNodeAlertsBody } from '@coinfront/api/registry.ts';
import { writeAlertText } from '@coinfront/protocol/registry/alert-text.ts';
import { verifyEd25519 } from '@coinfront/protocol/registry/node-key.ts';
import type { Static } from 'typebox';
import type { ClientTables } from '../../../clients/client-tables.ts';
import { takeDailyShare } from '../../../clients/daily-share.ts';
import { AppError } from '../../../errors.ts';
import { makeWebhookSecret } from '../../../webhooks/webhook-secret.ts';
import { findNode } from '../nodes/node-store.ts';
import { findProber } from '../probing/prober-store.ts';
import { getDomain, lockRegistry, type RegistryContext } from '../registry-context.ts';
import type {
  RegistryAlertReceiverTable,
  RegistryNodeTable,
  RegistryTables,
} from '../schema/registry-tables.ts';
import { REQUEST_AGE_MS, requestsPerDay } from './alert-bounds.ts';
import { addAlert, saveReceiver } from './alert-store.ts';

export type AlertBody = Static<typeof SetNodeAlertsBody>;

/**
 * Sets, changes or ends the alerts of a node. The new receiver is told so at once, so that its owner sees whether it works.
 *
 * @throws AppError one of the refusals of the operation
 */
export async function setReceiver(
  context: RegistryContext,
  nodeKey: string,
  body: AlertBody,
  client: string,
): Promise<RegistryAlertReceiverTable> {
  const { precious, now, registrationsPerDay } = context;
  const node = await findNode(precious.query<RegistryTables>(), nodeKey);
  if (node === undefined) throw new AppError('node_not_found', `No node has the key ${nodeKey}.`);
  if (node.state === 'blocked')
    throw new AppError('node_blocked', 'The operator of this registry has blocked this node key.');
  const issuedAtMs = readIssued(body.issued_at, now());
  await checkSignature(context, nodeKey, body, issuedAtMs);
  const url = body.url === null ? null : checkUrl(body.url, context);
  const nowMs = now();
  const named = await context.nameClient(client, nowMs);
  const row: RegistryAlertReceiverTable = {
    node_key: nodeKey,
    url,
    secret: url === null ? null : makeWebhookSecret(),
    issued_at: issuedAtMs,
    changed_at: nowMs,
    ...stateOf(node),
  };
  await precious.transaction<RegistryTables & ClientTables, void>(async (trx) => {
    await lockRegistry(trx, precious.engine);
    const bound = { ofClient: requestsPerDay };
    const isFull =
      registrationsPerDay !== undefined &&
      (await takeDailyShare(trx, 'node_alert', named, bound, nowMs)) !== undefined;
    if (isFull) {
      const detail = `A client sets the alerts of nodes ${requestsPerDay} times a day (UTC), and its network its share of that.`;
      throw new AppError('claims_exhausted', detail, { 'retry-after': '600' });
    }
    if (!(await saveReceiver(trx, row)))
      throw new AppError(
        'claim_used',
        'A request of this time, or of a later one, was taken already; sign one of now.',
      );
    await addAlert(trx, row, { type: 'alerts.set', data: { endpoint: node.endpoint } }, nowMs);
  });
  return row;
}

/** What is the case already is not told. */
function stateOf({ fails_in_row }: RegistryNodeTable) {
  return { is_failing: fails_in_row > 0 ? 1 : 0, was_eligible: null, alerts: 0 };
}

function readIssued(text: string, nowMs: number): number {
  const issuedAtMs = Date.parse(text);
  if (Number.isNaN(issuedAtMs) || issuedAtMs % 1000 !== 0 || Math.abs(issuedAtMs - nowMs) > REQUEST_AGE_MS)
    throw new AppError(
      'claim_expired',
      `issued_at is ${text}: it has to be a whole second, ten minutes from ${new Date(nowMs).toISOString()} at most.`,
    );
  return issuedAtMs;
}

async function checkSignature(
  context: RegistryContext,
  nodeKey: string,
  { url, signature }: AlertBody,
  issuedAtMs: number,
): Promise<void> {
  const prober = await findProber(context.precious.query<RegistryTables>());
  if (prober === undefined)
    throw new AppError('registry_closed', 'The registry has no key yet.', { 'retry-after': '30' });
  const text = writeAlertText({
    domain: getDomain(context),
    registryKey: prober.registry_key,
    genesisHash: context.profile.genesisHash,
    nodeKey,
    url,
    issuedAtMs,
  });
  if (!verifyEd25519(nodeKey, text, signature))
    throw new AppError(
      'signature_invalid',
      `signature is not one of the node key ${nodeKey} for the text of this request.`,
    );
}

function checkUrl(url: string, { checkAlertUrl }: RegistryContext): string {
  const checked = checkAlertUrl(url);
  if (checked.ok) return checked.value;
  throw new AppError('webhook_url_refused', `"url" ${checked.reason}.`);
}
