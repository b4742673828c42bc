import type { NameEventJson } from '@coinfront/api/name-timeline.ts';
import type { NameRules } from '@coinfront/protocol/profile.ts';

/** What of a valid register, transfer or renew the life of its name hangs on. */
export type LifeOperation = { readonly height: number; readonly expiry: number | null };

/** An event that no transaction made. */
export type PassedEvent = { readonly kind: NameEventJson['kind']; readonly height: number };

/**
 * What becomes of a name after an operation, oldest first, up to the block of the next one: it expires, it can be registered by
 * anybody, it is as if it had never been.
 *
 * @param nextHeight - block of the next valid operation; undefined where there is none, so that it goes on beyond the tip
 */
export function listPassedEvents(
  { height, expiry }: LifeOperation,
  nextHeight: number | undefined,
  { graceBlocks, premiumBlocks }: Pick<NameRules, 'graceBlocks' | 'premiumBlocks'>,
): PassedEvent[] {
  if (expiry === null) return [];
  const released = expiry + graceBlocks;
  const events: PassedEvent[] = [
    { kind: 'expired', height: expiry },
    { kind: 'released', height: released },
    { kind: 'lapsed', height: released + premiumBlocks },
  ];
  // A renewal late in a long grace can leave the name expired: that is no new event.
  return events.filter(
    (event) => event.height > height && (nextHeight === undefined || event.height <= nextHeight),
  );
}
