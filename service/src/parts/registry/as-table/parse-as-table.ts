/** Tables of prefixes to numbers of autonomous systems, as they are published: one prefix a line. */

import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { createPrefixMap, type Prefix, type PrefixMap } from './prefix-map.ts';

/** The whole internet has some 1,300,000 prefixes. */
export const MAX_LINES = 3_000_000;
const MAX_LINE = 200;
const MAX_ASN = 4_294_967_295;
const LINE_FEED = 0x0a;

/**
 * Reads lines of a prefix and a number: `203.0.113.0/24 AS64500`, with `AS` or without, or of address, length and number, with any
 * space between. Of several origins (`64500_64501`, `64500,64501`) the first counts; number 0 says that the prefix is nobody's. What
 * follows `#` or `;` is a comment.
 *
 * @returns the reason names the line
 */
export function parseAsTable(bytes: Buffer): Result<PrefixMap> {
  const map = createPrefixMap();
  if (countLines(bytes) > MAX_LINES) return fail(`it has more than ${MAX_LINES} lines`);
  let number = 0;
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found < 0 ? bytes.length : found;
    number += 1;
    if (end - start > MAX_LINE) return fail(`line ${number} is longer than ${MAX_LINE} characters`);
    const line = bytes
      .toString('latin1', start, end)
      .replace(/[#;].*$/s, '')
      .trim();
    start = end + 1;
    if (line === '') continue;
    const entry = readLine(line);
    if (!entry.ok) return fail(`line ${number}: ${entry.reason}`);
    const { prefix, asn } = entry.value;
    if (!map.add(prefix, asn)) return fail(`line ${number}: bits behind /${prefix.bits} are set`);
  }
  if (map.size === 0) return fail('it has no prefix');
  const twice = map.finish();
  return twice === undefined ? ok(map) : fail(`${twice} is there twice, with other numbers`);
}

function countLines(bytes: Buffer): number {
  let lines = 1;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}

type Entry = { prefix: Prefix; asn: number };

function readLine(line: string): Result<Entry> {
  const match = /^([0-9a-fA-F.:]{2,45})(?:\/|\s+)([0-9]{1,3})\s+(?:AS)?([0-9]{1,10})(?:[_,][0-9_,]*)?$/i.exec(
    line,
  );
  if (match === null)
    return fail(`"${line.slice(0, 60)}" is no prefix with a number, such as 203.0.113.0/24 AS64500`);
  const address = readAddress(match[1]!);
  if (address === undefined) return fail(`"${match[1]}" is no address of a prefix`);
  const bits = Number(match[2]);
  const widest = address.family === 4 ? 32 : 64;
  if (bits > widest) return fail(`/${bits} is longer than /${widest}`);
  const asn = Number(match[3]);
  if (asn > MAX_ASN) return fail(`${asn} is no number of an autonomous system`);
  return ok({ prefix: { ...address, bits }, asn });
}

/** By hand: a general parser takes ten times as long for a million lines. */
function readAddress(text: string): Omit<Prefix, 'bits'> | undefined {
  const quad = /^([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})$/.exec(text);
  if (quad === null) return readIpv6(text);
  const bytes = quad.slice(1).map(Number);
  return bytes.some((byte) => byte > 255) ? undefined : addressOf(bytes);
}

/** Groups of RFC 4291 without an IPv4 tail; those behind the 64th bit have to be zero. */
function readIpv6(text: string): Omit<Prefix, 'bits'> | undefined {
  const [head = '', tail, ...more] = text.split('::');
  const groupsOf = (half: string | undefined) => (half === undefined || half === '' ? [] : half.split(':'));
  const [first, last] = [groupsOf(head), groupsOf(tail)];
  const missing = 8 - first.length - last.length;
  if (more.length > 0 || (tail === undefined ? missing !== 0 : missing < 1)) return undefined;
  const groups = [...first, ...Array<string>(missing).fill('0'), ...last];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  const numbers = groups.map((group) => Number.parseInt(group, 16));
  if (numbers.slice(4).some((group) => group !== 0)) return undefined;
  const word = (at: number) => ((numbers[at]! << 16) | numbers[at + 1]!) >>> 0;
  return { family: 6, high: word(0), low: word(2) };
}

/** An address as prefixes are compared with it. @param bytes 4 or 16 */
export function addressOf(bytes: readonly number[]): Omit<Prefix, 'bits'> {
  const word = (at: number) =>
    ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
  return bytes.length === 4
    ? { family: 4, high: word(0), low: 0 }
    : { family: 6, high: word(0), low: word(4) };
}
