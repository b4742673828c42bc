import type { Transaction } from '../transaction.ts';
import type { MessageTimelock } from './verdict.ts';

/** nLockTime from here on is a Unix time, below it a height. */
const FIRST_UNIX_LOCKTIME = 500_000_000;
/** BIP-68: no relative lock at all; counted in units of 512 seconds; the bits of the number. */
const SEQUENCE_DISABLED = 0x80000000;
const SEQUENCE_IN_SECONDS = 0x00400000;
const SEQUENCE_MASK = 0x0000ffff;
const SECONDS_PER_UNIT = 512;

/**
 * BIP-322's time T (nLockTime) and age S (nSequence of the first input) of a `to_sign`; undefined when neither
 * sets a condition. The age counts whatever the version says, which is the cautious reading.
 */
export function findTimelock({ locktime, inputs }: Transaction): MessageTimelock | undefined {
  const sequence = inputs[0]!.sequence;
  const age = (sequence & SEQUENCE_DISABLED) === 0 ? sequence & SEQUENCE_MASK : 0;
  if (locktime === 0 && age === 0) return undefined;
  return {
    notBefore:
      locktime === 0
        ? undefined
        : locktime < FIRST_UNIX_LOCKTIME
          ? { height: locktime }
          : { unixSeconds: locktime },
    minAge:
      age === 0
        ? undefined
        : (sequence & SEQUENCE_IN_SECONDS) !== 0
          ? { seconds: age * SECONDS_PER_UNIT }
          : { blocks: age },
  };
}

/** The condition in words, for the reason of a verdict. */
export function describeTimelock({ notBefore, minAge }: MessageTimelock): string {
  const parts: string[] = [];
  if (notBefore) {
    parts.push(
      'height' in notBefore ? `from height ${notBefore.height}` : `from Unix time ${notBefore.unixSeconds}`,
    );
  }
  if (minAge) {
    parts.push(
      'blocks' in minAge
        ? `for coins of age ${minAge.blocks} blocks`
        : `for coins of age ${minAge.seconds} seconds`,
    );
  }
  return `the signature is valid only ${parts.join(' and ')}`;
}
