/** Receiving addresses below an extended public key (BIP-32, 44, 49, 84, 86). */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import type { AccountKey } from '../../../wallets/account-key.ts';
import { scriptOfKey } from '../../../wallets/output-scripts.ts';

/** An address and its path below the account key. */
export type DerivedAddress = { address: string; path: string };

/** An address takes about a millisecond: others wait no longer than for these. */
const AT_ONCE = 10;

/** Derives the addresses `0/from` to `0/(from + count - 1)`, giving others a turn in between. */
export async function deriveAddresses(
  { node, scriptType }: AccountKey,
  from: number,
  count: number,
  profile: CoinProfile,
): Promise<Result<DerivedAddress[]>> {
  const receiving = node.deriveChild(0);
  const derived: DerivedAddress[] = [];
  for (let i = from; i < from + count; i++) {
    const publicKey = receiving.deriveChild(i).publicKey!;
    const address = encodeAddress(scriptOfKey(publicKey, scriptType), profile);
    if (address === undefined) return fail(`${profile.name} has no ${scriptType} addresses`);
    derived.push({ address, path: `0/${i}` });
    if (derived.length % AT_ONCE === 0) await nextTurn();
  }
  return ok(derived);
}
