import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Suites of more than half a minute, the longest first. They wait much, so they run well beside others. */
const longest = [
  'test/crash/payments.test.ts',
  'test/browser/explorer.test.ts',
  'test/payments/outages.test.ts',
  'test/crash/kill.test.ts',
  'test/browser/checkout.test.ts',
  'test/browser/explorer-states.test.ts',
  'test/proofs/anchor-wallet.test.ts',
  'test/payments/merchants.test.ts',
  'test/reorg/live-reorgs.test.ts',
  'test/proofs/anchor-kill.test.ts',
  'test/tokens/preflight.test.ts',
  'test/reorg/real-forks.test.ts',
  'test/cli/coin-life.test.ts',
  'test/browser/explorer-live.test.ts',
  'test/registry/life.test.ts',
  'test/truth/chain.test.ts',
  'test/truth/mempool.test.ts',
  'test/browser/live-payment.test.ts',
  'test/payments/status-table.test.ts',
  'test/operate/doctor.test.ts',
  'test/browser/explorer-proofs.test.ts',
  'test/faults/bad-connection.test.ts',
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
