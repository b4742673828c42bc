import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import type { NameContext } from '@coinfront/protocol/names/name-rules.ts';
import { type CoinProfile, parseProfile } from '@coinfront/protocol/profile.ts';
import regtest from '@coinfront/protocol/profiles/regtest.json' with { type: 'json' };
import { getValue } from '@coinfront/protocol/result.ts';

/** The regtest coin with a registry whose whole life of a name fits a few dozen blocks. */
export const shortLivedJson = {
  ...regtest,
  names: {
    ...regtest.names,
    commit_maturity_blocks: 3,
    commit_lifetime_blocks: 12,
    period_blocks: 20,
    max_periods: 3,
    grace_blocks: 8,
    premium_blocks: 10,
    premium_start: '10.00000000',
  },
};

export const shortLivedProfile: CoinProfile = getValue(parseProfile(shortLivedJson));

/** What the rules of names need of it. */
export const shortLivedContext: NameContext = {
  rules: shortLivedProfile.names!,
  genesisPrefix: genesisPrefix(shortLivedProfile),
};

/** Writes it to a file, for `COINFRONT_COIN`. */
export async function writeShortLivedProfile(folder: string): Promise<string> {
  const file = join(folder, 'short-lived.json');
  await writeFile(file, JSON.stringify(shortLivedJson));
  return file;
}
