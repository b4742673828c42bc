import { inflateSync } from 'node:zlib';

/** Pixels as a decoder of QR codes wants them: four bytes each. */
export type Pixels = { width: number; height: number; data: Uint8Array };

const HEADER_LENGTH = 8;

/** Reads a screenshot: PNG of 8 bits a channel, RGB or RGBA, not interlaced, which is what Chromium writes. */
export function readScreenshot(png: Buffer): Pixels {
  let width = 0;
  let height = 0;
  let channels = 0;
  const compressed: Buffer[] = [];
  for (let at = HEADER_LENGTH; at < png.length; at += png.readUInt32BE(at) + 12) {
    const chunk = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    const type = png.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') compressed.push(chunk);
    if (type !== 'IHDR') continue;
    [width, height] = [chunk.readUInt32BE(0), chunk.readUInt32BE(4)];
    channels = { 2: 3, 6: 4 }[chunk[9]!] ?? 0;
    if (chunk[8] !== 8 || channels === 0 || chunk[12] !== 0) throw new Error('No such PNG is expected here.');
  }
  const rows = unfilter(inflateSync(Buffer.concat(compressed)), width * channels, height, channels);
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    for (let channel = 0; channel < channels; channel += 1)
      data[pixel * 4 + channel] = rows[pixel * channels + channel]!;
  }
  return { width, height, data };
}

/** Undoes the filter of each row (PNG, 9.2). */
function unfilter(bytes: Uint8Array, rowLength: number, height: number, step: number): Uint8Array {
  const rows = new Uint8Array(rowLength * height);
  for (let y = 0; y < height; y += 1) {
    const filter = bytes[y * (rowLength + 1)];
    for (let x = 0; x < rowLength; x += 1) {
      const at = y * rowLength + x;
      const left = x >= step ? rows[at - step]! : 0;
      const up = y > 0 ? rows[at - rowLength]! : 0;
      const corner = x >= step && y > 0 ? rows[at - rowLength - step]! : 0;
      const guesses = [0, left, up, (left + up) >> 1, guessPaeth(left, up, corner)];
      rows[at] = bytes[y * (rowLength + 1) + 1 + x]! + guesses[filter!]!;
    }
  }
  return rows;
}

function guessPaeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
