/** What is sent to a witness (C2SP `tlog-witness`, `add-checkpoint`): the size that it knows, a consistency proof, and the checkpoint. */

import { base64 } from '@scure/base';
import { fail, ok, type Result } from '../result.ts';
import { decodeBase64 } from './note.ts';
import { MAX_CONSISTENCY_PATH } from './verify-consistency.ts';

/** A request to cosign a checkpoint. */
export type WitnessRequest = { oldSize: number; path: readonly Uint8Array[]; note: string };

/** The body of a request. */
export function writeWitnessRequest({ oldSize, path, note }: WitnessRequest): string {
  return `old ${oldSize}\n${path.map((hash) => `${base64.encode(hash)}\n`).join('')}\n${note}`;
}

/** Reads such a body; the checkpoint is not looked at. */
export function parseWitnessRequest(body: string): Result<WitnessRequest> {
  const end = body.indexOf('\n\n');
  const [first = '', ...rest] = body.slice(0, Math.max(0, end)).split('\n', MAX_CONSISTENCY_PATH + 2);
  const match = /^old (0|[1-9][0-9]{0,15})$/.exec(first);
  const oldSize = Number(match?.[1] ?? Number.NaN);
  if (!Number.isSafeInteger(oldSize)) return fail('the first line is "old" and a size');
  if (rest.length > MAX_CONSISTENCY_PATH) return fail(`a proof has ${MAX_CONSISTENCY_PATH} hashes at most`);
  const path: Uint8Array[] = [];
  for (const line of rest) {
    const hash = decodeBase64(line);
    if (hash?.length !== 32) return fail('a line of the proof is no base64 of 32 bytes');
    path.push(hash);
  }
  return ok({ oldSize, path, note: body.slice(end + 2) });
}
