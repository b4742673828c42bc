import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { keepCompiled } from '../keep-compiled.ts';

/** Runs one of the operator's commands (`npm run admin`) with the settings of the service; gives its answer for programs. */
export async function runAdmin<T>(env: NodeJS.ProcessEnv, ...args: string[]): Promise<T> {
  const admin = new URL('../../service/src/admin/main.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...keepCompiled, admin, ...args, '--json'],
    {
      env,
    },
  );
  return JSON.parse(stdout) as T;
}
