import { setTimeout as delay } from 'node:timers/promises';
import type { TestNode } from '../../test/harness/litecoind.ts';
import type { Fault } from '../plan/faults.ts';
import type { Rig } from '../rig/rig.ts';
import type { Signers } from '../work/signers.ts';

/** Takes the last blocks back and puts a longer branch in their place. */
export async function reorganise(rig: Rig, signers: Signers, fault: Fault): Promise<void> {
  await rig.withChain(() =>
    fault.kind === 'reorganised-by-peer' ? followPeer(rig, fault) : invalidate(rig, signers, fault),
  );
}

async function invalidate({ node, pair }: Rig, signers: Signers, fault: Fault): Promise<void> {
  const height = await node.rpc<number>('getblockcount');
  const depth = Math.min(fault.depth, height - 1);
  await forgetBranches(node);
  await node.rpc('invalidateblock', await node.rpc('getblockhash', height - depth + 1));
  // The service may follow down first, or see the new branch only.
  await delay(fault.holdMs / 2);
  const conflicts = fault.kind === 'double-spent' ? await signers.makeConflicts(node) : [];
  const to = await node.newAddress();
  if (conflicts.length > 0) await node.rpc('generateblock', to, conflicts);
  const missing = height + 1 - (await node.rpc<number>('getblockcount'));
  await node.rpc('generatetoaddress', Math.max(missing - 1, 0), to);
  await delay(fault.holdMs / 2);
  await node.rpc('generatetoaddress', 1, to);
  await pair.join();
}

/** Branches that were left earlier: the node would go back to one that is longer than what is left, and so deeper than is meant. */
async function forgetBranches(node: TestNode): Promise<void> {
  type ChainTip = { hash: string; branchlen: number; status: string };
  for (const { hash, branchlen, status } of await node.rpc<ChainTip[]>('getchaintips')) {
    if (branchlen === 0 || status === 'invalid') continue;
    let first = hash;
    for (let i = 1; i < branchlen; i++)
      first = (await node.rpc<{ previousblockhash: string }>('getblockheader', first)).previousblockhash;
    await node.rpc('invalidateblock', first);
  }
}

/** The peer mines a longer branch while the two are apart; when they meet the node leaves its own at one blow. */
async function followPeer({ node, peer, pair }: Rig, { depth, holdMs }: Fault): Promise<void> {
  await pair.part();
  const height = await peer.rpc<number>('getblockcount');
  for (let i = 0; i < depth; i++) await node.mine(1);
  await delay(holdMs);
  const ahead = (await node.rpc<number>('getblockcount')) - height;
  await peer.mine(ahead + 1);
  await pair.join();
}
