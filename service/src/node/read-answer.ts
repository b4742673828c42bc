/** What comes back from a node is whatever listens there: looked at before it is used. */

import { NodeError } from './node-error.ts';
import type { NodeClient } from './rpc-client.ts';

/** Fields whose values are yet to be looked at. */
export type AnswerFields = Readonly<Record<string, unknown>>;

type Asked = Pick<NodeClient, 'origin'>;

/**
 * The fields of an answer that is an object.
 *
 * @param what the answer is, for the message: "a description of its chain"
 * @throws NodeError `invalid_answer`
 */
export function readFields({ origin }: Asked, what: string, answer: unknown): AnswerFields {
  if (isFields(answer)) return answer;
  throw new NodeError('invalid_answer', `The node at ${origin} gave no ${what}.`);
}

/**
 * The fields of each element of an answer that is a list of objects.
 *
 * @throws NodeError `invalid_answer`
 */
export function readFieldsOfEach({ origin }: Asked, what: string, answer: unknown): AnswerFields[] {
  if (Array.isArray(answer) && answer.every(isFields)) return answer;
  throw new NodeError('invalid_answer', `The node at ${origin} gave no ${what}.`);
}

/**
 * A hash as nodes write it: 64 lowercase hex digits.
 *
 * @throws NodeError `invalid_answer`
 */
export function readHash({ origin }: Asked, what: string, answer: unknown): string {
  if (typeof answer === 'string' && /^[0-9a-f]{64}$/.test(answer)) return answer;
  throw new NodeError('invalid_answer', `The node at ${origin} gave no ${what}.`);
}

function isFields(value: unknown): value is AnswerFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
