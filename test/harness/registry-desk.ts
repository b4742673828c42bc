import { createHash } from 'node:crypto';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { signBip322, singleKeyLock } from '@coinfront/protocol/testing/message-signer.ts';
import { ed25519 } from '@noble/curves/ed25519.js';
import { encodeAddress } from '../../protocol/address.ts';
import type { ServiceAnswer, TestService } from './service.ts';

/** Who owns a node: a key for the node, and one for its address. */
export type NodeOwner = {
  readonly nodeKey: string;
  readonly payoutAddress: string;
  /** What both keys sign. */
  sign(message: string): { address_signature: string; node_signature: string };
};

const prefix = '/api/nodeproof';

/** Makes the owner of a name; equal names give equal keys. */
export function createOwner(name: string): NodeOwner {
  const seed = (of: string) => new Uint8Array(createHash('sha256').update(`${of} ${name}`).digest());
  const nodeSeed = seed('node');
  const lock = singleKeyLock(seed('payout'), 'p2wpkh');
  return {
    nodeKey: bytesToHex(ed25519.getPublicKey(nodeSeed)),
    payoutAddress: encodeAddress(lock.script, getShippedProfile('regtest'))!,
    sign: (message) => ({
      address_signature: signBip322(lock, message, { form: 'simple' }),
      node_signature: bytesToHex(ed25519.sign(new TextEncoder().encode(message), nodeSeed)),
    }),
  };
}

/** Asks for a claim of this owner to an endpoint. */
export function askClaim(service: TestService, owner: NodeOwner, endpoint: string): Promise<ServiceAnswer> {
  const { nodeKey: node_key, payoutAddress: payout_address } = owner;
  return service.post(`${prefix}/register`, { node_key, endpoint, payout_address });
}

/** Signs a claim and hands it in. */
export function handIn(
  service: TestService,
  owner: NodeOwner,
  claim: { id: string; message: string },
): Promise<ServiceAnswer> {
  return service.post(`${prefix}/claim/verify`, { claim_id: claim.id, ...owner.sign(claim.message) });
}

/** Both steps. */
export async function register(
  service: TestService,
  owner: NodeOwner,
  endpoint: string,
): Promise<ServiceAnswer> {
  const { status, json, text } = await askClaim(service, owner, endpoint);
  if (status !== 201) throw new Error(`register answers ${status}: ${text}`);
  return await handIn(service, owner, json);
}

/** What the registry says of a node. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes
export async function getNode(service: TestService, { nodeKey }: NodeOwner): Promise<any> {
  return (await service.get(`${prefix}/nodes/${nodeKey}`)).json;
}
