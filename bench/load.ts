import { fork } from 'node:child_process';
import type { LoadOrder, LoadResult } from './load-worker.ts';

/** Runs one load in a process of its own, so that making requests takes nothing from the measuring. */
export function runLoad(order: LoadOrder): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./load-worker.ts', import.meta.url), [], { stdio: 'inherit' });
    let result: LoadResult | undefined;
    child.once('message', (message: LoadResult) => {
      result = message;
    });
    child.once('error', reject);
    child.once('exit', (code) =>
      result ? resolve(result) : reject(new Error(`The load process ended with ${code} and no result.`)),
    );
    child.send(order);
  });
}
