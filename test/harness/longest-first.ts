import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { slowSuites } from './slow-suites.ts';

/**
 * Starts long suites first, so that none runs alone at the end. Vitest does so by what it measured in earlier runs, which a
 * fresh clone has not.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const at = slowSuites.indexOf(relative(project.config.root, moduleId));
      return at < 0 ? slowSuites.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
