import { getHexBytes } from '../bytes.ts';
import { genesisPrefix } from '../genesis-prefix.ts';
import type { NameContext } from '../names/name-rules.ts';
import type { TokenContext } from '../tokens/token-rules.ts';

/** The genesis hash that suites and vectors of names and tokens use (litecoind's regtest), as people write it. */
export const GENESIS_HASH = '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9';

/** Where suites and vectors pay their fees. */
export const FEE_SCRIPT: Uint8Array = getHexBytes(`0020${'fe'.repeat(32)}`);

const prefix = genesisPrefix({ genesisHash: GENESIS_HASH });

/** A registry whose whole life of a name fits a few dozen blocks. */
export const nameContext: NameContext = {
  genesisPrefix: prefix,
  rules: {
    marker: getHexBytes('564e5331'),
    activationHeight: 100,
    feeScript: FEE_SCRIPT,
    tlds: ['coin', 'test'],
    minLabelLength: 3,
    commitMaturityBlocks: 2,
    commitLifetimeBlocks: 6,
    periodBlocks: 10,
    maxPeriods: 3,
    graceBlocks: 5,
    premiumBlocks: 4,
    premiumStart: 1001n,
    prices: [
      {
        fromHeight: 100,
        byLength: [
          { maxLength: 3, perPeriod: 500n },
          { maxLength: 4, perPeriod: 100n },
          { maxLength: 32, perPeriod: 10n },
        ],
      },
      { fromHeight: 130, byLength: [{ maxLength: 32, perPeriod: 20n }] },
    ],
  },
};

/** Tokens whose CREATE fee rises once. */
export const tokenContext: TokenContext = {
  genesisPrefix: prefix,
  rules: {
    marker: getHexBytes('56544b31'),
    activationHeight: 100,
    feeScript: FEE_SCRIPT,
    createFees: [
      { fromHeight: 100, fee: 1000n },
      { fromHeight: 110, fee: 2000n },
    ],
  },
};
