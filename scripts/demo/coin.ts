import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findShippedProfileJson } from '@coinfront/protocol/shipped-profiles.ts';

/** Lives of names on the local chain, in blocks: short, so that there are names in every state. */
export const demoNameLives = { period: 400, grace: 40, premium: 40 } as const;

/** The coin of the local chain: the shipped profile of regtest, but for the lives of names. */
export function makeDemoCoin(): object {
  const shipped = findShippedProfileJson('regtest') as { names: object };
  return {
    ...shipped,
    names: {
      ...shipped.names,
      period_blocks: demoNameLives.period,
      grace_blocks: demoNameLives.grace,
      premium_blocks: demoNameLives.premium,
    },
  };
}

/** Writes the coin of the local chain into its folder, for `COINFRONT_COIN`; gives the file. */
export function writeDemoCoin(dir: string): string {
  const file = join(dir, 'coin.json');
  writeFileSync(file, `${JSON.stringify(makeDemoCoin(), undefined, 2)}\n`);
  return file;
}
