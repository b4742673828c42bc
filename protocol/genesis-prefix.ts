import { getHexBytes } from './bytes.ts';
import type { CoinProfile } from './profile.ts';

const PREFIX_BYTES = 8;

/** The first 8 bytes of a chain's genesis hash in internal byte order: they keep one coin's hashes from another's. */
export function genesisPrefix({ genesisHash }: Pick<CoinProfile, 'genesisHash'>): Uint8Array {
  return getHexBytes(genesisHash).reverse().slice(0, PREFIX_BYTES);
}
