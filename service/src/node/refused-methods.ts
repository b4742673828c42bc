import { isMethodRefused, isNodeError } from './node-error.ts';
import type { CallOptions, NodeClient, RpcCall } from './rpc-client.ts';

/** More parameters than any method takes: a node answers with the method's help and does nothing. */
const TOO_MANY: readonly null[] = new Array(24).fill(null);

/**
 * Finds which of these methods the node does not have, or does not let this service call. Nothing is executed. A node writes
 * each call that its whitelist forbids to its log, so it is asked for one by one only where not all are allowed.
 *
 * @throws NodeError when the node cannot be asked
 */
export async function findRefusedMethods(
  node: NodeClient,
  methods: readonly string[],
  options: CallOptions = {},
): Promise<string[]> {
  const calls = methods.map((method): RpcCall => ({ method, params: TOO_MANY }));
  try {
    const answers = await node.batch(calls, options);
    return methods.filter((_, i) => {
      const answer = answers[i]!;
      return !answer.ok && isMethodRefused(answer.error);
    });
  } catch (error) {
    // Core forbids a batch as a whole for one method in it.
    if (!isNodeError(error, 'forbidden')) throw error;
  }
  const refused: string[] = [];
  for (const method of methods) {
    const error = await node.call(method, TOO_MANY, options).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (isMethodRefused(error)) refused.push(method);
    else if (isNodeError(error) && error.rpcCode === undefined) throw error;
  }
  return refused;
}
