import { createHash } from 'node:crypto';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { describeRules } from '@coinfront/protocol/rules-text.ts';

/**
 * What of an answer hangs on the program and on the profile, for ETags: a profile whose prices were changed gives other
 * answers at the same tip.
 */
export function saltOfSnapshots(version: string, profile: CoinProfile): string {
  const rules = createHash('sha256').update(describeRules(profile)).digest('hex').slice(0, 12);
  return `${version}-${profile.id}-${rules}`;
}
