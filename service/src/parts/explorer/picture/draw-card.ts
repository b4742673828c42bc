/** Draws the picture of a page: 1200 x 630 pixels, as those who share a link show it (ogp.me). */

import {
  type Canvas,
  type Colour,
  createCanvas,
  drawPicture,
  fillArea,
  type Picture,
  parseColour,
} from './canvas.ts';
import { drawText, fitText, measureText, type Type, wrapText } from './draw-text.ts';

/** What a picture says. */
export type Card = {
  /** What it is of: "Block". */
  kind: string;
  title: string;
  /** A hash, an address or an id, in full. */
  code?: string;
  /** A sentence or two in the place of a code; three lines where there are no facts. */
  text?: string;
  /** Four at most. */
  facts: readonly CardFact[];
  /** What the facts are true for. */
  foot: string;
};
export type CardFact = { label: string; value: string };

/** What all pictures of a service have in common. */
export type CardFrame = {
  coinName: string;
  /** Host of the service. */
  host: string;
  /** `#rrggbb` */
  accent: string;
  /** The coin's own mark, MARK_SIZE pixels a side; else that of the pages. */
  mark: Picture | undefined;
};

export const cardSize = { width: 1_200, height: 630 } as const;
export const MARK_SIZE = 56;

/** As in page-tokens.css, light. */
const colours = {
  page: parseColour('#f7f7f4'),
  card: parseColour('#ffffff'),
  text: parseColour('#1a1d1e'),
  quiet: parseColour('#5a6265'),
  line: parseColour('#dedfd9'),
};
const LEFT = 88;
const RIGHT = 1_112;
const WIDTH = RIGHT - LEFT;
const MOST_FACTS = 4;
const BRAND_TOP = 72;

type GiveWay = () => Promise<void>;

/** Draws it; `giveWay` is called between its characters. */
export async function drawCard(card: Card, frame: CardFrame, giveWay: GiveWay): Promise<Canvas> {
  const accent = parseColour(frame.accent);
  const canvas = createCanvas(cardSize.width, cardSize.height, colours.page);
  drawGround(canvas, accent);
  drawMark(canvas, frame.mark, accent);
  await giveWay();
  for (const { text, x, y, ...type } of [
    ...layBrand(frame),
    ...layWords(card, accent),
    ...layFacts(card.facts),
  ])
    await drawText(canvas, text, { x, y }, type, giveWay);
  if (card.facts.length > 0) fillArea(canvas, { x: LEFT, y: 392, width: WIDTH, height: 2 }, colours.line);
  return canvas;
}

/** A line of text where it stands. */
type Line = Type & { text: string; x: number; y: number };

/** A line that is made smaller down to `least`, and then cut, to fit into a width. */
function lay(line: Line, width: number, least: number): Line {
  return { ...line, ...fitText(line.text, width, line, least) };
}

function drawGround(canvas: Canvas, accent: Colour): void {
  fillArea(canvas, { x: 0, y: 0, width: 20, height: canvas.height }, accent);
  // A chain that goes on beyond the edge.
  for (let i = 0; i < 5; i += 1)
    fillArea(canvas, { x: 958 + 54 * i, y: 536, width: 44, height: 44 }, accent, 0.1 + 0.14 * i);
}

function drawMark(canvas: Canvas, mark: Picture | undefined, accent: Colour): void {
  if (mark !== undefined) {
    drawPicture(canvas, mark, LEFT, BRAND_TOP);
    return;
  }
  // As in explorer/src/icon.svg.
  for (const { y, width } of [
    { y: 6, width: 56 },
    { y: 23, width: 40 },
    { y: 40, width: 48 },
  ])
    fillArea(canvas, { x: LEFT, y: BRAND_TOP + y, width, height: 10 }, accent);
}

function layBrand({ coinName, host }: CardFrame): Line[] {
  const quiet = { face: 'regular', size: 27, colour: colours.quiet } as const;
  const shownHost = lay({ ...quiet, text: host, x: 0, y: BRAND_TOP + 38 }, 440, 18);
  const hostWidth = measureText(shownHost.text, shownHost);
  const x = LEFT + MARK_SIZE + 20;
  const bold = { face: 'bold', size: 36, colour: colours.text, tracking: -0.5 } as const;
  const name = lay({ ...bold, text: coinName, x, y: BRAND_TOP + 41 }, RIGHT - hostWidth - 40 - x, 24);
  return [name, { ...shownHost, x: RIGHT - hostWidth }];
}

function layWords({ kind, title, code, text, facts, foot }: Card, accent: Colour): Line[] {
  const label = { face: 'bold', size: 25, colour: accent, tracking: 3 } as const;
  const large = { face: 'bold', size: 78, colour: colours.text, tracking: -1.5 } as const;
  const quiet = { face: 'regular', colour: colours.quiet } as const;
  const lines = [
    lay({ ...label, text: kind.toUpperCase(), x: LEFT, y: 214 }, WIDTH, 25),
    // Large letters begin a little behind the line that they stand on.
    lay({ ...large, text: title, x: LEFT - 3, y: 298 }, WIDTH, 44),
    lay({ ...quiet, size: 23, text: foot, x: LEFT, y: 580 }, 850, 18),
  ];
  if (code !== undefined)
    lines.push(lay({ ...quiet, face: 'mono', size: 28, text: code, x: LEFT, y: 352 }, WIDTH, 20));
  const sentence = { ...quiet, size: 36 } as const;
  const wrapped = text === undefined ? [] : wrapText(text, WIDTH, sentence, facts.length > 0 ? 1 : 3);
  return [...lines, ...wrapped.map((each, i) => ({ ...sentence, text: each, x: LEFT, y: 358 + 52 * i }))];
}

function layFacts(facts: readonly CardFact[]): Line[] {
  const shown = facts.slice(0, MOST_FACTS);
  const column = Math.floor(WIDTH / Math.max(3, shown.length));
  return shown.flatMap(({ label, value }, i) => {
    const x = LEFT + column * i;
    const quiet = { face: 'regular', size: 24, colour: colours.quiet } as const;
    const bold = { face: 'bold', size: 38, colour: colours.text, tracking: -0.5 } as const;
    return [
      lay({ ...quiet, text: label, x, y: 438 }, column - 28, 18),
      lay({ ...bold, text: value, x, y: 486 }, column - 28, 22),
    ];
  });
}
