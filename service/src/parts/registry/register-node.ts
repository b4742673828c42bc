/** From a claim to a registered node. */

import { createHash, randomBytes } from 'node:crypto';
import { decodeAddress, encodeAddress } from '@coinfront/protocol/address.ts';
import { verifySignedMessage } from '@coinfront/protocol/messages/verify-signed-message.ts';
import { endpointTokenOf } from '@coinfront/protocol/registry/endpoint-token.ts';
import { parseEd25519Key, verifyEd25519 } from '@coinfront/protocol/registry/node-key.ts';
import { AppError, quoteReceived } from '../../errors.ts';
import { nameOf, parseClient } from '../../http/client.ts';
import {
  addClaim,
  type ClaimBounds,
  changeClaimState,
  findClaim,
  supersedeClaims,
  useClaim,
} from './claim-store.ts';
import { type Endpoint, findEndpointFault, parseEndpoint } from './endpoint-rules.ts';
import { activateNode, changeNodeState, countOthers, findHolder, findNode } from './node-store.ts';
import { findProber } from './prober-store.ts';
import { getDomain, lockRegistry, type RegistryContext } from './registry-context.ts';
import type { RegistryClaimTable, RegistryQuery, RegistryTables } from './registry-tables.ts';
import { writeClaim } from './serialise-registry.ts';

/** Claims that may be open at once. */
export const claimBounds: ClaimBounds = { client: 20, node_key: 5, payout_address: 20, all: 20_000 };
/** Active nodes of one /24 or /48, and in all. */
export const nodeBounds = { network: 8, all: 10_000 };
/** How long a claim can be signed. */
const CLAIM_MS = 3_600_000;
/** How long a signed claim waits for the node at its endpoint to show its token. */
const AWAIT_ENDPOINT_MS = 86_400_000;

const boundDetails: Record<keyof ClaimBounds, string> = {
  client: `You have ${claimBounds.client} open claims`,
  node_key: `This node key has ${claimBounds.node_key} open claims`,
  payout_address: `This payout address has ${claimBounds.payout_address} open claims`,
  all: 'There are too many open claims',
};

/** What somebody wants to register. */
export type Registration = { node_key: string; endpoint: string; payout_address: string };

/**
 * Makes the claim that has to be signed.
 *
 * @param client the address of who asks
 * @throws AppError one of the refusals of the operation
 */
export async function makeClaim(
  context: RegistryContext,
  registration: Registration,
  client: string,
): Promise<RegistryClaimTable> {
  const { precious, now, profile } = context;
  const domain = getDomain(context);
  const nodeKey = readNodeKey(registration.node_key);
  const endpoint = readEndpoint(registration.endpoint, context);
  const payoutAddress = readPayoutAddress(registration.payout_address, context);
  const registryKey = await getRegistryKey(context);
  const issued = Math.floor(now() / 1000) * 1000;
  const row: RegistryClaimTable = {
    id: `clm_${randomBytes(16).toString('base64url')}`,
    state: 'pending',
    domain,
    registry_key: registryKey,
    node_key: nodeKey,
    endpoint: endpoint.text,
    network: endpoint.network,
    payout_address: payoutAddress,
    endpoint_token: endpointTokenOf({
      registryKey,
      genesisHash: profile.genesisHash,
      nodeKey,
      payoutAddress,
    }),
    nonce: randomBytes(32).toString('hex'),
    client: createHash('sha256')
      .update(nameOf(parseClient(client)))
      .digest('hex'),
    issued_at: issued,
    expires_at: issued + CLAIM_MS,
    open_until: issued + CLAIM_MS,
    verified_at: null,
    address_signature: null,
    node_signature: null,
  };
  const reached = await precious.transaction<RegistryTables, keyof ClaimBounds | undefined>(async (trx) => {
    await lockRegistry(trx, precious.engine);
    await checkRoom(trx, row);
    return await addClaim(trx, row, claimBounds);
  });
  if (reached === undefined) return row;
  const detail = `${boundDetails[reached]}; they expire ${CLAIM_MS / 60_000} minutes after they were made.`;
  throw new AppError('claims_exhausted', detail, { 'retry-after': '60' });
}

