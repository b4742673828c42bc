import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** In this time all but a long catching up has ended, and so has what comes with a start. */
const LOOK_EVERY_MS = 8_000;

/**
 * Collects once what starting the program has left, when the index is catching up after a while: at once, or when a node that
 * was away has come. Nearly nothing is made in the main thread then, so nothing else would make V8 give back the room for young
 * objects that loading the modules took: 44 MB, at the time when the indexer needs most. It takes 170 ms of a thread that has
 * little to do.
 */
export function giveBackStart(isCatchingUp: () => boolean): void {
  const looks = setInterval(() => {
    if (!isCatchingUp()) return;
    clearInterval(looks);
    findCollect()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, LOOK_EVERY_MS).unref();
}

/** V8 shows its collector only to contexts that are made while this flag is set. */
function findCollect(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
