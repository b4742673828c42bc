/** What the operator's commands do with the node registry. */

import type { NodeState } from '@coinfront/api/registry.ts';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import type { Precious } from '../db/precious.ts';
import { loadProfile } from '../load-profile.ts';
import { verifyRegistry } from '../parts/registry/audit/verify-registry.ts';
import { changeNodeState, findNode, listNodes } from '../parts/registry/nodes/node-store.ts';
import { lockRegistry } from '../parts/registry/registry-context.ts';
import { uptimePpm } from '../parts/registry/rewards/reward-parts.ts';
import type { RegistryNodeTable, RegistryTables } from '../parts/registry/schema/registry-tables.ts';
import type { SignedLogTables } from '../signed-log/log-tables.ts';
import { forgetPeerLogs } from '../signed-log/witness/witness-store.ts';
import { findServicePublicKey } from '../signing/service-key.ts';

/** A command about nodes and the log. */
export type RegistryCommand =
  | { kind: 'registry-list' }
  | { kind: 'registry-forget-peer'; peer: string }
  | { kind: 'registry-remove' | 'registry-block' | 'registry-unblock'; nodeKey: string };

type Outcome = Result<{ lines: readonly string[]; json: object }>;

/** Runs a command; a reason says why it could not be done. */
export async function runRegistryCommand(precious: Precious, command: RegistryCommand): Promise<Outcome> {
  if (command.kind === 'registry-list') return await list(precious);
  if (command.kind === 'registry-forget-peer') return await forgetPeer(precious, command.peer);
  const { from, to, done } = changes[command.kind];
  const nodeKey = command.nodeKey.toLowerCase();
  const changed = await precious.transaction<RegistryTables, boolean>(async (trx) => {
    await lockRegistry(trx, precious.engine);
    return await changeNodeState(trx, nodeKey, from, to);
  });
  if (changed) return ok({ lines: [`${nodeKey} ${done}`], json: { node_key: nodeKey, state: to } });
  const node = await findNode(precious.query<RegistryTables>(), nodeKey);
  return fail(node === undefined ? 'No node has this key.' : `The node is ${node.state} already.`);
}

type Change = { from: readonly NodeState[]; to: NodeState; done: string };

const changes: Record<'registry-remove' | 'registry-block' | 'registry-unblock', Change> = {
  'registry-remove': {
    from: ['active', 'lapsed', 'displaced'],
    to: 'removed',
    done: 'is not looked at any more; its owner may register it again.',
  },
  'registry-block': {
    from: ['active', 'lapsed', 'displaced', 'removed'],
    to: 'blocked',
    done: 'is not looked at any more, and cannot be registered again.',
  },
  'registry-unblock': { from: ['blocked'], to: 'removed', done: 'may be registered again.' },
};

/** A peer that has told of a new key: what was cosigned of its old logs is no measure of the new ones. */
async function forgetPeer(precious: Precious, peer: string): Promise<Outcome> {
  const url = peer.replace(/\/+$/, '');
  if (!(await forgetPeerLogs(precious.query<SignedLogTables>(), url)))
    return fail('No log of such a peer was witnessed.');
  return ok({ lines: [`The next logs that ${url} shows are taken for its logs.`], json: { peer: url } });
}

async function list(precious: Precious): Promise<Outcome> {
  const nodes = await listNodes(precious.query<RegistryTables>(), {
    state: undefined,
    afterKey: undefined,
    limit: Number.MAX_SAFE_INTEGER,
  });
  const items = nodes.map(describe);
  const lines = items.flatMap(({ node_key, state, endpoint, payout_address, uptime_ppm, last_verdict }) => [
    `${node_key}  ${state}`,
    `    at ${endpoint}, for ${payout_address}`,
    `    uptime ${uptime_ppm === null ? 'unknown' : `${(uptime_ppm / 10_000).toFixed(2)}%`}, last verdict ${last_verdict ?? 'none'}`,
  ]);
  return ok({ lines: lines.length > 0 ? lines : ['No node is registered.'], json: { items } });
}

function describe(node: RegistryNodeTable) {
  const { node_key, state, endpoint, payout_address, passed, failed, voided, last_verdict, last_reason } =
    node;
  const uptime_ppm = uptimePpm(node) ?? null;
  return {
    node_key,
    state,
    endpoint,
    payout_address,
    passed,
    failed,
    void: voided,
    uptime_ppm,
    last_verdict,
    last_reason,
  };
}

/** What a verification is printed as. */
export type VerifiedRegistry = { isSound: boolean; lines: string[]; json: object };

/** Walks the log of receipts; the service may go on meanwhile. */
export async function verifyRegistryLog(
  precious: Precious,
  { keyFile, coin, head }: { keyFile: string; coin: string | undefined; head: string | null },
): Promise<Result<VerifiedRegistry>> {
  const profile = coin === undefined ? undefined : loadProfile(coin);
  if (profile?.ok === false) return profile;
  const registryKey = findServicePublicKey(keyFile);
  const { faults, isCut, receipts, nodes, keys, lastHash } = await verifyRegistry({
    precious,
    genesisHash: profile?.value.genesisHash,
    registryKey,
    head: head ?? undefined,
  });
  const isSound = faults.length === 0;
  const what = `${receipts} receipts of ${nodes} nodes`;
  const unknown =
    registryKey === undefined
      ? [`Signed by ${keys.join(', ') || 'nobody'}: ${keyFile} is not here to compare.`]
      : [];
  return ok({
    isSound,
    lines: isSound
      ? [`The log is sound: ${what}.`, `It ends with ${lastHash ?? 'nothing'}.`, ...unknown]
      : [
          `The log is not sound (${what}); ${isCut ? 'the first faults' : 'all faults'}:`,
          ...faults.map((fault) => `  ${fault}`),
        ],
    json: { sound: isSound, receipts, nodes, keys, last_hash: lastHash ?? null, faults, more: isCut },
  });
}
