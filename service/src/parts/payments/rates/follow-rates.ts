/**
 * What coins cost in other money, by the operator's sources. In memory only: each process that serves the API reads and asks
 * for itself, and nobody who asks for a rate waits for a source.
 */

import { dirname } from 'node:path';
import type { AllowList } from '../../../outbound/allow-list.ts';
import { pause } from '../../../pause.ts';
import { createChangeGuard } from './change-guard.ts';
import { createFileSource } from './file-source.ts';
import { createRateLog, type LogRates } from './rate-log.ts';
import { type Choice, type ChosenRate, chooseRate } from './rate-rules.ts';
import type { RateSource } from './rate-source.ts';
import { parseRateSettings, type RateSettings, type SourceSetting } from './rates-settings.ts';
import { startUrlSource, type UrlSourceContext } from './url-source.ts';
import { watchFile } from './watched-file.ts';

/** What a currency's rate is now; `chosen` is undefined where no source says one that is fresh. */
export type CurrencyRate = { currency: string; chosen: ChosenRate | undefined };

/** The rates of now. */
export type Rates = {
  /** Currencies that the operator's sources have, in order. */
  list(): readonly CurrencyRate[];
  /** The rate of a currency: `unknown` when no source has it, `unavailable` when none says a fresh one. */
  find(currency: string): ChosenRate | 'unknown' | 'unavailable';
  /** Seconds until a rate counts no more. */
  maxAgeSeconds(): number | undefined;
};

/** Rates that are followed. */
export type FollowedRates = Rates & {
  /** Time of the newest rate of each currency, fresh or not. */
  listNewest(): ReadonlyMap<string, number>;
  listFailures(): ReadonlyMap<string, number>;
  stop(): Promise<void>;
};

export type RatesContext = UrlSourceContext & {
  /** Path of the operator's list of sources. */
  file: string;
  allow: AllowList;
  log: LogRates;
  /** How often files are looked at; a second unless given. */
  lookEveryMs?: number;
};

type Running = { setting: string; source: RateSource };

const MAX_BYTES = 262_144;
const LOOK_EVERY_MS = 1_000;
/** Currencies that are followed: a file may have any number. */
const MAX_CURRENCIES = 200;

/** Follows the sources until it is stopped. Nothing has to be there when it begins. */
export function followRates(context: RatesContext): FollowedRates {
  const { file, log, now, lookEveryMs = LOOK_EVERY_MS } = context;
  const readSettings = watchFile(file, MAX_BYTES);
  const rateLog = createRateLog(log);
  const guard = createChangeGuard();
  const stopping = new AbortController();
  let settings: RateSettings | undefined;
  let running: readonly Running[] = [];
  let toldProblem: string | undefined;
  /** Sources that were taken out of the list, or replaced: they end in their own time. */
  const ending = new Set<Promise<void>>();

  function start(setting: SourceSetting): RateSource {
    return 'file' in setting ? createFileSource(setting, dirname(file)) : startUrlSource(setting, context);
  }

  /** Goes on with the sources that are still the same. */
  function apply(next: RateSettings): void {
    const wanted = next.sources.map((setting) => ({ key: JSON.stringify(setting), setting }));
    for (const { setting, source } of running) {
      if (wanted.some(({ key }) => key === setting)) continue;
      const end = source.stop().finally(() => ending.delete(end));
      ending.add(end);
    }
    running = wanted.map(
      ({ key, setting }) =>
        running.find((each) => each.setting === key) ?? { setting: key, source: start(setting) },
    );
    settings = next;
  }

  async function look(): Promise<void> {
    try {
      const content = await readSettings();
      if (content !== undefined) apply(parseRateSettings(content.text, context.allow));
      if (content !== undefined) toldProblem = undefined;
    } catch (error) {
      const problem = `The file of rate sources is not used: ${(error as Error).message}.`;
      if (problem !== toldProblem) log('warn', problem);
      toldProblem = problem;
    }
    await Promise.all(running.map(({ source }) => source.look()));
    const nowMs = now();
    rateLog.tell(
      listCurrencies().flatMap((currency) => {
        const choice = choose(currency, nowMs);
        return sourcesOf(currency).map((source) => ({ currency, source, choice, nowMs }));
      }),
    );
  }

  function sourcesOf(currency: string): RateSource[] {
    return running.flatMap(({ source }) => (source.listCurrencies()?.includes(currency) ? [source] : []));
  }

  function listCurrencies(): string[] {
    const all = new Set(running.flatMap(({ source }) => source.listCurrencies() ?? []));
    return [...all].sort().slice(0, MAX_CURRENCIES);
  }

  function choose(currency: string, nowMs: number): Choice {
    const readings = running.flatMap(({ source }) => {
      const reading = source.find(currency);
      return reading === undefined ? [] : [{ ...reading, source: source.name }];
    });
    const choice = chooseRate(readings, settings!, nowMs);
    const { chosen } = choice;
    if (chosen === undefined || guard.admits(currency, chosen.rate, settings!, nowMs)) return choice;
    return { ...choice, chosen: undefined, isSudden: true };
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look();
      await pause(lookEveryMs, stopping.signal);
    }
  }

  const ended = follow();
  return {
    list: () => listCurrencies().map((currency) => ({ currency, chosen: choose(currency, now()).chosen })),
    find(currency) {
      if (listCurrencies().includes(currency)) return choose(currency, now()).chosen ?? 'unavailable';
      const isComplete =
        settings !== undefined && running.every(({ source }) => source.listCurrencies() !== undefined);
      return isComplete ? 'unknown' : 'unavailable';
    },
    maxAgeSeconds: () => settings && settings.maxAgeMs / 1_000,
    listNewest() {
      const times = listCurrencies().map((currency) => {
        const found = sourcesOf(currency).map((source) => source.find(currency)?.atMs ?? 0);
        return [currency, Math.max(...found)] as const;
      });
      return new Map(times.filter(([, atMs]) => atMs > 0));
    },
    listFailures: () => new Map(running.map(({ source }) => [source.name, source.failures()])),
    async stop() {
      stopping.abort();
      await ended;
      await Promise.all([...running.map(({ source }) => source.stop()), ...ending]);
    },
  };
}
