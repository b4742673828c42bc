import { resolve } from 'node:path';

// What `npm start` takes besides the settings of the service, which takes no setting that it does not know.

const DIR = 'COINFRONT_DEMO_DIR';
const BLOCK_SECONDS = 'COINFRONT_DEMO_BLOCK_SECONDS';

/** Where `npm start` keeps its chain and all that belongs to it: `data/regtest`, or `COINFRONT_DEMO_DIR`. */
export function findDemoDir(): string {
  const given = process.env[DIR];
  return given ? resolve(given) : new URL('../../data/regtest', import.meta.url).pathname;
}

/** Between blocks while somebody waits for one: `COINFRONT_DEMO_BLOCK_SECONDS`; undefined where it says nothing. */
export function findBlockIntervalMs(): number | undefined {
  const seconds = Number(process.env[BLOCK_SECONDS]);
  return seconds > 0 ? seconds * 1000 : undefined;
}

/** The environment without these. */
export function withoutDemoSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [DIR]: _dir, [BLOCK_SECONDS]: _seconds, ...rest } = env;
  return rest;
}
