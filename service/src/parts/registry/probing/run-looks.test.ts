import type { Verdict } from '@coinfront/protocol/registry/receipt.ts';
import { expect, test } from 'vitest';
import type { Look } from './look-at-node.ts';
import { type LookedAt, runLooks } from './run-looks.ts';

/** Long beside what a look takes: nothing is left out for want of time. */
const SLOT_MS = 10_000;
const makeLook = (result: Verdict): Look => ({
  attempt: { at: '', result, reason: result === 'pass' ? null : 'timeout' },
  observed: null,
  tokens: [],
});
const nodes = (...given: [nodeKey: string, network: string][]): LookedAt[] =>
  given.map(([nodeKey, network]) => ({ nodeKey, network }));

function run(
  list: readonly LookedAt[],
  look: (node: LookedAt) => Promise<Look>,
  { connections = 1, signal = new AbortController().signal, slotMs = SLOT_MS, random = () => 0 } = {},
) {
  const startMs = Date.now();
  const slot = { startMs, endMs: startMs + slotMs };
  return runLooks({ nodes: list, slot, connections, look, random, now: Date.now }, signal);
}

/** Looks that take a turn of the event loop, and how many were under way at once. */
function watch(result: (node: LookedAt) => Verdict) {
  let open = 0;
  const seen = { most: 0, together: new Set<string>() };
  const networks = new Map<string, number>();
  return {
    seen,
    look: async (node: LookedAt) => {
      open += 1;
      networks.set(node.network, (networks.get(node.network) ?? 0) + 1);
      seen.most = Math.max(seen.most, open);
      if (networks.get(node.network)! > 1) seen.together.add(node.network);
      await new Promise((resolve) => setTimeout(resolve, 2));
      open -= 1;
      networks.set(node.network, networks.get(node.network)! - 1);
      return makeLook(result(node));
    },
  };
}

test('each node is looked at once, and again only when it did not pass', async () => {
  const verdicts: Record<string, Verdict> = { a: 'pass', b: 'fail', c: 'void', d: 'pass' };
  const { look, seen } = watch(({ nodeKey }) => verdicts[nodeKey]!);
  const looks = await run(nodes(['a', '1'], ['b', '2'], ['c', '3'], ['d', '4']), look);
  const results = Object.fromEntries([...looks].map(([key, list]) => [key, list.length]));
  expect(results).toEqual({ a: 1, b: 2, c: 2, d: 1 });
  expect(seen.most).toBe(1);
});

test('several connections may be open at once, but never two into one network', async () => {
  const { look, seen } = watch(() => 'pass');
  const many = Array.from({ length: 120 }, (_, i): [string, string] => [`${i}`, `${i % 6}`]);
  const looks = await run(nodes(...many), look, { connections: 4 });
  expect([...looks.values()].every((list) => list.length === 1)).toBe(true);
  expect(seen.most).toBe(4);
  expect([...seen.together]).toEqual([]);
});

test('nodes for which no time is left are not looked at', async () => {
  const slow = () => new Promise<Look>((resolve) => setTimeout(() => resolve(makeLook('pass')), 150));
  const looks = await run(
    nodes(...Array.from({ length: 20 }, (_, i): [string, string] => [`${i}`, `${i}`])),
    slow,
    { slotMs: 400 },
  );
  const counts = [...looks.values()].map((list) => list.length);
  expect(counts.filter((count) => count === 0).length).toBeGreaterThan(10);
});

test('a look that breaks is none', async () => {
  const looks = await run(nodes(['a', '1'], ['b', '2']), async ({ nodeKey }) => {
    if (nodeKey === 'a') throw new Error('broken');
    return makeLook('pass');
  });
  expect([looks.get('a'), looks.get('b')?.length]).toEqual([[], 1]);
});

test('it ends at once when it is asked to', async () => {
  const stopping = new AbortController();
  const ended = run(nodes(['a', '1']), () => new Promise(() => {}), {
    signal: stopping.signal,
    slotMs: 3_600_000,
  });
  stopping.abort();
  expect((await ended).get('a')).toEqual([]);
});
