/** What one client, one network and all may have of the registry. docs/nodes.md names each. */

import type { ClaimBounds } from './claims/claim-bounds.ts';

/** How long a claim can be signed. */
export const CLAIM_MS = 3_600_000;
/** Claims that may be open at once. */
export const claimBounds: ClaimBounds = { ofKey: 5, ofClient: 20, all: 20_000, awaiting: 10_000 };
/** Active nodes of one /24 or /48, and in all. */
export const nodeBounds = { network: 8, all: 10_000 };
/** Registrations a day (UTC) that one client makes: each may take a place until it was looked for. */
export const registrationsPerDay = 100;
