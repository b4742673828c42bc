/** One look at one node: a connection, a conversation, and what it says. */

import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { findEndpointTokens } from '@coinfront/protocol/registry/endpoint-token.ts';
import type { ReceiptAttempt, ReceiptObservation } from '@coinfront/protocol/registry/receipt.ts';
import { type PeerProbe, probePeer } from '../../../node/p2p/probe-peer.ts';
import type { NameServers } from '../../../outbound/resolve-host.ts';
import { parseEndpoint } from '../nodes/endpoint-rules.ts';
import type { RegistryRules } from '../registry-context.ts';
import { openNode, type Reached } from './open-node.ts';
import type { ChainTask, OwnChain } from './own-chain.ts';
import type { Places } from './places.ts';

/** What came of a look. `tokens` are those of the node's user agent. */
export type Look = {
  attempt: ReceiptAttempt;
  observed: ReceiptObservation | null;
  tokens: readonly string[];
  /** Where a host name led; undefined for addresses, and where nothing was reached. */
  reached?: Reached | undefined;
  /** Whether the node has proved that another chain has more work than ours. */
  showsMoreWork?: boolean;
};

export type LookOptions = {
  chain: OwnChain;
  rules: Pick<RegistryRules, 'allow' | 'ports' | 'socks'>;
  nameServers: NameServers;
  places: Places;
  userAgent: string;
  /** For the whole of one look. */
  limitMs: number;
  now: () => number;
};

/** Whom to look at, where its host name led before, and the token that its registration has. */
export type LookTarget = { nodeKey: string; endpoint: string; reached: string | null; token: string };

const MAX_CONNECT_MS = 5_000;
const MAX_ANSWER_MS = 20_000;
/** Looks at a node. It is void whenever our own side is at fault; then nothing is said of the node. */
export async function lookAtNode(
  target: LookTarget,
  options: LookOptions,
  signal: AbortSignal,
): Promise<Look> {
  const { chain, now } = options;
  const at = new Date(now()).toISOString();
  const isVoid = (reason: string): Look => ({
    attempt: { at, result: 'void', reason },
    observed: null,
    tokens: [],
  });
  const before = await chain.findState(false);
  if (before !== 'ready') return isVoid(`own_node_${before}`);
  const task = await chain.findTask(target.nodeKey);
  if (task === undefined) return isVoid('own_node_behind');
  const probe = await askPeer(target, task, options, signal);
  if ('ownFault' in probe) return isVoid(probe.ownFault);
  const tokens = findEndpointTokens(probe.version?.userAgent ?? '');
  const observed = describe(probe, task, tokens.includes(target.token));
  const { reached } = probe;
  if (probe.fault === undefined)
    return { attempt: { at, result: 'pass', reason: null }, observed, tokens, reached };
  // What we compared with may have been out of date already.
  const after = await chain.findState(true);
  if (after !== 'ready') return isVoid(`own_node_${after}`);
  const attempt = { at, result: 'fail' as const, reason: probe.fault };
  return { attempt, observed, tokens, reached, showsMoreWork: probe.hasMoreWork };
}

type Probe = Omit<PeerProbe, 'fault'> & { fault: string | undefined; reached?: Reached | undefined };

async function askPeer(
  { nodeKey, endpoint, reached, token }: LookTarget,
  task: ChainTask,
  { rules, nameServers, places, userAgent, limitMs }: LookOptions,
  signal: AbortSignal,
): Promise<Probe | { ownFault: string }> {
  const parsed = parseEndpoint(endpoint);
  if (!parsed.ok) return { ownFault: 'endpoint_refused' };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const unseen = {
    version: undefined,
    lag: undefined,
    pingMs: undefined,
    hasBlock: false,
    hasMoreWork: false,
  };
  try {
    const opened = await openNode(
      parsed.value,
      {
        ...{ rules, nameServers },
        before: reached,
        mayMove: (to) => places.admit(nodeKey, to),
        connectMs: Math.min(MAX_CONNECT_MS, limitMs),
      },
      limit,
    );
    if ('ownFault' in opened) return opened;
    if ('fault' in opened) return { ...unseen, fault: opened.fault };
    const probe = await probePeer(
      opened.socket,
      { ...task, userAgent, answerMs: Math.min(MAX_ANSWER_MS, limitMs) },
      limit,
    );
    const tokens = findEndpointTokens(probe.version?.userAgent ?? '');
    const isTaken =
      opened.reached !== undefined && places.isTaken(opened.reached, { nodeKey, token, tokens });
    if (isTaken) return { ...unseen, fault: 'endpoint_taken' };
    return { ...probe, fault: probe.fault?.code, reached: opened.reached };
  } catch (error) {
    if (signal.aborted) return { ownFault: 'registry_down' };
    if (limit.aborted) return { ...unseen, fault: 'timeout' };
    throw error;
  }
}

function describe(
  { version, lag, pingMs, hasBlock }: Probe,
  { block }: ChainTask,
  isProven: boolean,
): ReceiptObservation | null {
  if (version === undefined) return null;
  return {
    start_height: version.startHeight,
    lag: lag ?? null,
    protocol_version: version.protocolVersion,
    services: version.services.toString(16),
    user_agent: version.userAgent,
    endpoint_proven: isProven,
    block_height: hasBlock ? block.height : null,
    block_hash: hasBlock ? toDisplayHash(block.hash) : null,
    ping_ms: pingMs ?? null,
  };
}
