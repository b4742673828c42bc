import type { PoolSourceSetting } from '../../config-values.ts';
import { createFetchJson } from '../../outbound/fetch-json.ts';
import { createCkpoolSource } from './ckpool-source.ts';
import { createMiningcoreSource } from './miningcore-source.ts';
import type { PoolSource } from './pool-source.ts';
import { createPublicPoolSource } from './public-pool-source.ts';
import { parseSourceJson } from './source-values.ts';

/** The source that an operator configured. Nothing is read yet. */
export function openPoolSource(setting: PoolSourceSetting): PoolSource {
  switch (setting.kind) {
    case 'ckpool':
      return createCkpoolSource(setting.folder);
    case 'miningcore':
      return createMiningcoreSource(createFetchJson(setting.url, parseSourceJson), setting.poolId);
    case 'public-pool':
      return createPublicPoolSource(createFetchJson(setting.url, parseSourceJson));
  }
}
