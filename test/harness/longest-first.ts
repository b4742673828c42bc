import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Suites of more than a minute and a half on two slow processors, the longest first. They wait much, so they run well beside others. */
const longest = [
  'test/operate/upgrade.test.ts',
  'test/reorg/real-forks.test.ts',
  'test/hostile/input.test.ts',
  'test/crash/payments.test.ts',
  'test/faults/damaged-index.test.ts',
  'test/reorg/merging.test.ts',
  'test/crash/kill.test.ts',
  'test/faults/pruned-node.test.ts',
  'test/operate/restore-under-load.test.ts',
  'test/operate/doctor.test.ts',
  'test/proofs/anchor-kill.test.ts',
  'test/truth/chain.test.ts',
  'test/reorg/any-sequence.test.ts',
  'test/payments/merchants.test.ts',
  'test/payments/any-sequence.test.ts',
  'test/crash/webhooks.test.ts',
  'test/packages/packages.test.ts',
  'test/payments/reorgs.test.ts',
  'test/tokens/verify-index.test.ts',
  'test/reorg/live-reorgs.test.ts',
  'test/payments/outages.test.ts',
  'test/payments/money-back-sequence.test.ts',
  'test/registry/life.test.ts',
  'test/faults/campaign.test.ts',
  'test/operate/restore-refusals.test.ts',
  'test/cluster/processes.test.ts',
  'test/packages/debian-package.test.ts',
  'test/tokens/preflight.test.ts',
  'test/replicas/replicas.test.ts',
  'test/tokens/metadata.test.ts',
  'test/faults/takeover.test.ts',
  'test/treasury/reorgs.test.ts',
  'test/tokens/token-index.test.ts',
  'test/payments/outage-with-peers.test.ts',
  'test/payments/demo-merchant.test.ts',
  'test/browser/explorer.test.ts',
  'test/treasury/contributors.test.ts',
  'test/payments/prices.test.ts',
  'test/proofs/large-proofs.test.ts',
  'test/contract/api-contract.test.ts',
  'test/truth/mempool.test.ts',
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
