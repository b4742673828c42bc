import { defineConfig } from 'vitest/config';
import { findBitcoinNode } from './scripts/bitcoin-node.ts';
import { LongestFirst } from './test/harness/longest-first.ts';
import { slowSuites } from './test/harness/slow-suites.ts';

const bitcoin = findBitcoinNode();

/** Suites whose subject is what a node says and does. */
const nodeSuites = [
  'test/truth/chain.test.ts',
  'test/truth/broadcast.test.ts',
  'test/electrum/broadcast.test.ts',
  'test/truth/mempool.test.ts',
  'test/truth/whole-states.test.ts',
  'test/truth/without-rest.test.ts',
  'test/reorg/live-reorgs.test.ts',
];

/** Suites that repeat something random, a few times in a usual run and more often in a long one. */
const repeatedSuites = [
  'test/crash/kill.test.ts',
  'test/crash/payments.test.ts',
  'test/proofs/anchor-kill.test.ts',
  'test/tokens/preflight.test.ts',
];

export default defineConfig({
  test: {
    globalSetup: ['test/harness/global-setup.ts'],
    // Forks: suites start nodes and databases, and one that crashes must not take the others with it.
    pool: 'forks',
    // One more than most machines of test runs have cores: suites of a whole service wait for a third of their time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Limits are for what hangs, not for what is slow: a run beside other work takes three times as long as one alone.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    teardownTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: ['test/long/**', 'test/bitcoin/**', ...slowSuites],
        },
      },
      // `npm run test:slow`, this one and the next.
      { extends: true, test: { name: 'slow', include: [...slowSuites] } },
      // Suites about the node on a modern Bitcoin node, where one is to be had. One engine will do: what differs is the node.
      {
        extends: true,
        test: {
          name: 'bitcoin',
          include: ['test/bitcoin/**/*.test.ts', ...(bitcoin.binary ? nodeSuites : [])],
          env: bitcoin.binary
            ? {
                COINFRONT_TEST_NODE: bitcoin.binary,
                COINFRONT_TEST_COIN: 'bitcoin-regtest',
                COINFRONT_TEST_ENGINE: 'sqlite',
              }
            : {},
        },
      },
      // What takes minutes for itself: `npm run test:long`.
      {
        extends: true,
        test: {
          name: 'long',
          include: ['test/long/**/*.test.ts', ...repeatedSuites],
          env: { COINFRONT_TEST_LONG: '1' },
          testTimeout: 900_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'modules',
          include: [
            '{protocol,api,sdk,cli,service,explorer,bench,campaign,examples,replay,scripts,fuzz}/**/*.test.ts',
          ],
          // A process takes one file after the other, and loads what they have in common once.
          isolate: false,
        },
      },
    ],
  },
});
