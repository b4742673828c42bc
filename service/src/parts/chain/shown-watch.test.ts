import { parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { expect, test } from 'vitest';
import type { ChainView, ReadChain } from '../../chain/chain-view.ts';
import { createShownWatch, type ShownWatchOptions } from './shown-watch.ts';

const TIP = 'aa'.repeat(32);
const txidOf = (n: number) => n.toString(16).padStart(64, '0');

/** A chain and a mempool that show what `shown` names, and a node whose mempool has what `held` names. */
function watchOver(overrides: Partial<ShownWatchOptions> = {}) {
  const shown = new Set<string>();
  const held = new Set<string>();
  let views = 0;
  const view = {
    tip: { hash: getValue(parseDisplayHash(TIP)) },
    findTx: async (id: Uint8Array) => (shown.has(Buffer.from(id).reverse().toString('hex')) ? {} : undefined),
  } as unknown as ChainView;
  const readChain = (async (read: (view: ChainView) => unknown) => {
    views++;
    return await read(view);
  }) as ReadChain;
  const watch = createShownWatch({
    readChain,
    isInStep: () => true,
    isInMempool: async (txid) => held.has(txid),
    findNodeTip: async () => TIP,
    ...overrides,
  });
  return { watch, shown, held, views: () => views };
}

test('what reads show in time is visible, for all who wait for it', async () => {
  const { watch, shown, held } = watchOver();
  held.add(txidOf(1));
  const answers = Promise.all([watch(txidOf(1)), watch(txidOf(1))]);
  setTimeout(() => shown.add(txidOf(1)), 60);
  expect(await answers).toEqual(['visible', 'visible']);
});

test('what the node has and reads do not show is pending when the time is up', async () => {
  const { watch, held } = watchOver({ longestMs: 100 });
  held.add(txidOf(1));
  expect(await watch(txidOf(1))).toBe('pending');
});

test('what the node has no longer was dropped', async () => {
  expect(await watchOver().watch(txidOf(1))).toBe('dropped');
});

test('what has left the mempool for a block that is not indexed yet was not dropped', async () => {
  const { watch, shown } = watchOver({ findNodeTip: async () => 'bb'.repeat(32) });
  setTimeout(() => shown.add(txidOf(1)), 500);
  expect(await watch(txidOf(1))).toBe('visible');
});

test('a node that does not say what it has drops nothing', async () => {
  const { watch } = watchOver({ isInMempool: async () => undefined, longestMs: 600 });
  expect(await watch(txidOf(1))).toBe('pending');
});

test('nobody waits while the index is behind, or the database is away', async () => {
  const longestMs = 1_000_000;
  expect(await watchOver({ isInStep: () => false, longestMs }).watch(txidOf(1))).toBe('pending');
  const readChain = (() => Promise.reject(new Error('away'))) as ReadChain;
  expect(await watchOver({ readChain, longestMs }).watch(txidOf(1))).toBe('pending');
});

test('a database that does not answer holds nobody up', async () => {
  const readChain = (() => new Promise(() => {})) as ReadChain;
  expect(await watchOver({ readChain, longestMs: 50 }).watch(txidOf(1))).toBe('pending');
});

test('one view is read for all who wait, and more than 256 do not wait', async () => {
  const { watch, shown, held, views } = watchOver();
  const txids = Array.from({ length: 300 }, (_, i) => txidOf(i + 1));
  for (const txid of txids) {
    shown.add(txid);
    held.add(txid);
  }
  const answers = await Promise.all(txids.map(watch));
  expect(answers.filter((answer) => answer === 'visible')).toHaveLength(256);
  expect(answers.slice(256)).toEqual(new Array(44).fill('pending'));
  expect(views()).toBe(1);
});
