import { hash } from 'node:crypto';

/** The first block of the profile that the bench runs with, `regtest`. */
export const GENESIS = Buffer.from(
  '010000000000000000000000000000000000000000000000000000000000000000000000d9ced4ed1130f7b7faad9be25323ffaf' +
    'a33232a17c3edf6cfd97bee6bafbdd97dae5494dffff7f20000000000101000000010000000000000000000000000000000000' +
    '000000000000000000000000000000ffffffff4804ffff001d0104404e592054696d65732030352f4f63742f32303131205374' +
    '657665204a6f62732c204170706c65e280997320566973696f6e6172792c2044696573206174203536ffffffff0100f2052a01' +
    '0000004341040184710fa689ad5023690c80f3a49c8f13f8d45b8c857fbcbc8bc4a8e4d3eb4b10f4d4604fa08dce601aaf0f47' +
    '0216fe1b51850b4acf21b179c45070ac7b03a9ac00000000',
  'hex',
);

/** When it was made, in seconds. */
export const GENESIS_TIME = GENESIS.readUInt32LE(68);

/** Hash of a block's header, internal byte order. */
export function hashHeader(block: Uint8Array): Buffer {
  return hash('sha256', hash('sha256', block.subarray(0, 80), 'buffer'), 'buffer');
}
