/** Writes PNG files (ISO/IEC 15948). */

import { promisify } from 'node:util';
import { crc32, deflate, deflateSync } from 'node:zlib';
import type { Canvas } from './canvas.ts';

const deflateAside = promisify(deflate);
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const colourTypes = { 3: 2, 4: 6 } as const;

/** A canvas as a PNG; what takes time is done by another thread. */
export async function writePng({ width, height, pixels }: Canvas): Promise<Buffer> {
  return joinPng(width, height, 3, await deflateAside(addFilters(pixels, width, height, 3), { level: 6 }));
}

/** A small RGBA picture as a PNG, at once. */
export function writeSmallPng(width: number, height: number, pixels: Uint8Array): Buffer {
  return joinPng(width, height, 4, deflateSync(addFilters(pixels, width, height, 4)));
}

/** Each row begins with the number of its filter; 0 is none. */
function addFilters(pixels: Uint8Array, width: number, height: number, channels: number): Uint8Array {
  const rowLength = channels * width;
  const rows = new Uint8Array((rowLength + 1) * height);
  for (let y = 0; y < height; y += 1)
    rows.set(pixels.subarray(y * rowLength, (y + 1) * rowLength), y * (rowLength + 1) + 1);
  return rows;
}

function joinPng(width: number, height: number, channels: 3 | 4, data: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each channel.
  header.set([8, colourTypes[channels]], 8);
  return Buffer.concat([
    SIGNATURE,
    writeChunk('IHDR', header),
    writeChunk('IDAT', data),
    writeChunk('IEND', Buffer.alloc(0)),
  ]);
}

function writeChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, check]);
}
