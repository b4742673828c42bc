import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { contrastOf } from './contrast.ts';

/** How a coin looks: what its operator laid into a folder. */
export type Face = {
  /** Accents of light and of dark pages. */
  colours: { light: Accent; dark: Accent } | undefined;
  /** A square PNG. */
  mark: Buffer | undefined;
  /** At the end of every page. */
  links: readonly FaceLink[];
};

/** A colour and what is legible on it, `#rrggbb`. */
export type Accent = { accent: string; onAccent: string };
export type FaceLink = { name: string; url: string };

/** What accents are written on: `--page` and `--card` of page-tokens.css. */
export const grounds = {
  light: ['#f7f7f4', '#ffffff'],
  dark: ['#111415', '#191d1e'],
} as const;

const onAccents = ['#ffffff', '#0c1513'] as const;
/** Of text of any size. */
const LEAST_CONTRAST = 4.5;
const MARK = { bytes: 65_536, least: 32, most: 512 } as const;
const JSON_BYTES = 16_384;
const MOST_LINKS = 8;
const LONGEST_NAME = 40;
const LONGEST_URL = 300;
const PNG_SIGNATURE = '89504e470d0a1a0a';

/** Reads `face.json` and `mark.png`, either of which may be missing, but not both. A reason says what to change. */
export function readFace(dir: string): Result<Face> {
  const json = readBounded(join(dir, 'face.json'), JSON_BYTES);
  if (!json.ok) return json;
  const mark = readBounded(join(dir, 'mark.png'), MARK.bytes);
  if (!mark.ok) return mark;
  if (json.value === undefined && mark.value === undefined)
    return fail(`${dir} has neither face.json nor mark.png`);
  const square = mark.value === undefined ? ok(undefined) : checkMark(mark.value);
  if (!square.ok) return square;
  let given: unknown;
  try {
    given = JSON.parse(json.value?.toString('utf8') ?? '{}');
  } catch {
    return fail('face.json is no JSON');
  }
  if (!isRecord(given)) return fail('face.json has to be an object');
  const strange = Object.keys(given).find((name) => name !== 'colours' && name !== 'links');
  if (strange !== undefined) return fail(`face.json has "${strange}"; it may have colours and links`);
  const colours = given.colours === undefined ? ok(undefined) : readColours(given.colours);
  if (!colours.ok) return colours;
  const links = readLinks(given.links ?? []);
  if (!links.ok) return links;
  return ok({ colours: colours.value, mark: mark.value, links: links.value });
}

function readBounded(file: string, most: number): Result<Buffer | undefined> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? ok(undefined) : fail(`${file} cannot be read (${code})`);
  }
  return bytes.length <= most ? ok(bytes) : fail(`${file} has ${bytes.length} bytes; ${most} at most`);
}

function checkMark(png: Buffer): Result<undefined> {
  const isPng =
    png.length > 33 &&
    png.toString('hex', 0, 8) === PNG_SIGNATURE &&
    png.toString('latin1', 12, 16) === 'IHDR';
  if (!isPng) return fail('mark.png is no PNG');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  return width === height && width >= MARK.least && width <= MARK.most
    ? ok(undefined)
    : fail(`mark.png is ${width} x ${height}; it has to be square, ${MARK.least} to ${MARK.most} pixels`);
}

function readColours(given: unknown): Result<Face['colours']> {
  if (!isRecord(given)) return fail('colours has to be an object with light and dark');
  const light = readAccent(given.light, 'light');
  if (!light.ok) return light;
  const dark = readAccent(given.dark, 'dark');
  return dark.ok ? ok({ light: light.value, dark: dark.value }) : dark;
}

function readAccent(given: unknown, mode: keyof typeof grounds): Result<Accent> {
  if (typeof given !== 'string' || !/^#[0-9a-f]{6}$/i.test(given))
    return fail(`colours.${mode} has to be a colour such as #0b655a`);
  for (const ground of grounds[mode]) {
    const ratio = contrastOf(given, ground);
    if (ratio < LEAST_CONTRAST)
      return fail(
        `colours.${mode} ${given} has a contrast of ${ratio.toFixed(2)} to ${ground}; ${LEAST_CONTRAST} at least`,
      );
  }
  const onAccent = onAccents.toSorted((a, b) => contrastOf(b, given) - contrastOf(a, given))[0]!;
  return ok({ accent: given.toLowerCase(), onAccent });
}

function readLinks(given: unknown): Result<FaceLink[]> {
  if (!Array.isArray(given) || given.length > MOST_LINKS)
    return fail(`links has to be a list of ${MOST_LINKS} at most`);
  const links: FaceLink[] = [];
  for (const [i, link] of given.entries()) {
    const { name, url } = isRecord(link) ? link : {};
    if (typeof name !== 'string' || name.trim() === '' || name.length > LONGEST_NAME)
      return fail(`links[${i}].name has to be a text of 1 to ${LONGEST_NAME} characters`);
    const isAddress =
      typeof url === 'string' &&
      url.length <= LONGEST_URL &&
      (/^\/(?![/\\])[\x21-\x7e]*$/.test(url) || (/^https:\/\//.test(url) && URL.canParse(url)));
    if (!isAddress) return fail(`links[${i}].url has to be https://… or a path of this service`);
    links.push({ name: name.trim(), url: url as string });
  }
  return ok(links);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
