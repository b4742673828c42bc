/** What the operator's commands do with addresses of pools. */

import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import type { Precious } from '../db/precious.ts';
import { releaseAddress } from '../parts/payments/pool/release-addresses.ts';

/** A command about an address; `to` is the merchant whose pool it goes to, null when it goes to none. */
export type AddressCommand = { kind: 'address-release'; address: string; to: string | null };

type Outcome = Result<{ lines: readonly string[]; json: object }>;

/** Runs a command; a reason says why it could not be done. */
export async function runAddressCommand(
  precious: Precious,
  { address, to }: AddressCommand,
  nowMs: number,
): Promise<Outcome> {
  const released = await releaseAddress(precious, address, to ?? undefined, nowMs);
  switch (released.kind) {
    case 'unknown':
      return fail('The address is in no pool.');
    case 'no_merchant':
      return fail(`There is no merchant ${JSON.stringify(to)}; "merchant list" names them.`);
    case 'used':
      return fail(
        `${to} has had the address in a payment, so its pool cannot lease it. Release it instead: "addresses release".`,
      );
    case 'leased': {
      const { payment_id, merchant_id } = released.row;
      const why =
        payment_id === null ? 'it has been used elsewhere' : `payment ${payment_id} has, or had, it`;
      return fail(`The address stays with ${merchant_id}: ${why}. It is leased to nobody again.`);
    }
    case 'released': {
      const { from } = released;
      const line = to === null ? `was taken out of the pool of ${from}.` : `was moved from ${from} to ${to}.`;
      return ok({ lines: [`${address} ${line}`], json: { address, from, to } });
    }
  }
}
