import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { fetchNodeFees } from '../node/fee-estimates.ts';
import type { MethodNeeds, MethodUse } from '../node/methods.ts';
import { isMethodRefused, isNodeError } from '../node/node-error.ts';
import { checkNode, type NodeCheck } from '../node/node-facts.ts';
import { type CallOptions, createNodeClient } from '../node/rpc-client.ts';
import { openMethodWatch } from '../node/watch-methods.ts';
import { startPoller } from '../poll.ts';
import { refuseToStart } from './wired.ts';

const NODE_POLL_MS = 2_000;
const FEE_POLL_MS = 10_000;
/** A node that takes longer to describe itself counts as not answering. */
export const NODE_TIMEOUT_MS = 8_000;
/** Longest wait at start, which is only to refuse a node of another chain; it is found out later as well. */
const START_TIMEOUT_MS = 3_000;

/** The node was exchanged for one of another chain while the service runs. */
class OtherChainError extends Error {}

/** The node, and what is known of it and of its fees. */
export type WatchedNode = Awaited<ReturnType<typeof watchNode>>;

/** Connects to the node and keeps asking how it is. One of another chain ends the start; one that is away does not. */
export async function watchNode(config: Config, profile: CoinProfile, logger: Logger) {
  const client = createNodeClient({
    url: config.nodeUrl,
    cookieFile: config.nodeCookieFile,
    onRefused: () => methods.doubt(),
  });
  const methods = openMethodWatch({
    node: client,
    needs: listNeeds(config, profile),
    onChange: (refused) => logRefused(logger, refused),
  });

  /** Asks what the node is and, where that may have changed, what it lets us call. */
  const ask = async (options: CallOptions): Promise<NodeCheck> => {
    try {
      const check = await checkNode(client, profile, options);
      if (!check.ok) methods.forget();
      else await methods.look(options).catch(() => {});
      return check;
    } catch (error) {
      if (isMethodRefused(error)) await methods.look(options).catch(() => {});
      else methods.forget();
      throw error;
    }
  };
  const check = await ask({ timeoutMs: START_TIMEOUT_MS }).catch((error: Error) => error);
  if (check instanceof Error) {
    logger.warn(`The node cannot be asked yet; serving what is indexed until it can. ${check.message}`);
  } else if (!check.ok) refuseToStart([check.reason]);

  const state = startPoller({
    read: async (signal) => {
      const now = await ask({ signal, timeoutMs: NODE_TIMEOUT_MS });
      if (!now.ok) throw new OtherChainError(now.reason);
      return now.facts;
    },
    intervalMs: NODE_POLL_MS,
    describeError,
  });
  const fees = startPoller({
    read: (signal) => {
      if (state.current().error === 'other_chain') throw new OtherChainError();
      return fetchNodeFees(client, signal);
    },
    intervalMs: FEE_POLL_MS,
    describeError,
  });
  return {
    client,
    state,
    fees,
    methods,
    /** Its sockets go before who waits for them: a node that does not answer must not hold up the end. */
    close: () => Promise.all([client.close(), state.stop(), fees.stop()]),
  };
}

/** What a process with these settings asks of the node. */
export function listNeeds(
  { roles, anchor, electrum }: Config,
  { tokens }: CoinProfile,
): Omit<MethodNeeds, 'servesRest'> {
  const isApi = roles.has('api');
  const anchors = anchor !== undefined && (isApi || roles.has('worker'));
  return {
    indexes: roles.has('indexer'),
    sends: isApi || anchors,
    tests: isApi && tokens !== undefined,
    packages: isApi && (electrum.tcp ?? electrum.tls ?? electrum.ws) !== undefined,
    anchors,
  };
}

function logRefused(logger: Logger, refused: readonly MethodUse[]): void {
  for (const { method, effect, optional } of refused) {
    const text = `The node refuses ${method}: ${effect}. Allow it in the node's -rpcwhitelist, if this node has it.`;
    logger[optional ? 'info' : 'warn']({ method }, text);
  }
  if (refused.length === 0) logger.info('The node lets this service call every method that it needs.');
}

function describeError(error: unknown): string {
  if (error instanceof OtherChainError) return 'other_chain';
  return isNodeError(error) ? error.kind : 'invalid_answer';
}
