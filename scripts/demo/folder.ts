import { resolve } from 'node:path';

/** Where `npm start` keeps its chain and all that belongs to it: `data/regtest`, or `COINFRONT_DEMO_DIR`. */
export function findDemoDir(): string {
  const given = process.env.COINFRONT_DEMO_DIR;
  return given ? resolve(given) : new URL('../../data/regtest', import.meta.url).pathname;
}
