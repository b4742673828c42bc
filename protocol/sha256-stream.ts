import { sha256 as plainSha256 } from '@noble/hashes/sha2.js';
import { ROUND_CONSTANTS } from './sha256-short.ts';
import { DATA_AT, DATA_BYTES, emitStreamModule, STATE_AT } from './sha256-stream-code.ts';

/** SHA-256 (FIPS 180-4) of a long message that comes in pieces. */
export type Sha256Stream = {
  /** Whether WebAssembly does the work; where it is refused or lacks vectors, plain code does. */
  readonly isFast: boolean;
  /** Takes the next piece; of any length. */
  update(piece: Uint8Array): void;
  /** The hash of all pieces, 32 bytes; nothing can be added behind it. */
  digest(): Uint8Array;
};

const INITIAL = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;
const BLOCK_BYTES = 64;
/** A one bit and the length, 64 bits. */
const PADDING_BYTES = 9;

/** Begins a hash. */
export function createSha256Stream(): Sha256Stream {
  const exports = instantiate();
  return exports === undefined ? createPlainStream() : createFastStream(exports);
}

/** The same without WebAssembly. */
export function createPlainStream(): Sha256Stream {
  const hash = plainSha256.create();
  return { isFast: false, update: (piece) => void hash.update(piece), digest: () => hash.digest() };
}

function createFastStream({ memory, hash }: Exports): Sha256Stream {
  const data = new Uint8Array(memory.buffer, DATA_AT, DATA_BYTES);
  const state = new DataView(memory.buffer, STATE_AT, INITIAL.length * 4);
  for (const [i, word] of INITIAL.entries()) state.setUint32(i * 4, word, true);
  let filled = 0;
  let total = 0;
  return {
    isFast: true,
    update(piece) {
      total += piece.length;
      for (let at = 0; at < piece.length; ) {
        const count = Math.min(piece.length - at, DATA_BYTES - filled);
        data.set(piece.subarray(at, at + count), filled);
        filled += count;
        at += count;
        if (filled < DATA_BYTES) continue;
        hash(DATA_BYTES / BLOCK_BYTES);
        filled = 0;
      }
    },
    digest() {
      const blocks = Math.floor(filled / BLOCK_BYTES);
      if (blocks > 0) hash(blocks);
      data.copyWithin(0, blocks * BLOCK_BYTES, filled);
      const rest = filled % BLOCK_BYTES;
      const end = rest + PADDING_BYTES <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
      data.fill(0, rest, end);
      data[rest] = 0x80;
      new DataView(memory.buffer, DATA_AT).setBigUint64(end - 8, BigInt(total) * 8n);
      hash(end / BLOCK_BYTES);
      const digest = new Uint8Array(INITIAL.length * 4);
      const view = new DataView(digest.buffer);
      for (const i of INITIAL.keys()) view.setUint32(i * 4, state.getUint32(i * 4, true));
      return digest;
    },
  };
}

type Exports = { memory: { buffer: ArrayBuffer }; hash(blocks: number): void };

let compiled: object | undefined;

/** Undefined where a policy refuses WebAssembly, or the engine has no vectors. */
function instantiate(): Exports | undefined {
  try {
    compiled ??= new WebAssembly.Module(emitStreamModule(ROUND_CONSTANTS));
    return new WebAssembly.Instance(compiled).exports;
  } catch {
    return undefined;
  }
}

/** What is used of the interface that browsers and Node share, and that only the types of browsers describe. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object) => { exports: Exports };
};
