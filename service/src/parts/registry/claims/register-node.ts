/** From a claim to a registered node. */

import { verifySignedMessage } from '@coinfront/protocol/messages/verify-signed-message.ts';
import { verifyEd25519 } from '@coinfront/protocol/registry/node-key.ts';
import type { NamedClient } from '../../../clients/client-names.ts';
import type { ClientQuery, ClientTables } from '../../../clients/client-tables.ts';
import { takeDailyShare } from '../../../clients/daily-share.ts';
import { AppError } from '../../../errors.ts';
import { tellEnds } from '../alerts/tell-owners.ts';
import { checkRoom } from '../nodes/node-room.ts';
import { activateNode, changeNodeState, findNode, listHolders } from '../nodes/node-store.ts';
import { claimBounds } from '../registry-bounds.ts';
import { lockRegistry, type RegistryContext } from '../registry-context.ts';
import type { RegistryClaimTable, RegistryQuery, RegistryTables } from '../schema/registry-tables.ts';
import { countAwaiting } from './claim-bounds.ts';
import { changeClaimState, supersedeClaims, useClaim } from './claim-store.ts';
import { getClaim } from './make-claim.ts';
import { writeClaim } from './serialise-claim.ts';

/** How long a signed claim waits for the node at its endpoint to show its token. */
const AWAIT_ENDPOINT_MS = 86_400_000;

/** The two signatures of a claim. */
export type SignedClaim = { claim_id: string; address_signature: string; node_signature: string };

/**
 * Registers the node of a claim that both keys have signed. A claim is used up by the commit that registers its node; a
 * wrong signature leaves it as it is.
 *
 * @throws AppError one of the refusals of the operation
 */
export async function verifyClaim(
  context: RegistryContext,
  { claim_id, address_signature, node_signature }: SignedClaim,
  client: string,
): Promise<RegistryClaimTable> {
  const { precious, profile, now } = context;
  const claim = await getClaim(context, claim_id);
  checkOpen(claim, now());
  const message = writeClaim(claim, context);
  if (!verifyEd25519(claim.node_key, message, node_signature)) {
    const detail = `node_signature is not one of the node key ${claim.node_key} for the message of the claim.`;
    throw new AppError('signature_invalid', detail);
  }
  const verdict = verifySignedMessage(claim.payout_address, message, address_signature, profile);
  if (!verdict.ok) {
    const detail = `address_signature is not one of ${claim.payout_address} for the message of the claim: ${verdict.reason}.`;
    throw new AppError('signature_invalid', detail);
  }
  const nowMs = now();
  const named = await context.nameClient(client, nowMs);
  await precious.transaction<RegistryTables & ClientTables, void>(async (trx) => {
    await lockRegistry(trx, precious.engine);
    const givingWay = await checkRoom(trx, claim);
    const isTaken = (await listHolders(trx, claim.node_key, claim)).length > 0;
    const signatures = { address: address_signature, node: node_signature.toLowerCase() };
    if (isTaken && (await countAwaiting(trx, nowMs)) >= claimBounds.awaiting)
      throw exhausted('Too many claims wait for endpoints that others hold');
    const awaitUntilMs = isTaken ? nowMs + AWAIT_ENDPOINT_MS : undefined;
    if (!(await useClaim(trx, claim.id, signatures, nowMs, awaitUntilMs))) {
      checkOpen(claim, nowMs);
      throw usedUp();
    }
    if (isTaken) return;
    await countRegistration(trx, context, named, nowMs);
    if (givingWay !== undefined) {
      await changeNodeState(trx, givingWay, ['active'], 'lapsed');
      await tellEnds(trx, [givingWay], 'node.lapsed', nowMs);
    }
    await supersedeClaims(trx, claim.node_key, claim.id);
    await activateNode(trx, claim, nowMs);
  });
  return await getClaim(context, claim.id);
}

/** @throws AppError `claims_exhausted` */
async function countRegistration(
  trx: ClientQuery,
  { registrationsPerDay: ofClient }: RegistryContext,
  client: NamedClient,
  nowMs: number,
): Promise<void> {
  if (ofClient === undefined) return;
  if ((await takeDailyShare(trx, 'registration', client, { ofClient }, nowMs)) === undefined) return;
  throw exhausted(`A client registers ${ofClient} nodes a day (UTC), and its network its share of that`);
}

function exhausted(fault: string): AppError {
  return new AppError('claims_exhausted', `${fault}; the claim stays good, try again later.`, {
    'retry-after': '600',
  });
}

function checkOpen({ state, expires_at }: RegistryClaimTable, nowMs: number): void {
  if (state !== 'pending') throw usedUp();
  if (expires_at > nowMs) return;
  const at = new Date(expires_at).toISOString();
  throw new AppError('claim_expired', `The claim expired at ${at}; ask for a new one.`);
}

function usedUp(): AppError {
  return new AppError('claim_used', 'The claim was signed already, or a later one was; ask for a new one.');
}

/**
 * Gives an endpoint to the node of a claim that waited for it: whoever runs the node there has said so in its user agent.
 * The caller holds the registry's lock.
 */
export async function handOverEndpoint(
  trx: RegistryQuery,
  claim: RegistryClaimTable,
  holder: { node_key: string; claim_id: string },
  nowMs: number,
): Promise<void> {
  if ((await findNode(trx, claim.node_key))?.state === 'blocked') return;
  // A host name that has come to lead elsewhere is not proven by who is where it led.
  const holders = await listHolders(trx, claim.node_key, claim);
  if (holders.some(({ node_key }) => node_key !== holder.node_key)) return;
  if (!(await changeClaimState(trx, claim.id, 'awaiting_endpoint', 'verified'))) return;
  await changeNodeState(trx, holder.node_key, ['active'], 'displaced');
  await changeClaimState(trx, holder.claim_id, 'verified', 'superseded');
  await tellEnds(trx, [holder.node_key], 'node.displaced', nowMs);
  await supersedeClaims(trx, claim.node_key, claim.id);
  await activateNode(trx, claim, nowMs);
}
