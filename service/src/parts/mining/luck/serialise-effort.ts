import { findLuck } from '../mining-rules.ts';
import type { KnownEffort } from './effort-store.ts';

/** An effort as bodies have it. */
export function serialiseEffort(known: KnownEffort | undefined) {
  return {
    effort: known?.effort ?? null,
    effort_source:
      known === undefined ? null : known.kind === 'reported' ? ('pool' as const) : ('observed' as const),
    luck: findLuck(known?.effort) ?? null,
  };
}
