/** `/favicon.ico`: the icon of the pages for programs that ask for it whatever a page names. */

import { writeSmallPng } from './picture/write-png.ts';

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
  const pixels = new Uint8Array(4 * SIZE * SIZE);
  for (const bar of bars) {
    for (let y = bar.y; y < bar.y + bar.height; y += 1) {
      for (let x = bar.x; x < bar.x + bar.width; x += 1) pixels.set(colour, 4 * (y * SIZE + x));
    }
  }
  return writeSmallPng(SIZE, SIZE, pixels);
}
