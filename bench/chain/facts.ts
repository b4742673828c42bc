import { readFile, writeFile } from 'node:fs/promises';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';

/** What is known about a made chain without asking anybody. Scripts and hashes are hex, txids as shown. */
export type ChainStamp = {
  format: number;
  seed: number;
  requested: number;
  transactions: number;
  blocks: number;
  tipHash: string;
  makingSeconds: number;
  hotTransactions: number;
  hotUnspent: number;
  hotScript: string;
  tenTxScripts: string[];
  sampleScripts: string[];
  sampleTxids: string[];
};

/** A stamp with its scripts turned into addresses. */
export type BenchChainFacts = ChainStamp & {
  hotAddress: string;
  tenTxAddresses: string[];
  sampleAddresses: string[];
};

/** Raised when the shape of the traffic changes, so that older chains are made anew. */
export const STAMP_FORMAT = 1;

/** Reads the stamp of a finished chain; undefined when there is none or it is of another making. */
export async function findStamp(
  path: string,
  wanted: { seed: number; requested: number },
): Promise<ChainStamp | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const stamp = JSON.parse(text) as ChainStamp;
  const same =
    stamp.format === STAMP_FORMAT && stamp.seed === wanted.seed && stamp.requested === wanted.requested;
  return same ? stamp : undefined;
}

/** Writes the stamp that says a chain is whole. */
export async function writeStamp(path: string, stamp: ChainStamp): Promise<void> {
  await writeFile(path, `${JSON.stringify(stamp)}\n`);
}

/** Adds the addresses of the regtest profile to a stamp. */
export function describeChain(stamp: ChainStamp): BenchChainFacts {
  const profile = getShippedProfile('regtest');
  const toAddress = (scriptHex: string): string => {
    const address = encodeAddress(Buffer.from(scriptHex, 'hex'), profile);
    if (address === undefined) throw new Error(`The bench script ${scriptHex} has no address.`);
    return address;
  };
  return {
    ...stamp,
    hotAddress: toAddress(stamp.hotScript),
    tenTxAddresses: stamp.tenTxScripts.map(toAddress),
    sampleAddresses: [...new Set(stamp.sampleScripts)].map(toAddress),
  };
}
