/** Pixels, and the three things that are drawn on them: areas, outlines, pictures. */

import type { Contour } from './read-woff.ts';

/** RGB, 8 bits each, row by row. */
export type Canvas = { width: number; height: number; pixels: Uint8Array };

/** Red, green, blue; 0 to 255. */
export type Colour = readonly [number, number, number];

/** RGBA, 8 bits each, row by row. */
export type Picture = { width: number; height: number; pixels: Uint8Array };

/** Where an outline stands: its origin in pixels, and pixels for a unit. */
export type Place = { x: number; y: number; scale: number };

/** `#rrggbb`. */
export function parseColour(text: string): Colour {
  const value = Number.parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function createCanvas(width: number, height: number, ground: Colour): Canvas {
  const pixels = new Uint8Array(3 * width * height);
  for (let at = 0; at < 3 * width; at += 3) pixels.set(ground, at);
  for (let filled = 3 * width; filled < pixels.length; filled *= 2) pixels.copyWithin(filled, 0, filled);
  return { width, height, pixels };
}

/** Fills an area of whole pixels; what is outside of the canvas is left out. */
export function fillArea(
  canvas: Canvas,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  colour: Colour,
  opacity = 1,
): void {
  const [left, right] = [Math.max(0, x), Math.min(canvas.width, x + width)];
  for (let row = Math.max(0, y); row < Math.min(canvas.height, y + height); row += 1) {
    for (let column = left; column < right; column += 1)
      blend(canvas.pixels, 3 * (row * canvas.width + column), colour, opacity);
  }
}

/** Draws a picture at its own size. */
export function drawPicture(canvas: Canvas, picture: Picture, x: number, y: number): void {
  for (let row = 0; row < picture.height; row += 1) {
    for (let column = 0; column < picture.width; column += 1) {
      const [toX, toY] = [x + column, y + row];
      if (toX < 0 || toY < 0 || toX >= canvas.width || toY >= canvas.height) continue;
      const at = 4 * (row * picture.width + column);
      const { pixels } = picture;
      const colour = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!] as const;
      blend(canvas.pixels, 3 * (toY * canvas.width + toX), colour, pixels[at + 3]! / 255);
    }
  }
}

/**
 * Fills outlines, smoothed. Each edge adds, to the pixels that it crosses, the change of the covered area from left to right; the
 * running sum of a row is what is covered.
 */
export function fillOutline(
  canvas: Canvas,
  contours: readonly Contour[],
  place: Place,
  colour: Colour,
  opacity = 1,
): void {
  const lines = contours.flatMap((contour) => flatten(contour, place));
  if (lines.length === 0) return;
  const xs = lines.flatMap(({ x0, x1 }) => [x0, x1]);
  const ys = lines.flatMap(({ y0, y1 }) => [y0, y1]);
  const left = Math.floor(Math.min(...xs));
  const top = Math.floor(Math.min(...ys));
  const width = Math.ceil(Math.max(...xs)) - left + 2;
  const height = Math.ceil(Math.max(...ys)) - top + 1;
  const changes = new Float32Array(width * height);
  for (const line of lines) addEdge(changes, width, line, left, top);
  for (let row = 0; row < height; row += 1) {
    let covered = 0;
    for (let column = 0; column < width; column += 1) {
      covered += changes[row * width + column]!;
      const share = Math.min(1, Math.abs(covered));
      const [x, y] = [left + column, top + row];
      if (share < 0.004 || x < 0 || y < 0 || x >= canvas.width || y >= canvas.height) continue;
      blend(canvas.pixels, 3 * (y * canvas.width + x), colour, share * opacity);
    }
  }
}

type Line = { x0: number; y0: number; x1: number; y1: number };

function blend(pixels: Uint8Array, at: number, colour: Colour, opacity: number): void {
  for (let i = 0; i < 3; i += 1) {
    const below = pixels[at + i]!;
    pixels[at + i] = Math.round(below + (colour[i]! - below) * opacity);
  }
}

