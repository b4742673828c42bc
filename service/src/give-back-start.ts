import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By then all but a long catching up has ended, and so has what comes with a start. */
const DELAY_MS = 8_000;

/**
 * Collects once what starting the program has left, when the index is still catching up after a while. Nearly nothing is made
 * in the main thread then, so nothing else would make V8 give back the room for young objects that loading the modules
 * took: 44 MB, at the time when the indexer needs most. It takes 170 ms of a thread that has little to do.
 */
export function giveBackStart(isCatchingUp: () => boolean): void {
  setTimeout(() => {
    if (isCatchingUp()) findCollect()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, DELAY_MS).unref();
}

/** V8 shows its collector only to contexts that are made while this flag is set. */
function findCollect(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
