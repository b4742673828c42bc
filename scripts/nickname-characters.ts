/**
 * `node scripts/nickname-characters.ts <ppucd.txt> <confusables.txt>`: writes protocol/treasury/nickname-characters.ts, the
 * characters that nicknames may have and what these look like, out of two published files of Unicode. Both are in the sources
 * of ICU (`source/data/unidata`), of which Debian keeps a copy (`apt-get source icu`).
 */

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

/** Scripts of which a nickname uses one, as Unicode abbreviates them; those that are written together are one. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  Latin: ['Latn'],
  Greek: ['Grek'],
  Cyrillic: ['Cyrl'],
  Armenian: ['Armn'],
  Georgian: ['Geor'],
  Hebrew: ['Hebr'],
  Arabic: ['Arab'],
  Devanagari: ['Deva'],
  Bengali: ['Beng'],
  Tamil: ['Taml'],
  Thai: ['Thai'],
  Japanese: ['Hani', 'Hira', 'Kana'],
  Hangul: ['Hang'],
};
/** Is a letter of no script, but between Hiragana and Katakana. */
const PROLONGED_SOUND = 0x30fc;
const PER_LINE = 100;
const out = new URL('../protocol/treasury/nickname-characters.ts', import.meta.url);

type Properties = Readonly<Record<string, string>>;
/** What is said of these code points, the last that is said being right. */
type Row = { from: number; to: number; properties: Properties };

const [ucdFile, confusablesFile] = process.argv.slice(2);
if (ucdFile === undefined || confusablesFile === undefined)
  throw new Error('usage: node scripts/nickname-characters.ts <ppucd.txt> <confusables.txt>');
const ucd = readFileSync(ucdFile, 'utf8');
const confusables = readFileSync(confusablesFile, 'utf8');
const version = /^ucd;(\S+)$/m.exec(ucd)![1]!;
if (/^# Version: (\S+)$/m.exec(confusables)![1] !== version)
  throw new Error('The files are of two versions.');

const allowed = collectAllowed(readRows(ucd));
const pairs = collectLooks(confusables, new Set([...allowed.values()].flat()));
const digest = (text: string) => createHash('sha256').update(text).digest('hex');
writeFileSync(
  out,
  `/**
 * Made by scripts/nickname-characters.ts from files of Unicode ${version}, as in the sources of ICU; not to be edited.
 *
 * ppucd.txt        SHA-256 ${digest(ucd)}
 * confusables.txt  SHA-256 ${digest(confusables)}
 *
 * © Unicode, Inc., under the licence that stands at the end of LICENSE.
 */

/** Letters and marks of each script whose Identifier_Status (UTS 39) is Allowed, as hexadecimal ranges. */
export const scriptRanges: Readonly<Record<string, string>> = {
${[...allowed].map(([name, points]) => `  ${name}:\n${writeLines(ranges(points))},`).join('\n')}
};

/** Character by character, what these look like (UTS 39): the character, and behind it the one or more that stand for it. */
export const looks =
${writeLines(pairs)};
`,
);

function readRows(text: string): Row[] {
  const rows: Row[] = [];
  let base: Properties = {};
  let block: Row | undefined;
  for (const line of text.split('\n')) {
    const [kind, range, ...fields] = line.split(';');
    if (range === undefined || !['defaults', 'block', 'cp', 'unassigned'].includes(kind!)) continue;
    const [from, to = from] = range.split('..').map((hex) => Number.parseInt(hex, 16)) as [number, number?];
    const own = Object.fromEntries(fields.map((field) => field.split('=') as [string, string]));
    if (kind === 'defaults') base = own;
    const inherited =
      kind === 'cp' && block !== undefined && from >= block.from && from <= block.to
        ? block.properties
        : base;
    const row = { from, to, properties: { ...inherited, ...own } };
    if (kind === 'block') block = row;
    if (kind !== 'defaults') rows.push(row);
  }
  return rows;
}

/** The code points of each script's allowed letters and marks. */
function collectAllowed(rows: readonly Row[]): Map<string, number[]> {
  const properties = new Map<number, Properties>();
  for (const row of rows)
    for (let point = row.from; point <= row.to; point++) properties.set(point, row.properties);
  const found = new Map(Object.keys(SCRIPTS).map((name): [string, number[]] => [name, []]));
  for (const [point, { gc = '', sc = '', scx, ID_Status }] of [...properties].sort(([a], [b]) => a - b)) {
    if (ID_Status !== 'Allowed' || !/^[LM]/.test(gc)) continue;
    for (const [name, scripts] of Object.entries(SCRIPTS)) {
      // A mark that is inherited is every script's, unless Unicode names those that use it.
      const isInherited =
        sc === 'Zinh' && (scx === undefined || scx.split(' ').some((each) => scripts.includes(each)));
      if (scripts.includes(sc) || isInherited || (name === 'Japanese' && point === PROLONGED_SOUND))
        found.get(name)!.push(point);
    }
  }
  return found;
}

/** The rows of confusables.txt whose character may occur, in any case, when an allowed text or a digit is decomposed. */
function collectLooks(text: string, allowedPoints: ReadonlySet<number>): string[] {
  const reachable = new Set('0123456789');
  for (const point of allowedPoints) {
    const character = String.fromCodePoint(point);
    for (const form of [character, character.toLowerCase(), character.toUpperCase()])
      for (const part of form.normalize('NFD')) reachable.add(part);
  }
  const looks = new Map<string, string>();
  for (const line of text.split('\n')) {
    const row = /^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA/.exec(line.replace(/^\ufeff/, ''));
    if (row === null) continue;
    const [from, to] = row
      .slice(1)
      .map((hexes) => String.fromCodePoint(...hexes.split(' ').map((hex) => Number.parseInt(hex, 16))));
    looks.set(from!, to!);
  }
  return [...looks]
    .filter(([from]) => reachable.has(from))
    .sort(([a], [b]) => a.codePointAt(0)! - b.codePointAt(0)!)
    .map(([from, to]) => [from, ...to].map((each) => each.codePointAt(0)!.toString(16)).join('='));
}

function ranges(points: readonly number[]): string[] {
  const found: [from: number, to: number][] = [];
  for (const point of points) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === point - 1) last[1] = point;
    else found.push([point, point]);
  }
  return found.map(([from, to]) =>
    from === to ? from.toString(16) : `${from.toString(16)}-${to.toString(16)}`,
  );
}

/** Words as one text, in lines of source. */
function writeLines(words: readonly string[]): string {
  const lines = [''];
  for (const word of words) {
    if (lines.at(-1)!.length + word.length > PER_LINE) lines.push('');
    lines.push(lines.pop()! + (lines.length === 1 && lines[0] === '' ? '' : ' ') + word);
  }
  return lines.map((line) => `    '${line}'`).join(' +\n');
}
