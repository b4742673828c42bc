import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { slowSuites } from './slow-suites.ts';

const longest = ['test/bitcoin/electrum-wallet.test.ts', ...slowSuites];

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
