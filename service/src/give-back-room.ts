import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** In this time all but a long catching up has ended, and so has what comes with a start. */
const LOOK_EVERY_MS = 8_000;
/** Collecting takes up to 170 ms of the thread that answers. */
const REST_MS = 5 * 60_000;
/** With less room for young objects there is little to give back. */
const WORTH_BYTES = 24 * 2 ** 20;

/**
 * Gives room for young objects back while the index catches up for long, when the indexer needs most: the 44 MB that loading the modules took,
 * and what answers took since. Nearly nothing is made in the main thread then, so nothing else would make V8 do it.
 */
export function giveBackRoom(isCatchingUp: () => boolean, worthBytes: number = WORTH_BYTES): void {
  let restUntil = 0;
  setInterval(() => {
    if (performance.now() < restUntil || !isCatchingUp() || readRoom() < worthBytes) return;
    restUntil = performance.now() + REST_MS;
    findCollect()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, LOOK_EVERY_MS).unref();
}

/** Bytes of memory that young objects have room in. */
function readRoom(): number {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return young?.physical_space_size ?? 0;
}

/** V8 shows its collector only to contexts that are made while this flag is set. */
function findCollect(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
