import type { TestProject } from 'vitest/node';
import { buildExplorer, isExplorerCurrent } from '../../scripts/explorer-build.ts';
import { startPostgres } from './postgres.ts';
import { bundleService } from './service-bundle.ts';
import { BUNDLE_VARIABLE } from './service-program.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Maintenance address of the PostgreSQL cluster that one test run shares. */
    postgresUrl: string;
  }
}

/** Starts what all suites of a run share; Vitest calls the returned function at its end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!(await isExplorerCurrent())) await buildExplorer();
  // While somebody changes the sources, a suite starts those.
  if (!project.vitest.config.watch) process.env[BUNDLE_VARIABLE] ??= await bundleService();
  const postgres = await startPostgres();
  project.provide('postgresUrl', postgres.url);
  return postgres.stop;
}
