import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{protocol,api,sdk,cli,service,explorer,bench,examples,scripts,test}/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    // Forks: suites start nodes and databases, and one that crashes must not take the others with it.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
  },
});
