import type { CoinProfile } from '../profile.ts';
import { getShippedProfile } from '../shipped-profiles.ts';

/** Profiles that the published vectors and the properties are run on. */
export const bitcoin: CoinProfile = getShippedProfile('bitcoin');
export const regtest: CoinProfile = getShippedProfile('regtest');
export const litecoin: CoinProfile = getShippedProfile('litecoin');
export const dogecoin: CoinProfile = getShippedProfile('dogecoin');
