import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';

/** An output that an input may spend. `key` has 16 bytes that name its script. */
export type StoredOutput = { outputId: number; value: bigint; key: Uint8Array };

/** Reads the 24 bytes of an output. */
export function decodeOutput(bytes: Uint8Array, at: number, outputId: number): StoredOutput {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    outputId,
    value: view.getBigInt64(at + SCRIPT_KEY_BYTES, true),
    key: bytes.slice(at, at + SCRIPT_KEY_BYTES),
  };
}
