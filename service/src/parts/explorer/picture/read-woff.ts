/** Reads fonts of our own: WOFF 1.0 (W3C) around TrueType outlines (OpenType: head, hhea, hmtx, maxp, cmap, loca, glyf). */

import { inflateSync } from 'node:zlib';

/** A closed contour in units of the font, y upwards, as TrueType has it: points on the curve and control points of quadratic curves. */
export type Contour = readonly { x: number; y: number; isOn: boolean }[];

/** What is drawn of a font. All lengths in units of it. */
export type Font = {
  unitsPerEm: number;
  /** The glyph of a code point; undefined where the font has none. */
  find(codePoint: number): Glyph | undefined;
};

export type Glyph = { advance: number; contours: readonly Contour[] };

const WOFF_SIGNATURE = 0x774f4646;
/** Parts of parts of a glyph. */
const DEEPEST = 4;

/** @throws Error when it is no such font: the files are our own */
export function readWoff(file: Buffer): Font {
  if (file.readUInt32BE(0) !== WOFF_SIGNATURE) throw new Error('This is no WOFF file.');
  const tables = readTables(file);
  const table = (tag: string): Buffer => {
    const found = tables.get(tag);
    if (found === undefined) throw new Error(`The font has no table ${tag}.`);
    return found;
  };
  const head = table('head');
  const longOffsets = head.readInt16BE(50) === 1;
  const metrics = table('hhea').readUInt16BE(34);
  const [hmtx, loca, glyf] = [table('hmtx'), table('loca'), table('glyf')];
  const glyphOf = readCharacterMap(table('cmap'));
  const offset = (glyph: number): number =>
    longOffsets ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph);
  const kept = new Map<number, Glyph>();

  function readContours(glyph: number, depth: number): Contour[] {
    const [from, to] = [offset(glyph), offset(glyph + 1)];
    if (from === to || depth > DEEPEST) return [];
    const bytes = glyf.subarray(from, to);
    const count = bytes.readInt16BE(0);
    return count >= 0 ? readSimple(bytes, count) : readComposite(bytes, depth);
  }

  function readComposite(bytes: Buffer, depth: number): Contour[] {
    const contours: Contour[] = [];
    let at = 10;
    for (let flags = 0x20; (flags & 0x20) !== 0; ) {
      flags = bytes.readUInt16BE(at);
      const part = bytes.readUInt16BE(at + 2);
      const areWords = (flags & 1) !== 0;
      const dx = areWords ? bytes.readInt16BE(at + 4) : bytes.readInt8(at + 4);
      const dy = areWords ? bytes.readInt16BE(at + 6) : bytes.readInt8(at + 5);
      at += areWords ? 8 : 6;
      const read = () => {
        at += 2;
        return bytes.readInt16BE(at - 2) / 0x4000;
      };
      let [a, b, c, d] = [1, 0, 0, 1];
      if ((flags & 0x08) !== 0) a = d = read();
      else if ((flags & 0x40) !== 0) [a, d] = [read(), read()];
      else if ((flags & 0x80) !== 0) [a, b, c, d] = [read(), read(), read(), read()];
      for (const contour of readContours(part, depth + 1)) {
        contours.push(
          contour.map(({ x, y, isOn }) => ({ x: a * x + c * y + dx, y: b * x + d * y + dy, isOn })),
        );
      }
    }
    return contours;
  }

  return {
    unitsPerEm: head.readUInt16BE(18),
    find(codePoint) {
      const glyph = glyphOf(codePoint);
      if (glyph === 0) return undefined;
      const known = kept.get(glyph);
      if (known !== undefined) return known;
      const advance = hmtx.readUInt16BE(4 * Math.min(glyph, metrics - 1));
      const found = { advance, contours: readContours(glyph, 0) };
      kept.set(glyph, found);
      return found;
    },
  };
}

function readTables(file: Buffer): Map<string, Buffer> {
  const tables = new Map<string, Buffer>();
  for (let i = 0; i < file.readUInt16BE(12); i += 1) {
    const at = 44 + 20 * i;
    const [offset, packed, length] = [4, 8, 12].map((field) => file.readUInt32BE(at + field)) as [
      number,
      number,
      number,
    ];
    const bytes = file.subarray(offset, offset + packed);
    tables.set(file.toString('latin1', at, at + 4), packed < length ? inflateSync(bytes) : bytes);
  }
  return tables;
}

/** Glyph numbers of the Basic Multilingual Plane (cmap, format 4); 0 for what there is none of. */
function readCharacterMap(cmap: Buffer): (codePoint: number) => number {
  let at = -1;
  for (let i = 0; i < cmap.readUInt16BE(2); i += 1) {
    const offset = cmap.readUInt32BE(4 + 8 * i + 4);
    if (cmap.readUInt16BE(offset) === 4) at = offset;
  }
  if (at < 0) throw new Error('The font has no character map that is read here.');
  const segments = cmap.readUInt16BE(at + 6) / 2;
  const [ends, starts] = [at + 14, at + 16 + 2 * segments];
  const [deltas, ranges] = [starts + 2 * segments, starts + 4 * segments];
  return (codePoint) => {
    for (let i = 0; i < segments && codePoint <= 0xffff; i += 1) {
      if (cmap.readUInt16BE(ends + 2 * i) < codePoint) continue;
      const start = cmap.readUInt16BE(starts + 2 * i);
      if (start > codePoint) return 0;
      const delta = cmap.readUInt16BE(deltas + 2 * i);
      const range = cmap.readUInt16BE(ranges + 2 * i);
      if (range === 0) return (codePoint + delta) & 0xffff;
      const glyph = cmap.readUInt16BE(ranges + 2 * i + range + 2 * (codePoint - start));
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}

/** Flags, then differences of x, then of y; each shorter where it can be. */
function readSimple(bytes: Buffer, count: number): Contour[] {
  const ends = Array.from({ length: count }, (_, i) => bytes.readUInt16BE(10 + 2 * i));
  const points = (ends.at(-1) ?? -1) + 1;
  let at = 12 + 2 * count + bytes.readUInt16BE(10 + 2 * count);
  const flags: number[] = [];
  while (flags.length < points) {
    const flag = bytes[at++]!;
    const repeats = (flag & 8) === 0 ? 0 : bytes[at++]!;
    for (let i = 0; i <= repeats; i += 1) flags.push(flag);
  }
  const readAxis = (short: number, same: number): number[] => {
    let value = 0;
    return flags.slice(0, points).map((flag) => {
      if ((flag & short) !== 0) value += (flag & same) === 0 ? -bytes[at++]! : bytes[at++]!;
      else if ((flag & same) === 0) {
        value += bytes.readInt16BE(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = readAxis(2, 16);
  const ys = readAxis(4, 32);
  let from = 0;
  return ends.map((end) => {
    const contour = [];
    for (; from <= end; from += 1)
      contour.push({ x: xs[from]!, y: ys[from]!, isOn: (flags[from]! & 1) !== 0 });
    return contour;
  });
}
