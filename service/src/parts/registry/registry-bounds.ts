/** What one client, one network and all may have of the registry. docs/nodes.md names each. */

import type { ClaimBounds } from './claims/claim-bounds.ts';
import type { LookUpBounds } from './claims/look-ups.ts';
import { ONION_NETWORK } from './nodes/endpoint-rules.ts';

/** How long a claim can be signed. */
export const CLAIM_MS = 3_600_000;
/** Claims that may be open at once. */
export const claimBounds: ClaimBounds = { ofKey: 5, ofClient: 20, all: 20_000, awaiting: 10_000 };
/** Active nodes of one /24 or /48, with onion addresses, and in all. */
export const nodeBounds = { network: 8, onion: 100, all: 10_000 };

/** Active nodes that a network may have. */
export function boundOfNetwork(network: string): number {
  return network === ONION_NETWORK ? nodeBounds.onion : nodeBounds.network;
}
/** Host names that are looked up at once for those who ask for claims. */
export const lookUpBounds: LookUpBounds = { ofClient: 2, inAll: 32 };
/** Registrations a day (UTC) that one client makes: each may take a place until it was looked for. */
export const registrationsPerDay = 100;
