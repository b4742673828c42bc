import { readImageHeader } from '../../service/src/image-header.ts';
import { demand, type FuzzTarget, hex } from '../target.ts';

const PNG = hex(
  '89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c636060600000000400012734270a0000000049454e44ae426082',
);
const JPEG = hex(`ffd8ffe000104a46494600010100000100010000ffc0000b08000100010101110000ffd9`);
const WEBP = hex(`52494646160000005745425056503820${'0a000000'}${'30010000'}9d012a01000100`);

/** What a logo says of itself. */
export const imageTarget: FuzzTarget = {
  name: 'image',
  reads: 'headers of PNG, JPEG and WebP',
  form: 'bytes',
  maxBytes: 2_048,
  seeds: [
    PNG,
    JPEG,
    WEBP,
    hex(`524946461c000000574542505650384c${'00'.repeat(20)}`),
    hex(`5249464616000000574542505650385800000000${'00'.repeat(10)}`),
  ],
  words: ['IHDR', 'IEND', 'acTL', 'RIFF', 'WEBP', 'VP8X', 'VP8L', 'VP8 '],
  check(input) {
    const header = readImageHeader(Buffer.from(input));
    if (!header.ok) return;
    const { width, height } = header.value;
    demand(Number.isSafeInteger(width) && Number.isSafeInteger(height), 'a size is two whole numbers');
  },
  growing: {
    'chunks of a PNG': (bytes) =>
      Uint8Array.from(Buffer.concat([PNG.subarray(0, 33), Buffer.alloc(bytes - (bytes % 12))])),
    'segments of a JPEG': (bytes) =>
      Uint8Array.from(Buffer.concat([hex('ffd8'), Buffer.alloc(bytes, hex('ffe00002')), hex('ffd9')])),
  },
};
