/**
 * What the bytes of an image say of themselves, read before anything decodes them: kind, size, and that the file ends
 * where the image does, so that nothing else hides behind it.
 */

import { fail, ok, type Result } from '@coinfront/protocol/result.ts';

/** A still raster image. Pixels. */
export type ImageHeader = { kind: 'png' | 'jpeg' | 'webp'; width: number; height: number };

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const NOT_WHOLE = 'is cut off, or has bytes after its end';

/** Reads the header of a PNG, JPEG or WebP. Reasons continue "the image". */
export function readImageHeader(bytes: Buffer): Result<ImageHeader> {
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return readPng(bytes);
  if (bytes.length > 3 && bytes.readUInt16BE(0) === 0xffd8) return readJpeg(bytes);
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP')
    return readWebp(bytes);
  return fail('is no PNG, JPEG or WebP');
}

/** Chunk by chunk: length, type, data, check sum. */
function readPng(bytes: Buffer): Result<ImageHeader> {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR' || bytes.readUInt32BE(8) !== 13)
    return fail('is a PNG without a header');
  for (let at = 8; at + 12 <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return fail('is animated');
    at += 12 + bytes.readUInt32BE(at);
    if (type !== 'IEND') continue;
    if (at !== bytes.length) return fail(NOT_WHOLE);
    return ok({ kind: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) });
  }
  return fail(NOT_WHOLE);
}

/** Segment by segment up to the first frame header (SOF). */
function readJpeg(bytes: Buffer): Result<ImageHeader> {
  if (bytes.readUInt16BE(bytes.length - 2) !== 0xffd9) return fail(NOT_WHOLE);
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) break;
    const marker = bytes[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return ok({ kind: 'jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) });
    const length = bytes.readUInt16BE(at + 2);
    // Fill bytes, and segments that would stand still, are no part of a file that any program writes.
    if (length < 2 || marker === 0xff || marker === 0xda) break;
    at += 2 + length;
  }
  return fail('is a JPEG without a frame');
}

/** The first chunk says which of the three forms it is. */
function readWebp(bytes: Buffer): Result<ImageHeader> {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 !== bytes.length) return fail(NOT_WHOLE);
  const form = bytes.toString('latin1', 12, 16);
  if (form === 'VP8X') {
    if ((bytes[20]! & 0x02) !== 0) return fail('is animated');
    return ok({ kind: 'webp', width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 });
  }
  if (form === 'VP8L') {
    const bits = bytes.readUInt32LE(21);
    return ok({ kind: 'webp', width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 });
  }
  if (form === 'VP8 ')
    return ok({
      kind: 'webp',
      width: bytes.readUInt16LE(26) & 0x3fff,
      height: bytes.readUInt16LE(28) & 0x3fff,
    });
  return fail('is a WebP of an unknown form');
}
