import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Suites of more than 50 seconds on two slow processors, the longest first. They wait much, so they run well beside others. */
const longest = [
  'test/replay/replay.test.ts',
  'test/crash/payments.test.ts',
  'test/treasury/logged-ledger.test.ts',
  'test/reorg/real-forks.test.ts',
  'test/reorg/merging.test.ts',
  'test/hostile/input.test.ts',
  'test/truth/chain.test.ts',
  'test/registry/vantages.test.ts',
  'test/cli/coin-life.test.ts',
  'test/browser/explorer.test.ts',
  'test/bitcoin/electrum-wallet.test.ts',
  'test/packages/packages.test.ts',
  'test/tokens/token-index.test.ts',
  'test/payments/outages.test.ts',
  'test/reorg/live-reorgs.test.ts',
  'test/reorg/any-sequence.test.ts',
  'test/truth/rich-list.test.ts',
  'test/crash/kill.test.ts',
  'test/operate/upgrade.test.ts',
  'test/browser/explorer-states.test.ts',
  'test/faults/damaged-index.test.ts',
  'test/packages/debian-package.test.ts',
  'test/treasury/contributors.test.ts',
  'test/payments/any-sequence.test.ts',
  'test/registry/life.test.ts',
  'test/operate/doctor.test.ts',
  'test/tokens/preflight.test.ts',
  'test/crash/webhooks.test.ts',
  'test/payments/refunds.test.ts',
  'test/payments/prices.test.ts',
  'test/operate/restore-under-load.test.ts',
  'test/cli/coin-cache.test.ts',
  'test/contract/api-contract.test.ts',
  'test/cluster/processes.test.ts',
  'test/truth/mempool-history.test.ts',
  'test/proofs/anchor-wallet.test.ts',
  'test/proofs/calendar.test.ts',
  'test/faults/pruned-node.test.ts',
  'test/proofs/stuck-anchor.test.ts',
  'test/proofs/anchor-kill.test.ts',
];

/**
 * Starts long suites first, so that none runs alone at the end. Vitest does so by what it measured in earlier runs, which a
 * fresh clone has not.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const at = longest.indexOf(relative(project.config.root, moduleId));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
