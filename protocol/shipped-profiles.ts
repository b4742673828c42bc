import { type CoinProfile, parseProfile } from './profile.ts';
import bitcoin from './profiles/bitcoin.json' with { type: 'json' };
import bitcoinRegtest from './profiles/bitcoin-regtest.json' with { type: 'json' };
import coin from './profiles/coin.json' with { type: 'json' };
import dogecoin from './profiles/dogecoin.json' with { type: 'json' };
import litecoin from './profiles/litecoin.json' with { type: 'json' };
import regtest from './profiles/regtest.json' with { type: 'json' };
import { fail, getValue, type Result } from './result.ts';

const SHIPPED: Record<string, unknown> = {
  coin,
  regtest,
  litecoin,
  bitcoin,
  'bitcoin-regtest': bitcoinRegtest,
  dogecoin,
};

/** Names of the shipped profiles. */
export const shippedProfileNames: readonly string[] = Object.keys(SHIPPED);

/** The JSON of a shipped profile, unread; undefined for any other name. */
export function findShippedProfileJson(name: string): unknown {
  return Object.hasOwn(SHIPPED, name) ? SHIPPED[name] : undefined;
}

/** Reads a shipped profile. `coin` fails until an operator's copy has its placeholders filled. */
export function parseShippedProfile(name: string): Result<CoinProfile> {
  const json = findShippedProfileJson(name);
  if (json === undefined)
    return fail(`no shipped coin profile "${name}"; there are ${shippedProfileNames.join(', ')}`);
  return parseProfile(json);
}

/**
 * A shipped profile that needs no operator.
 * @throws Error for an unknown name, and for `coin`.
 */
export function getShippedProfile(name: string): CoinProfile {
  return getValue(parseShippedProfile(name));
}
