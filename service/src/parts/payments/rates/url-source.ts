import type { Result } from '@coinfront/protocol/result.ts';
import { pause } from '../../../pause.ts';
import { invertRate, parseRate, type Rate } from './rate-rules.ts';
import type { RateSource, SourceReading } from './rate-source.ts';
import type { UrlSourceSetting } from './rates-settings.ts';
import { readJsonPath } from './read-json-path.ts';

/** What asking takes. */
export type UrlSourceContext = {
  /** Gives the text of a GET's 200, or throws; bounded in time and size. */
  fetchText(url: string): Promise<string>;
  /** Unix milliseconds. */
  now(): number;
  /** From 0 on, below 1. */
  random(): number;
};

/** The longest pause of a source that fails, unless its usual one is longer. */
const MOST_PAUSE_MS = 300_000;

/** A source that is asked by HTTP again and again, one request at a time; the first goes out at once. */
export function startUrlSource(setting: UrlSourceSetting, context: UrlSourceContext): RateSource {
  const { name, url, currency, every } = setting;
  const stopping = new AbortController();
  let reading: SourceReading | undefined;
  let isTried = false;
  let problem: string | undefined;
  let failures = 0;
  let failedInARow = 0;

  async function ask(): Promise<void> {
    const atMs = context.now();
    const answer = await context.fetchText(url).catch((error: Error) => error);
    if (stopping.signal.aborted) return;
    const rate: Result<Rate> =
      typeof answer === 'string' ? readRate(answer, setting) : { ok: false, reason: answer.message };
    isTried = true;
    if (rate.ok) reading = { rate: rate.value, atMs };
    problem = rate.ok ? undefined : rate.reason;
    failures += rate.ok ? 0 : 1;
    failedInARow = rate.ok ? 0 : failedInARow + 1;
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await ask();
      await pause(pauseAfter(failedInARow, every * 1_000, context.random()), stopping.signal);
    }
  }

  const ended = follow();
  return {
    name,
    listCurrencies: () => [currency],
    find: (asked) => (asked === currency ? reading : undefined),
    isTried: () => isTried,
    problem: () => problem,
    failures: () => failures,
    look: async () => {},
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** The rate in an answer. */
export function readRate(
  text: string,
  { path, invert }: Pick<UrlSourceSetting, 'path' | 'invert'>,
): Result<Rate> {
  const found = readJsonPath(text, path);
  if (!found.ok) return found;
  const rate = parseRate(found.value);
  return rate.ok && invert ? invertRate(rate.value) : rate;
}

/**
 * Milliseconds until the next try: twice as long after each failure in a row, up to five minutes, and a tenth more or less,
 * so that processes which began together do not ask together for ever.
 */
export function pauseAfter(failedInARow: number, everyMs: number, random: number): number {
  const most = Math.max(everyMs, MOST_PAUSE_MS);
  return Math.min(most, everyMs * 2 ** Math.min(failedInARow, 20)) * (0.9 + 0.2 * random);
}
