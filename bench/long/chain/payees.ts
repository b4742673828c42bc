import type { Random } from '../../chain/random.ts';
import type { Mix } from './mixes.ts';
import { readUint32 } from './write-bytes.ts';

/** Which scripts the outputs of a chain pay to. */
export type Payees = {
  /** Writes length and scriptPubKey of the next payee to `target` and returns where they end. */
  write(random: Random, target: Uint8Array, at: number): number;
  /** The same of the busiest hub. */
  writeFirstHub(target: Uint8Array, at: number): number;
  /** The same of a payee whose number is known. */
  writeNumbered(payee: number, target: Uint8Array, at: number): number;
  /** The number of a payee that was written at `at`. */
  numberOf(bytes: Uint8Array, at: number): number;
  /** How many scripts were paid so far, without the hubs. */
  count(): number;
};

const HUBS = 64;
const FIRST_HUB = 2 ** 32 - HUBS;
const LATEST_SCRIPTS = 200_000;
const PROGRAM_BYTES = 20;

/**
 * Scripts are numbered, and a number gives the script: nothing has to be kept of them. They are native segwit of a key's
 * hash. The hubs are taken by a skewed draw: the first one is paid a quarter of the time.
 */
export function createPayees(scripts: Mix['scripts'], seed: number): Payees {
  const salt = spread(seed ^ 0x51ed270b);
  let count = 0;

  const draw = (random: Random): number => {
    const drawn = random.fraction();
    if (drawn < scripts.fresh || count === 0) return count++;
    if (drawn < scripts.fresh + scripts.hub) return FIRST_HUB + Math.floor(HUBS * random.fraction() ** 3);
    if (drawn < scripts.fresh + scripts.hub + scripts.latest) {
      return count - 1 - random.below(Math.min(count, LATEST_SCRIPTS));
    }
    return random.below(count);
  };
  const writeScript = (number: number, target: Uint8Array, at: number): number => {
    target[at] = 2 + PROGRAM_BYTES;
    target[at + 1] = 0;
    target[at + 2] = PROGRAM_BYTES;
    // One to one in the first word, so that no two numbers share a script.
    let word = spread(number ^ salt);
    for (let to = at + 3; to < at + 3 + PROGRAM_BYTES; to += 4) {
      target[to] = word;
      target[to + 1] = word >>> 8;
      target[to + 2] = word >>> 16;
      target[to + 3] = word >>> 24;
      word = spread(word + 0x9e3779b9 + number);
    }
    return at + 3 + PROGRAM_BYTES;
  };

  return {
    write: (random, target, at) => writeScript(draw(random), target, at),
    writeFirstHub: (target, at) => writeScript(FIRST_HUB, target, at),
    writeNumbered: writeScript,
    numberOf: (bytes, at) => (gather(readUint32(bytes, at + 3)) ^ salt) >>> 0,
    count: () => count,
  };
}

/** Mixes the bits of a word, one to one (the finaliser of MurmurHash3). */
function spread(word: number): number {
  let mixed = word | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** Undoes {@link spread}: the factors are the inverses of its factors, modulo 2^32. */
function gather(mixed: number): number {
  let word = Math.imul(mixed ^ (mixed >>> 16), 0x7ed1b41d);
  word = Math.imul(word ^ (word >>> 13) ^ (word >>> 26), 0xa5cb9243);
  return word ^ (word >>> 16);
}
