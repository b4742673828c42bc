/** What has to be signed to register a node. */

import { randomBytes } from 'node:crypto';
import { decodeAddress, encodeAddress } from '@coinfront/protocol/address.ts';
import { quoteReceived } from '@coinfront/protocol/quote-received.ts';
import { endpointTokenOf } from '@coinfront/protocol/registry/endpoint-token.ts';
import { parseEd25519Key } from '@coinfront/protocol/registry/node-key.ts';
import type { NamedClient } from '../../../clients/client-names.ts';
import { AppError } from '../../../errors.ts';
import { AddressRefusedError } from '../../../outbound/outbound-error.ts';
import { type Endpoint, findEndpointFault, parseEndpoint } from '../nodes/endpoint-rules.ts';
import { checkRoom } from '../nodes/node-room.ts';
import { resolveEndpoint } from '../nodes/resolve-endpoint.ts';
import { findProber } from '../probing/prober-store.ts';
import { CLAIM_MS, claimBounds, lookUpBounds } from '../registry-bounds.ts';
import { getDomain, lockRegistry, type RegistryContext } from '../registry-context.ts';
import type { RegistryClaimTable, RegistryTables } from '../schema/registry-tables.ts';
import { addClaim, clientOfClaim } from './claim-bounds.ts';
import { findClaim } from './claim-store.ts';
import { createLookUps } from './look-ups.ts';

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
  const named = await context.nameClient(client, now());
  const place = await findPlace(endpoint, context, named);
  const issued = Math.floor(now() / 1000) * 1000;
  const row: RegistryClaimTable = {
    id: `clm_${randomBytes(16).toString('base64url')}`,
    state: 'pending',
    domain,
    registry_key: registryKey,
    node_key: nodeKey,
    endpoint: endpoint.text,
    ...place,
    payout_address: payoutAddress,
    endpoint_token: endpointTokenOf({
      registryKey,
      genesisHash: profile.genesisHash,
      nodeKey,
      payoutAddress,
    }),
    nonce: randomBytes(32).toString('hex'),
    ...clientOfClaim(named),
    issued_at: issued,
    expires_at: issued + CLAIM_MS,
    open_until: issued + CLAIM_MS,
    verified_at: null,
    address_signature: null,
    node_signature: null,
  };
  const isAdded = await precious.transaction<RegistryTables, boolean>(async (trx) => {
    await lockRegistry(trx, precious.engine);
    await checkRoom(trx, row);
    return await addClaim(trx, row, named, claimBounds);
  });
  if (isAdded) return row;
  const detail = `You have ${claimBounds.ofClient} open claims, or your network has its share of them; they expire ${CLAIM_MS / 60_000} minutes after they were made.`;
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

const lookUp = createLookUps(lookUpBounds);

/** Where an endpoint leads now, and the network that this is. */
async function findPlace(
  endpoint: Endpoint,
  { rules, resolve }: RegistryContext,
  client: NamedClient,
): Promise<Pick<RegistryClaimTable, 'reached' | 'network'>> {
  if (endpoint.kind !== 'name') return { reached: null, network: endpoint.network };
  return await lookUp(client, async () => {
    try {
      const [first] = await resolveEndpoint(endpoint, rules, resolve);
      return { reached: first!.text, network: first!.network };
    } catch (error) {
      const detail =
        error instanceof AddressRefusedError
          ? `${endpoint.host} has an address that is not of the public internet.`
          : `${endpoint.host} has no address, or its name server did not answer.`;
      throw new AppError('endpoint_refused', detail);
    }
  });
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

/**
 * A claim that has to be there.
 *
 * @throws AppError `claim_not_found`
 */
export async function getClaim({ precious }: RegistryContext, id: string): Promise<RegistryClaimTable> {
  const claim = await findClaim(precious.query<RegistryTables>(), id);
  if (claim !== undefined) return claim;
  throw new AppError(
    'claim_not_found',
    'There is no such claim, or later ones for its node key took its place; ask for one by POST /register.',
  );
}
