import { randomBytes } from 'node:crypto';

const [low, high] = [randomBytes(4).readInt32LE() | 1, randomBytes(4).readInt32LE() | 1];

/**
 * Spreads 48-bit keys over 32 bits, for hash tables in memory: take as many of the highest bits as the table needs. The
 * numbers it multiplies by are made at each start, so nobody can make scripts or transactions that meet in one place of it.
 */
export function spreadKey(key: number): number {
  return Math.imul(key ^ Math.imul(Math.floor(key / 0x100000000), high), low) >>> 0;
}
