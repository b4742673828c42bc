/** One look at one node: a connection, a conversation, and what it says. */

import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { findEndpointTokens } from '@coinfront/protocol/registry/endpoint-token.ts';
import type { ReceiptAttempt, ReceiptObservation } from '@coinfront/protocol/registry/receipt.ts';
import { type PeerProbe, probePeer } from '../../../node/p2p/probe-peer.ts';
import { openGuardedSocket } from '../../../outbound/guarded-connect.ts';
import { hasRoute } from '../../../outbound/has-route.ts';
import { AddressRefusedError } from '../../../outbound/outbound-error.ts';
import { findEndpointFault, parseEndpoint } from '../nodes/endpoint-rules.ts';
import type { RegistryRules } from '../registry-context.ts';
import type { ChainTask, OwnChain } from './own-chain.ts';

/** What came of a look. `tokens` are those of the node's user agent. */
export type Look = {
  attempt: ReceiptAttempt;
  observed: ReceiptObservation | null;
  tokens: readonly string[];
  /** Whether the node has proved that another chain has more work than ours. */
  showsMoreWork?: boolean;
};

export type LookOptions = {
  chain: OwnChain;
  rules: Pick<RegistryRules, 'allow' | 'ports'>;
  userAgent: string;
  /** For the whole of one look. */
  limitMs: number;
  now: () => number;
};

/** Whom to look at, and the token that its registration has. */
export type LookTarget = { nodeKey: string; endpoint: string; token: string };

const MAX_CONNECT_MS = 5_000;
const MAX_ANSWER_MS = 20_000;
/** Faults of this machine, which say nothing of who was to be reached. */
const OWN_FAULTS: ReadonlySet<unknown> = new Set(['ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE']);
/** What this machine says without a way to an address, and any router on the way, that of the node too, can say as well. */
const ROUTE_FAULTS: ReadonlySet<unknown> = new Set(['ENETUNREACH', 'EHOSTUNREACH']);

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
  if (probe.fault === undefined) return { attempt: { at, result: 'pass', reason: null }, observed, tokens };
  // What we compared with may have been out of date already.
  const after = await chain.findState(true);
  if (after !== 'ready') return isVoid(`own_node_${after}`);
  const attempt = { at, result: 'fail' as const, reason: probe.fault };
  return { attempt, observed, tokens, showsMoreWork: probe.hasMoreWork };
}

type Probe = Omit<PeerProbe, 'fault'> & { fault: string | undefined };

async function askPeer(
  { endpoint }: LookTarget,
  task: ChainTask,
  { rules, userAgent, limitMs }: LookOptions,
  signal: AbortSignal,
): Promise<Probe | { ownFault: string }> {
  const parsed = parseEndpoint(endpoint);
  // The rules may have changed since it was registered.
  if (!parsed.ok || findEndpointFault(parsed.value, rules) !== undefined)
    return { ownFault: 'endpoint_refused' };
  const { address, port } = parsed.value;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const unseen = {
    version: undefined,
    lag: undefined,
    pingMs: undefined,
    hasBlock: false,
    hasMoreWork: false,
  };
  try {
    const socket = await openGuardedSocket(
      { secure: false, host: address, port },
      {
        allow: rules.allow,
        plain: true,
        connectTimeoutMs: Math.min(MAX_CONNECT_MS, limitMs),
        resolve: async () => [],
      },
    );
    const probe = await probePeer(
      socket,
      { ...task, userAgent, answerMs: Math.min(MAX_ANSWER_MS, limitMs) },
      limit,
    );
    return { ...probe, fault: probe.fault?.code };
  } catch (error) {
    if (signal.aborted) return { ownFault: 'registry_down' };
    if (limit.aborted) return { ...unseen, fault: 'timeout' };
    // Of this machine itself, which only the operator's list opens.
    if (error instanceof AddressRefusedError) return { ownFault: 'endpoint_refused' };
    if (await isOwnFault(error, address)) return { ownFault: 'no_route' };
    return { ...unseen, fault: 'unreachable' };
  }
}

/** Whether a connection could not be made for a reason of this machine, which nobody else can bring about. */
export async function isOwnFault(
  error: unknown,
  address: string,
  findRoute: (address: string) => Promise<boolean> = hasRoute,
): Promise<boolean> {
  const { cause } = error as { cause?: { code?: unknown } };
  return OWN_FAULTS.has(cause?.code) || (ROUTE_FAULTS.has(cause?.code) && !(await findRoute(address)));
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
