/** `/favicon.ico`: the icon of the pages for programs that ask for it whatever a page names. */

import { crc32, deflateSync } from 'node:zlib';

const SIZE = 32;
/** As in explorer/src/icon.svg. */
const colour = [0x0b, 0x65, 0x5a, 0xff];
const bars = [
  { x: 2, y: 4, width: 28, height: 5 },
  { x: 2, y: 14, width: 20, height: 5 },
  { x: 2, y: 23, width: 24, height: 5 },
] as const;

/** An ICO file with one picture, which is a PNG (both are little enough to be written here). */
export function drawFavicon(): Buffer {
  const png = writePng();
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.set([SIZE, SIZE], 6);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

function writePng(): Buffer {
  const rowLength = 1 + 4 * SIZE;
  const pixels = Buffer.alloc(rowLength * SIZE);
  for (const bar of bars) {
    for (let y = bar.y; y < bar.y + bar.height; y += 1) {
      for (let x = bar.x; x < bar.x + bar.width; x += 1) pixels.set(colour, y * rowLength + 1 + 4 * x);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  // Eight bits of red, green, blue and opacity.
  header.set([8, 6], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    writeChunk('IHDR', header),
    writeChunk('IDAT', deflateSync(pixels)),
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
