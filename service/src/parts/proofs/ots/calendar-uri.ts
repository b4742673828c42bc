import { isCalendarUri } from '@coinfront/protocol/ots/ots-attestations.ts';

/** Where programs for OpenTimestamps find the calendar. */
export const otsPrefix = '/ots';

/**
 * The address of the calendar as pending attestations name it: programs ask it for the rest later. Undefined without a public address, and with one that
 * has characters that the format does not allow, such as those of an IPv6 address.
 */
export function findCalendarUri(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined) return undefined;
  // They resolve `digest` and `timestamp/…` against it.
  const uri = `${publicUrl}${otsPrefix}/`;
  return isCalendarUri(uri) ? uri : undefined;
}
