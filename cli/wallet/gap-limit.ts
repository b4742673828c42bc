import { GAP_LIMIT } from '@coinfront/sdk/wallet/scan-memory.ts';
import type { Context } from '../shell/context.ts';
import { readWhole } from './amounts.ts';

/** Unused addresses in a row after which a search ends: what was asked for, or the standard's. */
export function readGapLimit({ options }: Pick<Context, 'options'>): number {
  return readWhole('--gap-limit', options['gap-limit'] ?? String(GAP_LIMIT), { min: GAP_LIMIT, max: 2_000 });
}
