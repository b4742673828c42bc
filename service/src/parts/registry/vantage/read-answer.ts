/** Reads what peers answer: nothing is parsed that is larger, or has more parts, than a peer has a reason to send. */

import { hasMoreParts } from '../../../json-text.ts';
import type { PeerClient } from '../../../outbound/peer-client.ts';
import type { AnswerBounds } from './vantage-bounds.ts';

/**
 * The JSON of an answer.
 *
 * @throws Error when there is none, or it is beyond its bounds
 */
export async function readAnswer(
  client: Pick<PeerClient, 'fetchText'>,
  url: string,
  { maxChars, maxParts }: AnswerBounds,
): Promise<unknown> {
  const text = await client.fetchText(url);
  if (text.length > maxChars) throw new Error('the peer answers at too great length');
  if (hasMoreParts(text, maxParts)) throw new Error('the answer of the peer has too many parts');
  return JSON.parse(text);
}
