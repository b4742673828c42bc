/** Which function of the SDK calls which operation, read from its sources: for the examples of the API reference. */

import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Names of functions by method and path, such as `GET /api/v1/block/{id}`.
 *
 * @param sdkDir the folder of the SDK
 */
export async function readSdkFunctions(sdkDir: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const file of glob('*/*.ts', { cwd: sdkDir, exclude: ['**/*.test.ts'] })) {
    const source = await readFile(join(sdkDir, file), 'utf8');
    const name = /export (?:async )?function (\w+)/.exec(source)?.[1];
    const [, method, path] = /method: '(\w+)',\s*path: '([^']+)'/.exec(source) ?? [];
    if (name !== undefined && path !== undefined) found[`${method} ${path}`] = name;
  }
  return found;
}
