/** What headers that somebody handed over show of the chain that they are of. */

import { blockHashOf, parseHeader } from '@coinfront/protocol/block.ts';
import { equalBytes, parseDisplayHash, startsWithBytes } from '@coinfront/protocol/bytes.ts';
import { workOfBits } from '@coinfront/protocol/work.ts';
import { hasProofOfWork, type WorkKind } from './proof-of-work.ts';

/** What a verdict can say was not checked, each with its meaning. */
export const UNCHECKED = {
  work: 'That the headers carry proof of work: how this coin proves it was not said, or it is in another chain (AuxPoW).',
  difficulty:
    "That the headers' targets are those that the coin's rules ask for: compare `work` with the network's.",
  best_chain:
    'That the block is in the chain that the network follows: compare its hash with a source you trust.',
} as const;

/** Why headers show nothing. */
export type HeaderFault = 'work_missing' | 'headers_unlinked' | 'trusted_block_missing';

/** What headers show: how many they are, and the work behind them. */
export type HeaderVerdict =
  | {
      ok: true;
      headers: number;
      /** Hashes that they are expected to have taken. */
      work: bigint;
      workChecked: boolean;
      unchecked: (keyof typeof UNCHECKED)[];
    }
  | { ok: false; code: HeaderFault; detail: string };

export type HeaderOptions = {
  work?: WorkKind | undefined;
  easiestTarget?: bigint | undefined;
  trustedBlock?: string | undefined;
};

/** Checks headers of 80 bytes, each of which follows the one before it. */
export function checkHeaders(
  chain: readonly Uint8Array[],
  { work, easiestTarget, trustedBlock }: HeaderOptions,
): HeaderVerdict {
  const hashes = chain.map(blockHashOf);
  const isLinked = chain.every((header, i) => i === 0 || startsWithBytes(header.subarray(4), hashes[i - 1]!));
  if (!isLinked) return fault('headers_unlinked', 'A header does not follow the one before it.');
  const kind = work === undefined || work === 'auxpow' ? undefined : work;
  const idle =
    kind === undefined ? undefined : chain.find((header) => !hasProofOfWork(header, kind, easiestTarget));
  if (idle !== undefined)
    return fault(
      'work_missing',
      'A header does not meet its own target, or names one that the coin does not allow: nobody worked for it.',
    );
  const trusted = trustedBlock === undefined ? undefined : parseDisplayHash(trustedBlock);
  if (trusted !== undefined && !(trusted.ok && hashes.some((hash) => equalBytes(hash, trusted.value)))) {
    return fault(
      'trusted_block_missing',
      'The block that you trust is neither that of the proof nor among the headers.',
    );
  }
  return {
    ok: true,
    headers: chain.length,
    work: chain.reduce((sum, header) => sum + workOf(header), 0n),
    workChecked: kind !== undefined,
    unchecked:
      trusted !== undefined
        ? []
        : kind === undefined
          ? ['work', 'difficulty', 'best_chain']
          : ['difficulty', 'best_chain'],
  };
}

function workOf(header: Uint8Array): bigint {
  const parsed = parseHeader(header);
  return parsed.ok ? workOfBits(parsed.value.bits) : 0n;
}

function fault(code: HeaderFault, detail: string): HeaderVerdict & { ok: false } {
  return { ok: false, code, detail };
}
