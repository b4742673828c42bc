/**
 * Compares this service's tokens with those of other services, in the background: two that followed the same blocks have
 * the same chain of hashes. Where they differ, the first height is found by bisection.
 */

import {
  type ReplicaJson,
  type TokenHashesJson,
  TokenHashesView,
  TokenStatusView,
} from '@coinfront/api/tokens.ts';
import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import type { ReadChain } from '../../chain/chain-view.ts';
import { spellOutNull } from '../../http/nullable.ts';
import { startPoller } from '../../poll.ts';
import { describeHashes } from './describe-hashes.ts';
import { type Comparison, findDifference } from './find-difference.ts';

/** What is needed to compare. */
export type ReplicaContext = {
  /** Base URLs without a slash at the end. */
  peers: readonly string[];
  genesisHash: string;
  marker: string;
  activationHeight: number;
  readChain: ReadChain;
  /** Gives the body of a GET as text, or throws; bounded in time and size. */
  fetchText: (url: string) => Promise<string>;
  now: () => number;
};

const POLL_MS = 60_000;
/** Peers whose state is told: more are not asked. */
const MAX_PEERS = 16;

/** Follows the peers until it is stopped. */
export function followReplicas(context: ReplicaContext): {
  list(): ReplicaJson[];
  /** Resolves when all have been asked. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
} {
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
  const base = `${url}/api/v1/tok`;
  const status = await fetchChecked(`${base}/status`, TokenStatusView, context);
  const about = {
    ...blank(url),
    height: status.as_of.height,
    chain_hash: status.chain_hash,
    checked_at: writeTime(context.now()),
  };
  const isSameProtocol =
    status.genesis_hash === context.genesisHash &&
    status.marker === context.marker &&
    status.activation_height === context.activationHeight;
  if (!isSameProtocol) return { ...about, state: 'incomparable' };

  const ownHeight = await context.readChain(async ({ tip }) => tip?.height);
  if (ownHeight === undefined) return { ...about, state: 'unchecked' };
  const compare = async (height: number): Promise<Comparison | undefined> => {
    const theirs = await fetchChecked(`${base}/hashes/${height}`, TokenHashesView, context);
    const ours = await readOwn(height, context.readChain);
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

/** The state is hashed now and then only, by both at the same heights. */
function hasEqualState(ours: TokenHashesJson, theirs: TokenHashesJson): boolean {
  return ours.state_hash === null || theirs.state_hash === null || ours.state_hash === theirs.state_hash;
}

async function readOwn(height: number, readChain: ReadChain): Promise<TokenHashesJson | undefined> {
  return await readChain(async (view) => {
    const block = await view.findBlockAt(height);
    return block && (await describeHashes(view, block));
  });
}

/** Reads an answer of a peer: untrusted, so it is checked as any input is, but for what a later version may add. */
async function fetchChecked<S extends TSchema>(
  url: string,
  schema: S,
  { fetchText }: ReplicaContext,
): Promise<Static<S>> {
  const json: unknown = JSON.parse(await fetchText(url));
  if (!Check(loosen(schema), json)) throw new Error('the peer answers in another form');
  return json as Static<S>;
}

/** A schema that lets be what it does not know, and `null` where OpenAPI says `nullable`. */
function loosen(schema: TSchema): TSchema {
  const { additionalProperties: _, ...open } = spellOutNull(schema as Record<string, unknown>);
  return open as TSchema;
}
