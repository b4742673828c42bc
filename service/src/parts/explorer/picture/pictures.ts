import { hash } from 'node:crypto';
import sharp from 'sharp';
import { AppError } from '../../../errors.ts';
import type { Face } from '../face/read-face.ts';
import type { Picture } from './canvas.ts';
import { type Card, type CardFrame, drawCard, MARK_SIZE } from './draw-card.ts';
import { writePng } from './write-png.ts';

/** Pictures that were drawn, and the one that is being drawn. */
export type Pictures = {
  /** What names the picture of a card: it changes with what is drawn. */
  nameOf(card: Card): string;
  /** Whether it has to be drawn. */
  isKept(name: string): boolean;
  /**
   * Gives it, drawn if need be, one at a time.
   *
   * @throws AppError `overloaded` when too many wait
   */
  draw(card: Card, giveWay: () => Promise<void>): Promise<Buffer>;
};

/** Changes with how cards are drawn. */
const VERSION = 1;
const MOST_BYTES = 8 * 2 ** 20;
const MOST_WAITING = 16;
const OWN_ACCENT = '#0b655a';

/** Creates the pictures of a service, with the face of its coin. */
export function createPictures(options: {
  coinName: string;
  publicUrl: string;
  face: Face | undefined;
  mostBytes?: number;
}): Pictures {
  const { coinName, face, mostBytes = MOST_BYTES } = options;
  const host = new URL(options.publicUrl).host;
  const accent = face?.colours?.light.accent ?? OWN_ACCENT;
  const lookOf = [VERSION, coinName, host, accent, face?.mark && hash('sha256', face.mark)];
  const kept = new Map<string, Buffer>();
  let keptBytes = 0;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let frame: Promise<CardFrame> | undefined;

  const nameOf = (card: Card) =>
    `"${hash('sha256', JSON.stringify([lookOf, card]), 'base64url').slice(0, 22)}"`;

  function find(name: string): Buffer | undefined {
    const png = kept.get(name);
    if (png === undefined) return undefined;
    // What was asked for last is dropped last.
    kept.delete(name);
    kept.set(name, png);
    return png;
  }

  function keep(name: string, png: Buffer): void {
    kept.set(name, png);
    keptBytes += png.length;
    for (const [oldest, { length }] of kept) {
      if (keptBytes <= mostBytes) break;
      kept.delete(oldest);
      keptBytes -= length;
    }
  }

  async function make(card: Card, giveWay: () => Promise<void>): Promise<Buffer> {
    const name = nameOf(card);
    const known = find(name);
    if (known !== undefined) return known;
    frame ??= readMark(face?.mark).then((mark) => ({ coinName, host, accent, mark }));
    const png = await writePng(await drawCard(card, await frame, giveWay));
    keep(name, png);
    return png;
  }

  return {
    nameOf,
    isKept: (name) => kept.has(name),
    async draw(card, giveWay) {
      const known = find(nameOf(card));
      if (known !== undefined) return known;
      if (waiting >= MOST_WAITING)
        throw new AppError('overloaded', 'Too many pictures wait to be drawn; try again.', {
          'retry-after': '5',
        });
      waiting += 1;
      const turn = last.then(() => make(card, giveWay));
      last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        waiting -= 1;
      }
    },
  };
}

/** Decoded once, at the size that it is drawn in; a file that does not decode leaves the mark that pages have. */
async function readMark(png: Buffer | undefined): Promise<Picture | undefined> {
  if (png === undefined) return undefined;
  try {
    const { data, info } = await sharp(png, { failOn: 'error' })
      .resize(MARK_SIZE, MARK_SIZE)
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, pixels: data };
  } catch {
    return undefined;
  }
}
