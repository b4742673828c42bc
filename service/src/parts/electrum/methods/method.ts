import type { ElectrumContext } from '../electrum-context.ts';
import type { Call } from '../rpc/messages.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Session } from '../session/session.ts';

/** A method of the protocol. */
export type Method = {
  /** Names of its parameters in their order, as the protocol's description has them. */
  readonly parameters: readonly string[];
  /** How many of them have to be there. */
  readonly required: number;
  /** More than these are ignored, and not refused. */
  readonly takesMore?: boolean;
  /** Ranks of the versions that have it: from, and below. */
  readonly since?: number;
  readonly until?: number;
  /** Units that are taken before. */
  readonly cost: number;
  /** @returns the result as JSON */
  readonly answer: (
    context: ElectrumContext,
    session: Session,
    given: readonly unknown[],
  ) => string | Promise<string>;
};

/** Methods by name. */
export type Methods = Readonly<Record<string, Method>>;

/** The parameters of a call in the order of its method. @throws RpcError `invalidParams` */
export function orderParameters(
  { parameters, required, takesMore = false }: Method,
  { params }: Call,
): readonly unknown[] {
  if (Array.isArray(params)) {
    if (params.length < required)
      throw new RpcError(
        'invalidParams',
        `${params.length} parameters; ${required} are needed: ${parameters.join(', ')}`,
      );
    if (params.length > parameters.length && !takesMore)
      throw new RpcError(
        'invalidParams',
        `${params.length} parameters; at most ${parameters.length} are taken`,
      );
    return params;
  }
  const named = params as Readonly<Record<string, unknown>>;
  const missing = parameters.slice(0, required).find((name) => named[name] === undefined);
  if (missing !== undefined) throw new RpcError('invalidParams', `the parameter "${missing}" is missing`);
  if (!takesMore && Object.keys(named).some((name) => !parameters.includes(name)))
    throw new RpcError('invalidParams', `there are no parameters but ${parameters.join(', ') || 'none'}`);
  return parameters.map((name) => named[name]);
}
