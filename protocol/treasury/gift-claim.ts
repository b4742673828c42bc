/** What the sender of a gift signs to have it credited: docs/protocols/treasury.md. */

import { bytesToHex } from '../bytes.ts';
import { sha256 } from '../hash.ts';

/** A gift, and who claims it of whom. */
export type GiftClaim = {
  /** Hash of the genesis block, as people write it. */
  network: string;
  /** Ed25519 key, hex, that the service's ledger is signed by. */
  serviceKey: string;
  txid: string;
  vout: number;
  contributorId: string;
  /** {@link hashClaimSecret} of the contributor's secret. */
  secretHash: string;
};

/** The one text of a claim. It is the same whenever it is made, and good at this service and for who knows the secret, nowhere else. */
export function writeGiftClaimText(claim: GiftClaim): string {
  const { network, serviceKey, txid, vout, contributorId, secretHash } = claim;
  return [
    'A gift to the treasury is claimed by who sent it.',
    'Signing this text moves no coins.',
    '',
    'Purpose: treasury claim, version 2',
    `Network: ${network}`,
    `Service: ${serviceKey}`,
    `Output: ${txid}:${vout}`,
    `Contributor: ${contributorId}`,
    `Secret hash: ${secretHash}`,
  ].join('\n');
}

/**
 * What ties a claim to the contributor's secret, hex. A service names the contributor, and could name another; it cannot make others accept
 * the claim for one.
 *
 * @param secret 64 hex digits
 */
export function hashClaimSecret(secret: string): string {
  const text = `treasury claim, version 2\n${secret.toLowerCase()}`;
  return bytesToHex(sha256(new TextEncoder().encode(text)));
}
