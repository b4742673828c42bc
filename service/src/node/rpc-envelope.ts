import { NodeError, RPC_CODE } from './node-error.ts';
import type { HttpAnswer } from './node-http.ts';
import type { BatchAnswer } from './rpc-client.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
const DROPPED = Buffer.from('Unhandled request');

/**
 * Takes the result out of the answer to one JSON-RPC call.
 *
 * Core answers an error with HTTP 404 or 500 and a JSON body (JSON-RPC 1.0), so the body is read whatever
 * the status says.
 *
 * @throws NodeError of every kind but `unreachable` and `timeout`.
 */
export function readSingle(
  answer: HttpAnswer,
  expected: { id: number; label: string; exactNumbers: boolean },
): unknown {
  const envelope = parseBody(answer, expected.label, expected.exactNumbers);
  const result = readEnvelope(envelope, expected.id, expected.label);
  if (!result.ok) throw result.error;
  return result.value;
}

/**
 * Takes the results out of the answer to a batch, in the order of the calls.
 *
 * @throws NodeError when the batch as a whole was not answered; errors of single calls are values.
 */
export function readBatch(
  answer: HttpAnswer,
  expected: { firstId: number; count: number; label: string },
): BatchAnswer[] {
  const { firstId, count, label } = expected;
  const body = parseBody(answer, label, false);
  if (!Array.isArray(body)) {
    const whole = readEnvelope(body, undefined, label);
    throw whole.ok
      ? new NodeError('invalid_answer', `The node answered ${label} with no list.`)
      : whole.error;
  }
  if (body.length !== count) {
    throw new NodeError(
      'invalid_answer',
      `The node answered ${label} with ${body.length} results for ${count}.`,
    );
  }
  return body.map((entry, index) => {
    const result = readEnvelope(entry, firstId + index, label);
    if (!result.ok && result.error.kind !== 'rpc') throw result.error;
    return result;
  });
}

function parseBody(answer: HttpAnswer, label: string, exactNumbers: boolean): unknown {
  const { status, body } = answer;
  if (status === 401) {
    throw new NodeError('unauthorized', `The node refused ${label} with HTTP 401. Check user and password.`);
  }
  if (status === 403) {
    throw new NodeError(
      'forbidden',
      `The node refused ${label} with HTTP 403. Check its -rpcwhitelist, and its -rpcallowip.`,
    );
  }
  // Core takes its RPC away before it closes its sockets, and puts it there after it has opened them.
  if (status === 404 && body.length === 0) {
    throw new NodeError(
      'unreachable',
      `The node has no RPC for ${label} (HTTP 404): it is stopping or starting, or its URL has a path too many.`,
    );
  }
  // What Core says of a request that it had taken and drops when it stops.
  if (status === 500 && Buffer.from(body).equals(DROPPED)) {
    throw new NodeError('unreachable', `The node dropped ${label} (HTTP 500): it is stopping.`);
  }
  try {
    const text = decoder.decode(body);
    return exactNumbers ? JSON.parse(text, keepNumberText) : JSON.parse(text);
  } catch (cause) {
    throw new NodeError(
      status === 503 ? 'busy' : 'invalid_answer',
      `The node answered ${label} with HTTP ${status} and ${body.length} bytes that are not JSON.`,
      { cause },
    );
  }
}

function readEnvelope(envelope: unknown, id: number | undefined, label: string): BatchAnswer {
  if (typeof envelope !== 'object' || envelope === null || Array.isArray(envelope)) {
    throw new NodeError('invalid_answer', `The node answered ${label} with JSON that is no RPC answer.`);
  }
  const { error, result, id: gotId } = envelope as { error?: unknown; result?: unknown; id?: unknown };
  if (error !== undefined && error !== null) return { ok: false, error: readError(error, label) };
  // With exact numbers the id is text.
  if (id !== undefined && Number(gotId) !== id) {
    throw new NodeError('invalid_answer', `The node answered ${label} with the id of another call.`);
  }
  if (result === undefined) {
    throw new NodeError('invalid_answer', `The node answered ${label} with neither a result nor an error.`);
  }
  return { ok: true, value: result };
}

function readError(error: unknown, label: string): NodeError {
  const { code, message } = (typeof error === 'object' ? error : {}) as { code?: unknown; message?: unknown };
  const rpcCode = Number(code);
  if (!Number.isSafeInteger(rpcCode)) {
    return new NodeError('invalid_answer', `The node answered ${label} with an error that has no code.`);
  }
  const text = typeof message === 'string' ? message.slice(0, 1000) : 'no message';
  if (rpcCode === RPC_CODE.inWarmup) return new NodeError('warming_up', `The node is starting: ${text}`);
  return new NodeError('rpc', text, { rpcCode });
}

/** The reviver's third argument (ECMAScript 2026) is not in TypeScript's library yet. */
const keepNumberText = ((_key: string, value: unknown, context: { source?: string }): unknown =>
  typeof value === 'number' ? (context.source ?? String(value)) : value) as (
  key: string,
  value: unknown,
) => unknown;
