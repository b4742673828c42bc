/**
 * Compares what this service derives of a protocol with what other services do, in the background: two that followed the same
 * blocks by the same rules have the same chain of hashes. Where they differ, the first height is found by bisection.
 */

import { PeerHashesView, PeerStatusView, type ReplicaJson } from '@coinfront/api/protocol-hashes.ts';
import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import type { ReadChain } from '../chain/chain-view.ts';
import { spellOutNull } from '../http/nullable.ts';
import type { HashLog } from '../indexer/parts/hash-log.ts';
import { startPoller } from '../poll.ts';
import { describeHashes } from './describe-hashes.ts';
import { type Comparison, findDifference } from './find-difference.ts';

/** What is needed to compare. */
export type ReplicaContext = {
  /** Base URLs without a slash at the end. */
  peers: readonly string[];
  /** Where the routes of the protocol begin: below it are `/status` and `/hashes/{height}`. */
  path: string;
  genesisHash: string;
  marker: string;
  activationHeight: number;
  rulesId: string;
  hashes: HashLog;
  readChain: ReadChain;
  /** Gives the body of a GET as text, or throws; bounded in time and size. */
  fetchText: (url: string) => Promise<string>;
  now: () => number;
};

const POLL_MS = 60_000;
/** Peers whose state is told: more are not asked. */
const MAX_PEERS = 16;

/** What is known of the peers. */
export type FollowedReplicas = {
  list(): ReplicaJson[];
  /** Resolves when all have been asked. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
};

/** Follows the peers until it is stopped. */
export function followReplicas(context: ReplicaContext): FollowedReplicas {
  const pollers = context.peers.slice(0, MAX_PEERS).map((url) => ({
    url,
    poller: startPoller({
      read: () => compareWith(url, context),
      intervalMs: POLL_MS,
      describeError: () => 'unreachable',
    }),
  }));
  return {
    list: () =>
      pollers.map(({ url, poller }) => {
        const { value, error, sinceMs } = poller.current();
        if (error !== undefined) {
          return { ...(value ?? blank(url)), state: 'unreachable', checked_at: writeTime(sinceMs) };
        }
        return value ?? blank(url);
      }),
    refresh: async () => void (await Promise.all(pollers.map(({ poller }) => poller.refresh()))),
    stop: async () => void (await Promise.all(pollers.map(({ poller }) => poller.stop()))),
  };
}

function blank(url: string): ReplicaJson {
  return {
    url,
    state: 'unchecked',
    height: null,
    chain_hash: null,
    compared_height: null,
    first_difference: null,
    same_block: null,
    checked_at: null,
  };
}

function writeTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

async function compareWith(url: string, context: ReplicaContext): Promise<ReplicaJson> {
  const base = url + context.path;
  const status = await fetchChecked(`${base}/status`, PeerStatusView, context);
  const about = {
    ...blank(url),
    height: status.as_of.height,
    chain_hash: status.chain_hash,
    checked_at: writeTime(context.now()),
  };
  const rules = judgeRules(status, context);
  if (rules !== 'same') return { ...about, state: rules };

  const ownHeight = await context.readChain(async ({ tip }) => tip?.height);
  if (ownHeight === undefined) return { ...about, state: 'unchecked' };
  const compare = async (height: number): Promise<Comparison | undefined> => {
    const theirs = await fetchChecked(`${base}/hashes/${height}`, PeerHashesView, context);
    const ours = await readOwn(height, context);
    return (
      ours && {
        hasEqualChain: ours.chain_hash === theirs.chain_hash,
        hasEqualState: hasEqualState(ours, theirs),
        isSameBlock: ours.block_hash === theirs.block_hash,
      }
    );
  };
  const compared = Math.min(ownHeight, status.as_of.height);
  const found = await findDifference(compared, context.activationHeight, compare);
  // A reorganisation in between: the next round compares again.
  if (found === undefined) return { ...about, state: 'unchecked' };
  if (found === 'none') return { ...about, state: 'agrees', compared_height: compared };
  return {
    ...about,
    state: 'differs',
    compared_height: compared,
    first_difference: found.height,
    same_block: found.isSameBlock,
  };
}

/** What a peer does not say, as one of an earlier version, it is not held against it. */
function judgeRules(
  { genesis_hash, marker, activation_height, rules_id }: Static<typeof PeerStatusView>,
  context: ReplicaContext,
): 'same' | 'other_rules' | 'incomparable' {
  const isSameProtocol =
    (genesis_hash ?? context.genesisHash) === context.genesisHash && marker === context.marker;
  if (!isSameProtocol) return 'incomparable';
  const isSameRules =
    (activation_height ?? context.activationHeight) === context.activationHeight &&
    (rules_id ?? context.rulesId) === context.rulesId;
  return isSameRules ? 'same' : 'other_rules';
}

type Hashes = Pick<Static<typeof PeerHashesView>, 'state_hash'>;

/** The state is hashed now and then only, by both at the same heights. */
function hasEqualState(ours: Hashes, theirs: Hashes): boolean {
  return ours.state_hash === null || theirs.state_hash === null || ours.state_hash === theirs.state_hash;
}

async function readOwn(height: number, { readChain, hashes }: ReplicaContext) {
  return await readChain(async (view) => {
    const block = await view.findBlockAt(height);
    return block && (await describeHashes(view, block, hashes));
  });
}

/** Reads an answer of a peer: untrusted, so what is used of it is checked as any input is. */
async function fetchChecked<S extends TSchema>(
  url: string,
  schema: S,
  { fetchText }: ReplicaContext,
): Promise<Static<S>> {
  const json: unknown = JSON.parse(await fetchText(url));
  if (!Check(spellOutNull(schema as Record<string, unknown>) as TSchema, json))
    throw new Error('the peer answers in another form');
  return json as Static<S>;
}
