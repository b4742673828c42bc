import { LogGrowthView } from '@coinfront/api/signed-log.ts';
import { parseHex } from '@coinfront/protocol/bytes.ts';
import { Check } from 'typebox/value';
import type { PeerClient } from '../../outbound/peer-client.ts';
import { type PeerLog, urlOfLog } from './peer-log.ts';

/** What a log answers that is asked for a proof of consistency. `refused`: it says that it gives none; `missing`: it may be down. */
export type FetchedPath = { kind: 'path'; path: Uint8Array[] } | { kind: 'refused' } | { kind: 'missing' };

/** Too busy, or too slow: not for want of a proof. */
const PASSING = [408, 425, 429];

/** Asks a log for the proof that it goes on from what it was. Whatever it answers, nothing throws. */
export async function fetchPath(
  client: Pick<PeerClient, 'get'>,
  log: PeerLog,
  { from, to }: { from: number; to: number },
): Promise<FetchedPath> {
  try {
    const { status, text } = await client.get(`${urlOfLog(log)}/consistency?from=${from}&to=${to}`);
    if (status >= 400 && status < 500 && !PASSING.includes(status)) return { kind: 'refused' };
    const json: unknown = status === 200 ? JSON.parse(text) : undefined;
    if (!Check(LogGrowthView, json)) return { kind: 'missing' };
    const hashes = json.path.map(parseHex);
    return hashes.every((hash) => hash.ok)
      ? { kind: 'path', path: hashes.map(({ value }) => value) }
      : { kind: 'missing' };
  } catch {
    return { kind: 'missing' };
  }
}
