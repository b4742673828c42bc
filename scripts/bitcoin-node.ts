import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The Bitcoin node that some suites run on besides Litecoin's, or why there is none. */
export type BitcoinNode =
  | { readonly binary: string; readonly missing?: undefined }
  | { readonly binary?: undefined; readonly missing: string };

/** Where `fetch-from-sid.sh` puts the node, and why it could not. */
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'coinfront');

/** Finds `COINFRONT_TEST_BITCOIN`, or what `fetch-from-sid.sh` unpacked. */
export function findBitcoinNode(): BitcoinNode {
  const given = process.env.COINFRONT_TEST_BITCOIN;
  if (given) return { binary: given };
  const binary = join(CACHE, 'bitcoin-knots', 'bitcoind');
  if (existsSync(binary)) return { binary };
  const why = join(CACHE, 'bitcoin-knots-unavailable.txt');
  const reason = existsSync(why)
    ? readFileSync(why, 'utf8').trim()
    : 'it has not been fetched: npm test does that.';
  return { missing: `Bitcoin Knots is not to be had here: ${reason}` };
}
