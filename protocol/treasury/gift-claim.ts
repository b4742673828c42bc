/** What the sender of a gift signs to have it credited: docs/protocols/treasury.md. */

/** A gift, and who claims it. */
export type GiftClaim = {
  /** Hash of the genesis block, as people write it. */
  network: string;
  txid: string;
  vout: number;
  contributorId: string;
};

/** The one text of a claim. It is the same whenever it is made, and good for nobody else. */
export function writeGiftClaimText({ network, txid, vout, contributorId }: GiftClaim): string {
  return [
    'A gift to the treasury is claimed by who sent it.',
    'Signing this text moves no coins.',
    '',
    'Purpose: treasury claim, version 1',
    `Network: ${network}`,
    `Output: ${txid}:${vout}`,
    `Contributor: ${contributorId}`,
  ].join('\n');
}
