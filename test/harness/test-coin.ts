import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { findNodeBinary, isLitecoin } from '../../scripts/node-process.ts';
import { loadProfile } from '../../service/src/load-profile.ts';

const isLitecoinNode = isLitecoin(findNodeBinary());

/**
 * The coin of the node that suites run (`COINFRONT_TEST_NODE`, else litecoind), as `COINFRONT_COIN` wants it:
 * `COINFRONT_TEST_COIN`, a shipped name or a file; else the regtest profile of Litecoin's or Bitcoin's node.
 */
export const testCoin: string =
  process.env.COINFRONT_TEST_COIN ?? (isLitecoinNode ? 'regtest' : 'bitcoin-regtest');

/** Its profile. */
export const testProfile: CoinProfile = getValue(loadProfile(testCoin));

/** The same coin, whose operator takes what may be replaced for payments without confirmations: a file for `COINFRONT_COIN`. */
export function writeTrustingCoin(): string {
  const shipped = join(import.meta.dirname, '..', '..', 'protocol', 'profiles', `${testCoin}.json`);
  const profile = JSON.parse(readFileSync(testCoin.includes('/') ? testCoin : shipped, 'utf8'));
  const file = join(mkdtempSync(join(tmpdir(), 'coinfront-coin-')), 'trusting.json');
  const payments = { ...(profile.payments ?? { zero_conf_max: '1' }), zero_conf_replaceable: true };
  writeFileSync(file, JSON.stringify({ ...profile, payments }));
  return file;
}

/** Lets a node replace unconfirmed transactions by those that pay more. Only Litecoin's has to be told. */
export const replacementArgs: readonly string[] = isLitecoinNode ? ['-mempoolreplacement=1'] : [];

/** Whether the coin's proof of work is scrypt; else it is SHA-256 twice. */
export const worksByScrypt: boolean = isLitecoinNode;
