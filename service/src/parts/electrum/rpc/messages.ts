import { hasMoreParts, parseJsonText } from '../../../json-text.ts';
import { electrumLimits } from '../electrum-limits.ts';
import { RpcError, rpcCodes } from './rpc-error.ts';

/** A call of a client. */
export type Call = {
  /** As JSON; undefined for a notification, which is never answered. */
  readonly id: string | undefined;
  readonly method: string;
  readonly params: readonly unknown[] | Readonly<Record<string, unknown>>;
};

const MAX_ID_LENGTH = 256;
const MAX_METHOD_LENGTH = 64;

/** Reads one call of a message that was JSON. @throws RpcError `invalidRequest` */
export function readCall(value: unknown): Call {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RpcError('invalidRequest', 'A call is an object with "method", "params" and "id".');
  const { method, params = [] } = value as Record<string, unknown>;
  if (typeof method !== 'string' || method.length > MAX_METHOD_LENGTH)
    throw new RpcError('invalidRequest', `"method" is a text of at most ${MAX_METHOD_LENGTH} characters.`);
  if (typeof params !== 'object' || params === null)
    throw new RpcError('invalidRequest', '"params" is an array, or an object of named parameters.');
  return { id: readId(value), method, params: params as Call['params'] };
}

/** The id of a call as JSON; undefined where there is none. @throws RpcError `invalidRequest` */
export function readId(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  const { id } = value;
  if (typeof id === 'number') return JSON.stringify(id);
  if (id === null) return 'null';
  if (typeof id === 'string' && id.length <= MAX_ID_LENGTH) return toJson(id);
  throw new RpcError(
    'invalidRequest',
    `"id" is a number, null, or a text of at most ${MAX_ID_LENGTH} characters.`,
  );
}

/** The answer to a call. @param result as JSON */
export function writeResult(id: string, result: string): string {
  return `{"jsonrpc":"2.0","result":${result},"id":${id}}`;
}

/** The answer to a call that failed. */
export function writeError(id: string, error: Pick<RpcError, 'code' | 'message'>): string {
  return `{"jsonrpc":"2.0","error":{"code":${error.code},"message":${toJson(error.message)}},"id":${id}}`;
}

/** What a subscribed client is told. @param params as JSON */
export function writeNotification(method: string, params: string): string {
  return `{"jsonrpc":"2.0","method":"${method}","params":${params}}`;
}

/** JSON in ASCII, so that a message has as many bytes as characters. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Parses a message. @throws RpcError `notJson`, or `tooMuch` where parsing it would take the thread long */
export function parseMessage(text: string): unknown {
  if (hasMoreParts(text, electrumLimits.messageParts)) throw tooManyParts();
  try {
    return parseJsonText(text);
  } catch {
    throw new RpcError('notJson', 'A message is one line of JSON.');
  }
}

/** Of a message that is not parsed. */
export function tooManyParts(): RpcError {
  const most = electrumLimits.messageParts;
  return new RpcError('tooMuch', `message too large: at most ${most} commas and brackets are taken`);
}

/** What a client is told of an error that was not foreseen. */
export const internalError = { code: rpcCodes.internal, message: 'internal error' } as const;
