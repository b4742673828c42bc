/**
 * Every way in which asking the coin node can fail. A closed set: callers decide by `kind`, never by text.
 *
 * - `unreachable`: no connection, or it broke before the answer was whole
 * - `timeout`: no whole answer within the time given
 * - `unauthorized`: the node refused our credentials (HTTP 401)
 * - `forbidden`: the node does not let us call the method (its whitelist), or refuses our address (HTTP 403)
 * - `warming_up`: the node is starting and does not answer yet (RPC code -28)
 * - `busy`: the node's work queue, or ours, is full; nothing was executed
 * - `rpc`: the node answered with an error; `rpcCode` is its code
 * - `invalid_answer`: what came back is no answer of a node: not JSON, too large, another id
 */
export type NodeErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'unauthorized'
  | 'forbidden'
  | 'warming_up'
  | 'busy'
  | 'rpc'
  | 'invalid_answer';

/** A failed exchange with the coin node. The message never contains credentials. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly kind: NodeErrorKind;
  /** The node's JSON-RPC error code; present exactly when `kind` is `rpc`. */
  readonly rpcCode: number | undefined;

  constructor(kind: NodeErrorKind, message: string, details: { rpcCode?: number; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.rpcCode = details.rpcCode;
  }
}

/** Tells whether a caught value is a {@link NodeError}, optionally of one kind. */
export function isNodeError(error: unknown, kind?: NodeErrorKind): error is NodeError {
  return error instanceof NodeError && (kind === undefined || error.kind === kind);
}

/** Tells whether asking again later may succeed without anybody changing anything. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof NodeError &&
    (error.kind === 'unreachable' ||
      error.kind === 'timeout' ||
      error.kind === 'warming_up' ||
      error.kind === 'busy')
  );
}

/** Codes of Bitcoin Core's `rpc/protocol.h` that this service decides by. */
export const RPC_CODE = {
  misc: -1,
  invalidAddressOrKey: -5,
  invalidParameter: -8,
  deserialization: -22,
  verifyError: -25,
  verifyRejected: -26,
  verifyAlreadyInChain: -27,
  inWarmup: -28,
  methodNotFound: -32601,
} as const;

/** Tells whether the node does not have the method, or does not let us call it (a whitelist, a proxy). */
export function isMethodRefused(error: unknown): boolean {
  if (!(error instanceof NodeError)) return false;
  return error.rpcCode === RPC_CODE.methodNotFound || error.kind === 'forbidden';
}
