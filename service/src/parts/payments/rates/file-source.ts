import { isAbsolute, join } from 'node:path';
import { isCurrency } from './price-rules.ts';
import { parseRate } from './rate-rules.ts';
import type { RateSource, SourceReading } from './rate-source.ts';
import type { FileSourceSetting } from './rates-settings.ts';
import { parseExact } from './read-json-path.ts';
import { watchFile } from './watched-file.ts';

const MAX_BYTES = 65_536;

/** A source that is a file of rates, which something of the operator's writes. `folder` is where relative paths begin. */
export function createFileSource({ name, file }: FileSourceSetting, folder: string): RateSource {
  const read = watchFile(isAbsolute(file) ? file : join(folder, file), MAX_BYTES);
  let readings: ReadonlyMap<string, SourceReading> | undefined;
  let isTried = false;
  let unreadable: string | undefined;
  let malformed: string | undefined;
  let failures = 0;
  return {
    name,
    listCurrencies: () => readings && [...readings.keys()],
    find: (currency) => readings?.get(currency),
    isTried: () => isTried,
    problem: () => unreadable ?? malformed,
    failures: () => failures,
    async look() {
      try {
        const content = await read();
        // The same fault is one failure, however often it is looked at.
        unreadable = undefined;
        if (content !== undefined) {
          malformed = undefined;
          try {
            readings = parseRateFile(content.text, content.changedAtMs);
          } catch (error) {
            malformed = (error as Error).message;
            failures += 1;
          }
        }
      } catch (error) {
        if (unreadable === undefined) failures += 1;
        unreadable = (error as Error).message;
      }
      isTried = true;
    },
    stop: async () => {},
  };
}

/**
 * Reads `{ "EUR": "0.0123", "at": "2026-03-01T12:00:00Z" }`; without `at` the rates are of when the file was changed.
 *
 * @throws Error that says what is wrong
 */
export function parseRateFile(text: string, changedAtMs: number): Map<string, SourceReading> {
  const json = parseExact(text);
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Error('it is not a JSON object');
  const { at, ...rates } = json as Record<string, unknown>;
  const atMs = at === undefined ? changedAtMs : readTime(at);
  return new Map(
    Object.entries(rates).map(([currency, value]) => {
      if (!isCurrency(currency))
        throw new Error(`"${currency.slice(0, 20)}" is not a code of ISO 4217 such as EUR, and not "at"`);
      if (typeof value !== 'string') throw new Error(`${currency}: it is not a number`);
      const rate = parseRate(value);
      if (!rate.ok) throw new Error(`${currency}: ${rate.reason}`);
      return [currency, { rate: rate.value, atMs }] as const;
    }),
  );
}

function readTime(at: unknown): number {
  const isTime = typeof at === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(at);
  const ms = isTime ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(ms)) throw new Error('"at" is not a time in UTC such as 2026-03-01T12:00:00Z');
  return ms;
}
