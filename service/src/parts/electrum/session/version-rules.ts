/** Versions of the protocol that are spoken, and which of them a session gets. */

/** The versions that are spoken. */
export const protocolVersions = { least: '1.4', greatest: '1.6' } as const;
/** The latest that does not ask for `server.version` before anything else. */
const GREATEST_LATE = '1.4.2';

/** What a session speaks. */
export type ProtocolVersion = { readonly text: string; readonly rank: number };

/** Of a client that never says one. */
export const defaultVersion: ProtocolVersion = { text: '1.4', rank: rankOf('1.4') };
/** From here on lists of headers, no `blockchain.relayfee`, and packages. */
export const RANK_1_6: number = rankOf('1.6');
const FORM = /^\d{1,3}(\.\d{1,3}){0,2}$/;

/**
 * Chooses the highest version that both sides speak.
 *
 * @param asked a version, or the least and the greatest in an array; undefined where the client says none
 * @param isLate the session has made other calls before, which 1.6 forbids
 * @returns undefined where there is none in common; `invalid` for what is no version
 */
export function chooseVersion(asked: unknown, isLate: boolean): ProtocolVersion | undefined | 'invalid' {
  const range = readRange(asked);
  if (range === undefined) return 'invalid';
  const greatest = isLate ? GREATEST_LATE : protocolVersions.greatest;
  const text = rankOf(range.greatest) < rankOf(greatest) ? range.greatest : greatest;
  const rank = rankOf(text);
  const least = Math.max(rankOf(range.least), rankOf(protocolVersions.least));
  return rank < least ? undefined : { text, rank };
}

function readRange(asked: unknown): { least: string; greatest: string } | undefined {
  const pair: readonly unknown[] = Array.isArray(asked) ? asked : [asked ?? defaultVersion.text];
  const [least, greatest = least] = pair;
  if (pair.length > 2 || !isVersion(least) || !isVersion(greatest)) return undefined;
  return { least, greatest };
}

function isVersion(value: unknown): value is string {
  return typeof value === 'string' && FORM.test(value);
}

/** Numbers in the order of versions. */
function rankOf(version: string): number {
  const [major = 0, minor = 0, revision = 0] = version.split('.').map(Number);
  return major * 1_000_000 + minor * 1_000 + revision;
}
