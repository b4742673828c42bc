import { healthStatuses } from '@coinfront/api/chain-state.ts';
import { expect, test } from 'vitest';
import { DatabaseUnavailableError } from '../../db/database.ts';
import type { FollowState } from '../../indexer/follow/follow.ts';
import type { NodeFacts } from '../../node/node-facts.ts';
import type { PollState } from '../../poll.ts';
import { createFixtureServer, fixtureFacts, polled } from '../../testing/fixture-server.ts';
import { explainHealth } from './health-advice.ts';
import { type HealthEvidence, judgeHealth, judgeNode } from './health-rules.ts';

const node = polled(fixtureFacts);
const gone: PollState<NodeFacts> = { ...node, error: 'unreachable' };

function report(state: FollowState) {
  return { state, height: 120, nodeHeight: 120, mempoolComplete: true };
}

function judge(evidence: Partial<HealthEvidence>) {
  return judgeHealth({
    node,
    indexer: undefined,
    tipHeight: 120,
    indexAvailable: true,
    readsFail: false,
    ...evidence,
  });
}

test.each([
  [100, 100, 100, 'ready', true],
  [100, 100, 99, 'ready', true],
  [100, 100, 98, 'lagging', true],
  [100, 100, 90, 'lagging', true],
  [100, 100, 89, 'syncing', false],
  [100, 500, 100, 'syncing', false],
  [100, 100, undefined, 'starting', false],
  [100, 100, 105, 'ready', true],
])('a node at %d of %d headers and an index at %s: %s', (blocks, headers, tipHeight, status, ready) => {
  const state = polled({ ...fixtureFacts, blocks, headers });
  expect(judge({ node: state, tipHeight })).toMatchObject({ status, ready });
});

test.each<[FollowState, string]>([
  [{ kind: 'node_unavailable', error: 'busy' }, 'node_unavailable'],
  [{ kind: 'node_behind' }, 'node_behind'],
  [{ kind: 'node_pruned', pruneHeight: 900 }, 'node_pruned'],
  [{ kind: 'reorg_too_deep', depth: 1001 }, 'reorg_too_deep'],
  [{ kind: 'other_chain', genesisHash: '00' }, 'other_chain'],
  [{ kind: 'failed', message: 'disk on fire at /var/lib/secret', isDamaged: false }, 'index_failed'],
])('what keeps the indexer from following is the status: %j', (state, status) => {
  expect(judge({ indexer: report(state) })).toMatchObject({ status, ready: false });
});

test.each<FollowState>([{ kind: 'starting' }, { kind: 'syncing' }, { kind: 'ready' }])(
  'an indexer that is %j leaves it to the heights',
  (state) => {
    const indexer = report(state);
    expect(judge({ indexer })).toEqual({ status: 'ready', ready: true, lagBlocks: 0 });
    expect(judge({ indexer, tipHeight: 117 })).toEqual({ status: 'lagging', ready: true, lagBlocks: 3 });
    expect(judge({ indexer, tipHeight: 100 })).toEqual({ status: 'syncing', ready: false, lagBlocks: 20 });
    expect(judge({ indexer, tipHeight: undefined })).toMatchObject({ status: 'starting', ready: false });
  },
);

test.each(healthStatuses)('%s says what to do exactly when something has to be done', (status) => {
  const advice = explainHealth(status, undefined);
  if (['ready', 'lagging', 'syncing', 'starting'].includes(status)) expect(advice).toBeUndefined();
  else expect(advice).toMatch(/^[A-Z].{40,}\.$/);
});

test('a pruned node is told of with the blocks that are gone and the one that is needed', () => {
  const pruned = report({ kind: 'node_pruned', pruneHeight: 900 });
  expect(explainHealth('node_pruned', pruned)).toMatch(
    / below 900, and block 121 is needed next\. Set COINFRONT_/,
  );
});

test('the lag is unknown while the node does not answer: its last height is not its present one', () => {
  const expected = { status: 'node_unavailable', ready: false, lagBlocks: undefined };
  expect(judge({ node: gone })).toEqual(expected);
  expect(judge({ indexer: report({ kind: 'node_unavailable', error: 'timeout' }) })).toEqual(expected);
});

