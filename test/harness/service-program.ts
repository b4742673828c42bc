import { join } from 'node:path';

/** Names the folder of `service-bundle.ts`, for the processes of a test run. */
export const BUNDLE_VARIABLE = 'COINFRONT_TEST_BUNDLE';

const modules = { main: 'main.ts', admin: 'admin/main.ts' };

/** What Node is given to run the service or the operator's commands: the bundle in a test run, else the modules. */
export function findProgram(name: keyof typeof modules): string {
  const bundle = process.env[BUNDLE_VARIABLE];
  return bundle === undefined
    ? join(import.meta.dirname, '../../service/src', modules[name])
    : join(bundle, `${name}.js`);
}
