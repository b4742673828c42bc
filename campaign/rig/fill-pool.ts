import { createHash } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { testProfile } from '../../test/harness/test-coin.ts';
import type { Rig } from './rig.ts';

const ADDRESSES = 400;
const LEAST_READY = 200;
/** Derived from no secret: nobody ever spends what is paid there. */
const account = HDKey.fromMasterSeed(createHash('sha256').update('campaign').digest(), {
  private: testProfile.extendedPrivateVersion,
  public: testProfile.extendedPublicVersion,
}).derive("m/84'/1'/0'").publicExtendedKey;

/** Imports fresh addresses into the merchant's pool when few are left. */
export async function fillPool({ supervised: { service }, merchant }: Rig): Promise<void> {
  const key = { 'x-coin-pay-api-key': merchant.apiKey };
  const { pool } = (await service.get('/api/v1/merchant', key)).json;
  if (pool.ready >= LEAST_READY) return;
  const from = pool.ready + pool.leased + pool.retired;
  const body = { xpub: account, from, count: ADDRESSES };
  const { status, text, json } = await service.post('/api/v1/merchant/addresses', body, key);
  if (status !== 200 || json.imported !== ADDRESSES)
    throw new Error(`Importing addresses answers ${status}: ${text.slice(0, 500)}`);
}
