/** Numbers as they are shown, in the reader's language. What is copied or saved is written as the API writes it. */

import { language, type Noun, nounFor } from '../language/messages.ts';

let grouped = new Intl.NumberFormat(language.locale);
let groupedFor = language;

/** A count, in groups of three: 1,234,567. */
export function formatCount(count: number): string {
  if (groupedFor !== language) {
    groupedFor = language;
    grouped = new Intl.NumberFormat(language.locale);
  }
  return grouped.format(count);
}

/** A count with its noun. */
export function formatCountOf(count: number, noun: Noun): string {
  return `${formatCount(count)} ${nounFor(count, noun)}`;
}

/** A decimal number that is written with a point, as the API and JavaScript write it. */
export function formatDecimal(decimal: string): string {
  return decimal.replace('.', language.point);
}

const scales = ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'] as const;

/** A number by a thousand's power, with three significant digits: 1.23 T. */
export function formatScaled(value: number, unit: string): string {
  if (!Number.isFinite(value)) return '–';
  let scaled = value;
  let scale = 0;
  while (scaled >= 999.5 && scale < scales.length - 1) {
    scaled /= 1000;
    scale += 1;
  }
  const digits = scaled >= 100 || (scale === 0 && Number.isInteger(scaled)) ? 0 : scaled >= 10 ? 1 : 2;
  const prefix = scales[scale] ?? '';
  const suffix = prefix + unit;
  const text = formatDecimal(scaled.toFixed(digits));
  return suffix === '' ? text : `${text} ${suffix}`;
}

/** Hashes per second. */
export function formatHashrate(hashesPerSecond: number): string {
  return formatScaled(hashesPerSecond, 'H/s');
}

/** Bytes of a file or a block. */
export function formatBytes(bytes: number): string {
  return formatScaled(bytes, 'B');
}

/** A difficulty: whole up to a million, by its power above, and small ones with what they have. */
export function formatDifficulty(difficulty: number): string {
  if (difficulty >= 1e6) return formatScaled(difficulty, '');
  if (difficulty >= 1) return formatCount(Math.round(difficulty * 100) / 100);
  return formatDecimal(difficulty.toPrecision(3));
}

/** A share of one in per cent. */
export function formatShare(share: number): string {
  const percent = share * 100;
  return `${percent >= 99.995 || percent === 0 ? Math.round(percent) : formatDecimal(percent.toFixed(2))} %`;
}
