import { afterEach, expect, test } from 'vitest';
import { formatAmountShort, readAmount, splitAmount } from '../../format/amount.ts';
import { explainOutput } from '../../format/explain-script.ts';
import { writeHistoryCsv } from '../../format/mempool-history.ts';
import {
  formatCount,
  formatCountOf,
  formatDifficulty,
  formatScaled,
  formatShare,
} from '../../format/number.ts';
import { formatAgo, formatDate, formatDuration, formatExact, formatUtc } from '../../format/time.ts';
import { asIs, rich, sayCode, speak, t } from '../messages.ts';
import { german } from './german.ts';

afterEach(() => speak());

test('numbers, amounts and shares have a comma before their decimals', () => {
  speak(german);
  expect(formatCount(1_234_567)).toBe('1.234.567');
  expect([formatCountOf(1, 'block'), formatCountOf(2_000, 'block')]).toEqual(['1 Block', '2.000 Blöcke']);
  expect(splitAmount('-1234567.10500000')).toEqual({
    sign: '-',
    whole: '1.234.567',
    said: ',105',
    zeros: '00000',
  });
  expect(splitAmount('12.00')).toMatchObject({ whole: '12', said: '', zeros: ',00' });
  expect(formatAmountShort('1234.50000000')).toBe('1.234,5');
  expect(formatScaled(1_234_567, 'vB')).toBe('1,23 MvB');
  expect(formatDifficulty(1234.567)).toBe('1.234,57');
  expect(formatShare(0.5)).toBe('50,00 %');
});

test('an amount may be typed with a comma or with a point', () => {
  expect(readAmount('1,5')).toBe('1,5');
  speak(german);
  expect(['1,5', '1.5', '12'].map(readAmount)).toEqual(['1.5', '1.5', '12']);
});

test('ages, lengths of time and dates are German', () => {
  speak(german);
  const now = Date.parse('2026-11-20T12:00:00Z');
  const ago = (seconds: number) => formatAgo(new Date(now - seconds * 1_000).toISOString(), now);
  expect([0, 45, 180, 7_200, 3 * 86_400, 400 * 86_400, -600].map(ago)).toEqual([
    'jetzt',
    'vor 45 Sekunden',
    'vor 3 Minuten',
    'vor 2 Stunden',
    'vor 3 Tagen',
    'vor 13 Monaten',
    'in 10 Minuten',
  ]);
  expect([30, 600, 3 * 86_400, 800 * 86_400].map(formatDuration)).toEqual([
    '30 s',
    '10 min',
    '3 Tage',
    '2,2 Jahre',
  ]);
  expect(formatUtc('2026-11-20T11:59:58.123Z')).toBe('20.11.2026, 11:59:58 UTC');
  expect(formatExact('2026-11-20T11:59:58Z', 'utc')).toBe('20.11.2026, 11:59:58 UTC');
  expect(formatDate('2026-11-20T11:59:58Z', 'utc')).toBe('20.11.2026, 11:59');
  expect(formatUtc('never')).toBe('never');
});

test('sentences are put together from German parts, and values are never read as placeholders', () => {
  speak(german);
  expect(t('Block {height}, {time}: {value}', { height: '{time}', time: 'b', value: 3 })).toBe(
    'Block {time}, b: 3',
  );
  expect(rich('Known by its id {hash}; the ticker is not unique.', { hash: 7 })).toEqual([
    'Erkennbar an der ID ',
    7,
    '; der Ticker ist nicht eindeutig.',
  ]);
  expect(explainOutput(new Uint8Array([0x51, 0x02, 0x4e, 0x73]), 'utc')[0]).toContain('Anchor: darf');
  expect(t(asIs('constructor'))).toBe('constructor');
  expect([sayCode('TRANSFER'), sayCode('not_known_here'), sayCode(null)]).toEqual([
    'Übertragung',
    'not known here',
    '',
  ]);
});

test('a file is as the API writes it', () => {
  const history = {
    range: 'day',
    from: '2026-11-20T00:00:00Z',
    to: '2026-11-21T00:00:00Z',
    step_seconds: 60,
    per_vb: ['0', '1.5'],
    points: [{ time: '2026-11-20T11:59:00Z', tx_count: 1_234, vsizes: [1_000, 2_000] }],
  } as unknown as Parameters<typeof writeHistoryCsv>[0];
  const csv = writeHistoryCsv(history);
  speak(german);
  expect(writeHistoryCsv(history)).toBe(csv);
  expect(csv).toContain('2026-11-20T11:59:00Z,1234,1000,2000');
});