function readNodeKey(text: string): string {
  const parsed = parseEd25519Key(text);
  if (parsed.ok) return parsed.value;
  throw new AppError('node_key_invalid', `node_key is not usable: ${parsed.reason}.`);
}

function readEndpoint(text: string, { rules }: RegistryContext): Endpoint {
  const parsed = parseEndpoint(text);
  if (!parsed.ok) throw new AppError('endpoint_invalid', `${quoteReceived(text)} is none: ${parsed.reason}.`);
  const fault = findEndpointFault(parsed.value, rules);
  if (fault !== undefined) throw new AppError('endpoint_refused', `${fault}.`.replace(/^./, upper));
  return parsed.value;
}

const upper = (letter: string) => letter.toUpperCase();

/** One text for one script: other forms of an address would count as other addresses. */
function readPayoutAddress(text: string, { profile }: RegistryContext): string {
  const decoded = decodeAddress(text, profile);
  const address = decoded.ok ? encodeAddress(decoded.value.script, profile) : undefined;
  if (address !== undefined) return address;
  const reason = decoded.ok ? 'it has no address form' : decoded.reason;
  throw new AppError('address_invalid', `payout_address ${quoteReceived(text)}: ${reason}.`);
}

async function getRegistryKey({ precious }: RegistryContext): Promise<string> {
  const prober = await findProber(precious.query<RegistryTables>());
  if (prober !== undefined) return prober.registry_key;
  const detail =
    'The registry has no key yet: none of its processes has the role worker, or none has started.';
  throw new AppError('registry_closed', detail, { 'retry-after': '30' });
}

/** @throws AppError `node_blocked`, `network_full`, `registry_full` */
async function checkRoom(trx: RegistryQuery, { node_key, network }: RegistryClaimTable): Promise<void> {
  if ((await findNode(trx, node_key))?.state === 'blocked')
    throw new AppError('node_blocked', 'The operator of this registry has blocked this node key.');
  if ((await countOthers(trx, node_key, network)) >= nodeBounds.network) {
    const detail = `${network} has ${nodeBounds.network} nodes already, which is the most that are looked at.`;
    throw new AppError('network_full', detail);
  }
  if ((await countOthers(trx, node_key)) >= nodeBounds.all)
    throw new AppError('registry_full', `The registry has ${nodeBounds.all} nodes already.`);
}

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
  await precious.transaction<RegistryTables, void>(async (trx) => {
    await lockRegistry(trx, precious.engine);
    await checkRoom(trx, claim);
    const holder = await findHolder(trx, claim.endpoint);
    const isTaken = holder !== undefined && holder.node_key !== claim.node_key;
    const signatures = { address: address_signature, node: node_signature.toLowerCase() };
    const awaitUntilMs = isTaken ? nowMs + AWAIT_ENDPOINT_MS : undefined;
    if (!(await useClaim(trx, claim.id, signatures, nowMs, awaitUntilMs))) {
      checkOpen(claim, nowMs);
      throw usedUp();
    }
    if (isTaken) return;
    await supersedeClaims(trx, claim.node_key, claim.id);
    await activateNode(trx, claim, nowMs);
  });
  return await getClaim(context, claim.id);
}

/**
 * A claim that has to be there.
 *
 * @throws AppError `claim_not_found`
 */
export async function getClaim({ precious }: RegistryContext, id: string): Promise<RegistryClaimTable> {
  const claim = await findClaim(precious.query<RegistryTables>(), id);
  if (claim !== undefined) return claim;
  throw new AppError('claim_not_found', 'There is no such claim; ask for one by POST /register.');
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
  if (!(await changeClaimState(trx, claim.id, 'awaiting_endpoint', 'verified'))) return;
  await changeNodeState(trx, holder.node_key, ['active'], 'displaced');
  await changeClaimState(trx, holder.claim_id, 'verified', 'superseded');
  await supersedeClaims(trx, claim.node_key, claim.id);
  await activateNode(trx, claim, nowMs);
}