/** Straight lines in pixels. Two control points in a row have a point of the curve in their middle. */
function flatten(contour: Contour, { x: originX, y: originY, scale }: Place): Line[] {
  const placed = contour.map(({ x, y, isOn }) => ({ x: originX + x * scale, y: originY - y * scale, isOn }));
  const points: { x: number; y: number; isOn: boolean }[] = [];
  placed.forEach((point, i) => {
    const before = placed.at(i - 1)!;
    if (!point.isOn && !before.isOn)
      points.push({ x: (point.x + before.x) / 2, y: (point.y + before.y) / 2, isOn: true });
    points.push(point);
  });
  const first = points.findIndex(({ isOn }) => isOn);
  if (first < 0) return [];
  const lines: Line[] = [];
  let from = points[first]!;
  const goTo = (x: number, y: number) => {
    lines.push({ x0: from.x, y0: from.y, x1: x, y1: y });
    from = { x, y, isOn: true };
  };
  for (let i = 1; i <= points.length; i += 1) {
    const point = points[(first + i) % points.length]!;
    if (point.isOn) {
      goTo(point.x, point.y);
      continue;
    }
    const end = points[(first + i + 1) % points.length]!;
    const start = from;
    const reach = Math.abs(start.x - 2 * point.x + end.x) + Math.abs(start.y - 2 * point.y + end.y);
    const steps = Math.min(12, Math.max(1, Math.ceil(Math.sqrt(reach * 2))));
    for (let step = 1; step <= steps; step += 1) {
      const t = step / steps;
      const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
      goTo(a * start.x + b * point.x + c * end.x, a * start.y + b * point.y + c * end.y);
    }
    i += 1;
  }
  return lines;
}

function addEdge(changes: Float32Array, width: number, line: Line, left: number, top: number): void {
  if (line.y0 === line.y1) return;
  const direction = line.y0 < line.y1 ? 1 : -1;
  const [upper, lower] =
    direction === 1
      ? [
          { x: line.x0 - left, y: line.y0 - top },
          { x: line.x1 - left, y: line.y1 - top },
        ]
      : [
          { x: line.x1 - left, y: line.y1 - top },
          { x: line.x0 - left, y: line.y0 - top },
        ];
  const slope = (lower.x - upper.x) / (lower.y - upper.y);
  for (let row = Math.floor(upper.y); row < lower.y; row += 1) {
    const from = Math.max(upper.y, row);
    const to = Math.min(lower.y, row + 1);
    if (to <= from) continue;
    const xFrom = upper.x + (from - upper.y) * slope;
    const xTo = upper.x + (to - upper.y) * slope;
    addRow(changes, row * width, Math.min(xFrom, xTo), Math.max(xFrom, xTo), (to - from) * direction);
  }
}

/** An edge within one row, from `x0` to `x1`: its height is spread over the pixels that it crosses, by what lies right of it. */
function addRow(changes: Float32Array, at: number, x0: number, x1: number, height: number): void {
  const [first, last] = [Math.floor(x0), Math.floor(x1)];
  let before = 0;
  for (let column = first; column <= last + 1; column += 1) {
    // The covered share of this pixel: the mean of what lies left of its right side, over the edge.
    const covered = meanClamped(column - x1, column - x0);
    changes[at + column]! += (covered - before) * height;
    before = covered;
  }
}

/** Mean of `1 + v`, held between 0 and 1, for v from `from` to `to`: of a pixel's width, how much is right of the edge. */
function meanClamped(from: number, to: number): number {
  if (to - from < 1e-6) return Math.min(1, Math.max(0, 1 + to));
  return (integral(1 + to) - integral(1 + from)) / (to - from);
}

function integral(v: number): number {
  if (v <= 0) return 0;
  return v >= 1 ? v - 0.5 : (v * v) / 2;
}
