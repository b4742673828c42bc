/** Text on a canvas, one glyph behind the other. */

import { readFileSync } from 'node:fs';
import { type Canvas, type Colour, fillOutline } from './canvas.ts';
import { type Contour, type Font, type Glyph, readWoff } from './read-woff.ts';

/** The faces that pictures are written in. */
export type Face = 'regular' | 'bold' | 'mono';
export type Type = { face: Face; size: number; colour: Colour; tracking?: number };

const files: Readonly<Record<Face, string>> = {
  regular: 'fonts/inter-400.woff',
  bold: 'fonts/inter-600.woff',
  mono: 'fonts/jetbrains-mono-500.woff',
};
const fonts = new Map<Face, Font>();
/** More is never drawn of one text. */
const MOST_CHARACTERS = 400;
const ELLIPSIS = '…';

/**
 * What stands for a character that the font lacks, or that would show nothing or move others: an empty box. No character has an
 * effect beyond its own place, so a text reads as it is written, whatever it holds.
 */
function boxOf(unitsPerEm: number): Glyph {
  const [low, high, left, right] = [0, 0.7, 0.08, 0.52].map((share) => share * unitsPerEm) as [
    number,
    number,
    number,
    number,
  ];
  const pen = 0.06 * unitsPerEm;
  const frame = (inset: number): Contour => [
    { x: left + inset, y: low + inset, isOn: true },
    { x: left + inset, y: high - inset, isOn: true },
    { x: right - inset, y: high - inset, isOn: true },
    { x: right - inset, y: low + inset, isOn: true },
  ];
  return { advance: 0.6 * unitsPerEm, contours: [frame(0), frame(pen).toReversed()] };
}

function open(face: Face): Font {
  const known = fonts.get(face);
  if (known !== undefined) return known;
  const font = readWoff(readFileSync(new URL(files[face], import.meta.url)));
  fonts.set(face, font);
  return font;
}

function glyphsOf(font: Font, text: string): Glyph[] {
  const box = boxOf(font.unitsPerEm);
  return [...text.slice(0, 2 * MOST_CHARACTERS)]
    .slice(0, MOST_CHARACTERS)
    .map((character) =>
      /[\p{C}\p{M}\p{Zl}\p{Zp}]/u.test(character) ? box : (font.find(character.codePointAt(0)!) ?? box),
    );
}

/** Pixels from left to right. */
export function measureText(text: string, { face, size, tracking = 0 }: Omit<Type, 'colour'>): number {
  const font = open(face);
  const glyphs = glyphsOf(font, text);
  const units = glyphs.reduce((sum, { advance }) => sum + advance, 0);
  return (units * size) / font.unitsPerEm + tracking * glyphs.length;
}

/** Writes one line from `x` on; `y` is its baseline. `giveWay` is called between its characters. */
export async function drawText(
  canvas: Canvas,
  text: string,
  { x, y }: { x: number; y: number },
  type: Type,
  giveWay: () => Promise<void>,
): Promise<void> {
  const font = open(type.face);
  const scale = type.size / font.unitsPerEm;
  let at = x;
  for (const { advance, contours } of glyphsOf(font, text)) {
    fillOutline(canvas, contours, { x: at, y, scale }, type.colour);
    at += advance * scale + (type.tracking ?? 0);
    await giveWay();
  }
}

/** The text and the size at which it fits: smaller down to `least`, then without its middle. */
export function fitText(
  text: string,
  width: number,
  type: Omit<Type, 'colour'>,
  least: number,
): { text: string; size: number } {
  const whole = measureText(text, type);
  // Widths are in proportion to sizes, but for the tracking.
  const size = whole <= width ? type.size : Math.floor((type.size * width) / whole);
  if (size >= least && measureText(text, { ...type, size }) <= width) return { text, size };
  const characters = [...text.slice(0, 2 * MOST_CHARACTERS)];
  let [low, high] = [1, Math.floor(characters.length / 2)];
  const cut = (kept: number) =>
    characters.slice(0, kept).join('') + ELLIPSIS + characters.slice(-kept).join('');
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measureText(cut(middle), { ...type, size: least }) <= width) low = middle;
    else high = middle - 1;
  }
  return { text: cut(low), size: least };
}

/** Lines of words that fit, so many at most; the last one says that there is more. */
export function wrapText(
  text: string,
  width: number,
  type: Omit<Type, 'colour'>,
  mostLines: number,
): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.slice(0, MOST_CHARACTERS).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || measureText(longer, type) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  lines.push(line);
  const kept = lines.slice(0, mostLines);
  if (kept.length < lines.length) kept.push(`${kept.pop()}${ELLIPSIS}`);
  return kept.map((each) => fitText(each, width, type, type.size).text);
}
