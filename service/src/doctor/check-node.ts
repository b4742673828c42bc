import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { Config } from '../config.ts';
import { createBlockSource } from '../node/block-source.ts';
import { listMethodUses } from '../node/methods.ts';
import { isNodeError, type NodeErrorKind } from '../node/node-error.ts';
import { checkNode, type NodeFacts } from '../node/node-facts.ts';
import { findRefusedMethods } from '../node/refused-methods.ts';
import { createNodeClient, type NodeClient } from '../node/rpc-client.ts';
import { listNeeds } from '../wiring/watch-node.ts';
import { type Finding, fault, good, warning } from './finding.ts';

const TIMEOUT_MS = 8_000;
/** Bitcoin Core 0.21: the oldest that this service is tried with. Dogecoin's node counts otherwise. */
const OLDEST_VERSION = 210_000;
/** Blocks take hours at times; a clock that is more than this behind them is wrong. */
const FUTURE_LIMIT_S = 2 * 3_600;
const NETWORK_OFFSET_LIMIT_S = 70;

const remedies: Partial<Record<NodeErrorKind, string>> = {
  unreachable:
    "Start the node, or correct host and port in COINFRONT_NODE_URL; the node's -rpcbind and -rpcallowip have to let this machine in.",
  timeout: 'Look whether the node is busy or its disk slow; raise its -rpcthreads if many ask it.',
  unauthorized:
    "Correct user and password in COINFRONT_NODE_URL, or name the node's .cookie in COINFRONT_NODE_COOKIE.",
  forbidden: "Allow this user the methods in the node's -rpcwhitelist, and this machine in its -rpcallowip.",
  warming_up: 'Wait until the node has started.',
  busy: "Raise the node's -rpcthreads and -rpcworkqueue.",
};

/** Looks at the node: whether it answers, of which chain it is, what it lets us call, how far it is, and its clock. */
export async function checkNodeSide(config: Config, profile: CoinProfile): Promise<Finding[]> {
  const node = createNodeClient({ url: config.nodeUrl, cookieFile: config.nodeCookieFile });
  try {
    const check = await checkNode(node, profile, { timeoutMs: TIMEOUT_MS });
    if (!check.ok)
      return [fault('node.chain', check.reason, 'Name the profile of this chain, or the node of that one.')];
    const { facts } = check;
    return [
      good('node.reachable', `${facts.subversion} answers on the chain "${facts.chain}".`),
      checkVersion(facts),
      checkSync(facts),
      checkPruned(facts),
      ...(await checkMethods(node, config, profile)),
      await checkTransport(node),
      ...(await checkClock(node)),
    ];
  } catch (error) {
    const kind = isNodeError(error) ? error.kind : undefined;
    return [
      fault(
        'node.reachable',
        (error as Error).message,
        (kind && remedies[kind]) ?? "Look into the node's log.",
      ),
    ];
  } finally {
    await node.close();
  }
}

function checkVersion({ version, subversion }: NodeFacts): Finding {
  const name = 'node.version';
  if (version >= OLDEST_VERSION) return good(name, `Its version is ${version} (${subversion}).`);
  return warning(
    name,
    `Its version is ${version} (${subversion}), older than what this service is tried with (${OLDEST_VERSION}).`,
    'Upgrade the node where its coin has a newer one.',
  );
}

type SyncFacts = Pick<NodeFacts, 'blocks' | 'headers' | 'initialBlockDownload' | 'connections' | 'warnings'>;

/** Judges whether the node is in step with its network, and says of itself that all is well. */
export function checkSync({
  blocks,
  headers,
  initialBlockDownload,
  connections,
  warnings,
}: SyncFacts): Finding {
  const name = 'node.sync';
  if (initialBlockDownload || headers > blocks)
    return warning(
      name,
      `It is at block ${blocks} of ${headers}${initialBlockDownload ? ', in its initial download' : ''}.`,
      'Wait for it; until then the service shows the chain up to there.',
    );
  if (warnings !== '') return warning(name, `It warns: ${warnings}`, "Do what the node's warning says.");
  return good(name, `It is in sync at block ${blocks}, with ${connections} connections.`);
}

function checkPruned({ pruned, pruneHeight }: NodeFacts): Finding {
  const name = 'node.pruned';
  if (!pruned) return good(name, 'It has all blocks.');
  return warning(
    name,
    `It is pruned; its lowest block is ${pruneHeight}.`,
    'Fine once the index is at the tip. A first sync, and a rebuild of the index, need a node with all blocks.',
  );
}

async function checkMethods(node: NodeClient, config: Config, profile: CoinProfile): Promise<Finding[]> {
  const options = { timeoutMs: TIMEOUT_MS };
  const servesRest = (await createBlockSource(node).transport(options)) === 'rest';
  const uses = listMethodUses({ ...listNeeds(config, profile), servesRest });
  const methods = uses.map(({ method }) => method);
  const refused = await findRefusedMethods(node, methods, options);
  if (refused.length === 0)
    return [good('node.methods', `It allows all ${methods.length} methods that are called.`)];
  return uses
    .filter(({ method }) => refused.includes(method))
    .map(({ method, effect, optional }) =>
      (optional ? warning : fault)(
        `node.methods.${method}`,
        `It refuses ${method}: ${effect}.`,
        `Add ${method} to the user's -rpcwhitelist, if this node has it.`,
      ),
    );
}

async function checkTransport(node: NodeClient): Promise<Finding> {
  const name = 'node.rest';
  const transport = await createBlockSource(node).transport({ timeoutMs: TIMEOUT_MS });
  if (transport === 'rest') return good(name, 'It serves blocks by REST.');
  return warning(
    name,
    'It does not serve REST, so a first sync is slower.',
    'Set rest=1 in its configuration.',
  );
}

async function checkClock(node: NodeClient): Promise<Finding[]> {
  const name = 'clock.chain';
  const options = { timeoutMs: TIMEOUT_MS };
  const findings: Finding[] = [];
  const { timeoffset } = await node.call<{ timeoffset?: number }>('getnetworkinfo', [], options);
  const { mediantime } = await node.call<{ mediantime?: number }>('getblockchaininfo', [], options);
  const ahead = (mediantime ?? 0) - Date.now() / 1000;
  findings.push(
    ahead > FUTURE_LIMIT_S
      ? fault(
          name,
          `This machine's clock is ${Math.round(ahead / 60)} minutes behind the chain's.`,
          'Have the clock set by the network: timedatectl set-ntp true.',
        )
      : good(name, "This machine's clock is not behind the chain's."),
  );
  if (timeoffset !== undefined)
    findings.push(
      Math.abs(timeoffset) > NETWORK_OFFSET_LIMIT_S
        ? warning(
            'clock.peers',
            `The node's clock is ${Math.abs(timeoffset)} seconds ${timeoffset > 0 ? 'behind' : 'ahead of'} that of its peers.`,
            "Have the clock of the node's machine set by the network.",
          )
        : good('clock.peers', `The node's clock is within ${NETWORK_OFFSET_LIMIT_S} seconds of its peers'.`),
    );
  return findings;
}
