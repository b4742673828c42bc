import { hash } from 'node:crypto';

const OP_DROP = 0x75;
const OP_1 = 0x51;

/**
 * The witness script `<number> OP_DROP OP_1`: anyone can spend it with the script alone, and each number is
 * another address. The number is pushed as four little-endian bytes.
 */
export function openWitnessScript(number: number): Uint8Array {
  const script = Buffer.alloc(7);
  script[0] = 4;
  script.writeUInt32LE(number, 1);
  script[5] = OP_DROP;
  script[6] = OP_1;
  return script;
}

/** The P2WSH scriptPubKey of `openWitnessScript(number)`. */
export function openScriptPubKey(number: number): Uint8Array {
  return prefixed([0x00, 0x20], sha256(openWitnessScript(number)), []);
}

/** A P2PKH, P2WPKH or P2TR scriptPubKey of a key that nobody holds, chosen by the number. */
export function lockedScriptPubKey(number: number): Uint8Array {
  const seed = Buffer.alloc(5);
  seed.writeUInt32LE(number, 1);
  const digest = sha256(seed);
  switch (number % 3) {
    case 0:
      return prefixed([0x76, 0xa9, 0x14], digest.subarray(0, 20), [0x88, 0xac]);
    case 1:
      return prefixed([0x00, 0x14], digest.subarray(0, 20), []);
    default:
      return prefixed([0x51, 0x20], digest, []);
  }
}

/** One SHA-256. */
export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer');
}

function prefixed(prefix: number[], body: Uint8Array, suffix: number[]): Uint8Array {
  const script = new Uint8Array(prefix.length + body.length + suffix.length);
  script.set(prefix, 0);
  script.set(body, prefix.length);
  script.set(suffix, prefix.length + body.length);
  return script;
}
