import { expect, test } from 'vitest';
import { feeTargets, fetchNodeFees } from './fee-estimates.ts';
import { NodeError, RPC_CODE } from './node-error.ts';
import type { NodeClient } from './rpc-client.ts';

/** A node that answers `estimate` for a target. */
function nodeThat(estimate: (target: number) => unknown): NodeClient {
  const callText = async (method: string, params: readonly unknown[] = []) =>
    method === 'getmempoolinfo' ? { mempoolminfee: '0.00001000' } : estimate(Number(params[0]));
  return { callText } as unknown as NodeClient;
}

test('the node is asked up to the longest wait that it knows', async () => {
  const { estimates } = await fetchNodeFees(nodeThat((target) => ({ feerate: `0.0${target}`, blocks: '2' })));
  expect([...estimates.keys()]).toEqual([...feeTargets]);
  expect(Math.max(...feeTargets)).toBe(1008);
  expect(estimates.get(1008)).toBe('0.01008');
});

test('a node that knows no such wait still says what it does know', async () => {
  const node = nodeThat((target) => {
    if (target > 144)
      throw new NodeError('rpc', 'Invalid conf_target', { rpcCode: RPC_CODE.invalidParameter });
    return target === 1 ? { errors: ['Insufficient data or no feerate found'] } : { feerate: '0.00002' };
  });
  const { estimates, minimumRate } = await fetchNodeFees(node);
  expect([...estimates.keys()]).toEqual([2, 3, 6, 12, 24, 144]);
  expect(minimumRate).toBe('0.00001000');
});

test('a node that does not answer is no node without estimates', async () => {
  const node = nodeThat(() => {
    throw new NodeError('timeout', 'no answer');
  });
  await expect(fetchNodeFees(node)).rejects.toThrow('no answer');
});
