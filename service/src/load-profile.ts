import { readFileSync } from 'node:fs';
import { type CoinProfile, parseProfile } from '@coinfront/protocol/profile.ts';
import { fail, type Result } from '@coinfront/protocol/result.ts';
import { findShippedProfileJson, shippedProfileNames } from '@coinfront/protocol/shipped-profiles.ts';

/** Reads the coin profile that `COINFRONT_COIN` names: a shipped one, or a JSON file. */
export function loadProfile(coin: string): Result<CoinProfile> {
  const shipped = findShippedProfileJson(coin);
  if (shipped !== undefined) return describe(coin, parseProfile(shipped));
  let text: string;
  try {
    text = readFileSync(coin, 'utf8');
  } catch {
    return fail(
      `COINFRONT_COIN: "${coin}" is no shipped profile (${shippedProfileNames.join(', ')}) and no readable file.`,
    );
  }
  try {
    return describe(coin, parseProfile(JSON.parse(text)));
  } catch {
    return fail(`COINFRONT_COIN: the file ${coin} is not JSON.`);
  }
}

function describe(coin: string, parsed: Result<CoinProfile>): Result<CoinProfile> {
  return parsed.ok ? parsed : fail(`COINFRONT_COIN: ${coin}: ${parsed.reason}`);
}