test('a node that was exchanged for one of another chain is named so by whoever notices first', () => {
  const exchanged = { ...node, error: 'other_chain' };
  const expected = { status: 'other_chain', ready: false, lagBlocks: undefined };
  expect(judge({ node: exchanged, indexer: report({ kind: 'ready' }) })).toEqual(expected);
  expect(judge({ indexer: report({ kind: 'other_chain', genesisHash: '00' }) })).toEqual(expected);
});

test('without an indexer of its own a process takes a node far below the index for one that is behind', () => {
  expect(judge({ tipHeight: 131 }).status).toBe('node_behind');
  // Blocks that came since the node was last asked.
  expect(judge({ tipHeight: 130 }).status).toBe('ready');
  expect(judge({ tipHeight: 131, indexer: report({ kind: 'ready' }) }).status).toBe('ready');
});

test.each([
  ['a read', { readsFail: true, node: gone }],
  [
    'a read, and the tip cannot be read either',
    { readsFail: true, indexAvailable: false, tipHeight: undefined },
  ],
  ['the indexer', { indexer: report({ kind: 'failed', message: 'malformed', isDamaged: true }) }],
])('damage met by %s is named before everything else, with what to do', (_, evidence) => {
  expect(judge(evidence)).toMatchObject({ status: 'index_failed', ready: false });
  const { indexer, readsFail } = { indexer: undefined, readsFail: false, ...evidence };
  expect(explainHealth('index_failed', indexer, readsFail)).toMatch(/damaged.*delete the index.*built anew/);
});

test('a database that does not answer is named before everything else', () => {
  expect(judge({ node: gone, indexAvailable: false, tipHeight: undefined }).status).toBe('index_unavailable');
});

test('the node counts as unavailable when the indexer cannot use it, although it answers the poller', () => {
  const indexer = report({ kind: 'node_unavailable', error: 'invalid_answer' });
  const seen = judgeNode(node, indexer);
  expect(seen).toEqual({ available: false, error: 'invalid_answer', sinceMs: undefined });
  expect(judgeNode(gone, indexer)).toMatchObject({ available: false, error: 'unreachable' });
});

test('status shows neither a lag nor an available node from what the node said before it vanished', async () => {
  const { app } = createFixtureServer({ context: { getNodeState: () => gone } });
  const { index, node: shown } = (await app.inject('/api/v1/status')).json();
  expect(index.lag_blocks).toBeNull();
  expect(shown).toMatchObject({ available: false, error: 'unreachable', blocks: 120 });
  expect(shown.as_of).toBe(new Date(node.valueAtMs!).toISOString());
});

test('health answers in time although the database says nothing at all', async () => {
  const readChain = () => new Promise<never>(() => {});
  const { app } = createFixtureServer({ context: { readChain } });
  expect((await app.inject('/api/v1/health')).json().status).toBe('index_unavailable');
});

test('what a failure was about is not shown to the public', async () => {
  const failed = report({ kind: 'failed', message: 'disk on fire at /var/lib/secret', isDamaged: false });
  const { app } = createFixtureServer({ context: { findIndexerReport: () => failed } });
  const health = await app.inject('/api/v1/health?require=ready');
  expect([health.statusCode, health.json().status]).toEqual([503, 'index_failed']);
  expect(health.body).not.toMatch(/disk|secret/);
});

test('reads answer 503 with a code while the database does not answer, and say nothing about it', async () => {
  const readChain = async (): Promise<never> => {
    throw new DatabaseUnavailableError('connect ECONNREFUSED 10.1.2.3:5432');
  };
  const { app } = createFixtureServer({ context: { readChain } });
  for (const url of ['/api/v1/blocks', '/esplora/blocks/tip/height']) {
    const response = await app.inject(url);
    expect([url, response.statusCode, response.headers['retry-after']]).toEqual([url, 503, '5']);
    expect(response.body).not.toMatch(/10\.1|connect/);
  }
  expect((await app.inject('/api/v1/blocks')).json().code).toBe('index_unavailable');
});
