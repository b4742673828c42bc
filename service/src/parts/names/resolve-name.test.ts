import { encodeAddress } from '@coinfront/protocol/address.ts';
import { nameBytes } from '@coinfront/protocol/names/name-syntax.ts';
import { witnessScript } from '@coinfront/protocol/script.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { describe, expect, test } from 'vitest';
import type { ChainView, ReadChain } from '../../chain/chain-view.ts';
import { createNameResolver } from './resolve-name.ts';

const profile = getShippedProfile('regtest');
const OWNER = witnessScript(0, new Uint8Array(20).fill(7));
const NOW = 1_800_000_000_000;
const EXPIRY = 500;

/** An index at a height whose looks are, one after the other, whole as of these times. */
function resolveAt(height: number | undefined, ...wholeAsOf: (number | undefined)[]) {
  let looks = 0;
  const readChain = (async (read: (view: ChainView) => Promise<unknown>) => {
    const atMs = wholeAsOf[Math.min(looks++, wholeAsOf.length - 1)];
    return await read({
      tip: height === undefined ? undefined : { height },
      getSynced: async () => (atMs === undefined ? undefined : { atMs }),
      reader: {
        get: async () => ({
          name: nameBytes('alice.coin'),
          owner: OWNER,
          registered_height: 100,
          expiry: EXPIRY,
          is_registrant: 1,
        }),
      },
    } as unknown as ChainView);
  }) as ReadChain;
  return createNameResolver(readChain, profile, () => NOW)!('alice.coin');
}

describe('a name that is about to be paid', () => {
  const address = encodeAddress(OWNER, profile);

  test('stands for its owner below its expiry, in an index that is in step with the node', async () => {
    expect(await resolveAt(EXPIRY - 1, NOW - 1_000)).toBe(address);
    expect(await resolveAt(EXPIRY, NOW - 1_000)).toBe(undefined);
  });

  test('waits for a whole state, which is there in a moment', async () => {
    expect(await resolveAt(EXPIRY - 1, undefined, undefined, NOW)).toBe(address);
  });

  test.each([
    ['the index is far behind', EXPIRY - 1, NOW - 121_000],
    ['no state is whole, as in the first sync', EXPIRY - 1, undefined],
    ['nothing is indexed', undefined, NOW],
  ])('is not resolved while %s', async (_, height, atMs) => {
    await expect(resolveAt(height, atMs)).rejects.toMatchObject({ code: 'not_ready', status: 503 });
  });

  test('is unknown where the coin has no registry, and where it is none', async () => {
    const never: ReadChain = () => Promise.reject(new Error('not asked'));
    expect(createNameResolver(never, { ...profile, names: undefined }, () => NOW)).toBe(undefined);
    expect(await createNameResolver(never, profile, () => NOW)!('Alice.coin')).toBe(undefined);
  });
});
