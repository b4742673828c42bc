import type { Choice } from './rate-rules.ts';
import type { RateSource } from './rate-source.ts';

/** How bad a line of the log is. */
export type LogRates = (level: 'warn' | 'info', message: string) => void;

/** Tells when a source stops to count for a currency or a rate is held back, and when that ends: once, not each time. */
export function createRateLog(log: LogRates) {
  let told = new Map<string, string>();
  let toldSudden = new Set<string>();
  return {
    /** Compares what is now with what was told. */
    tell(found: readonly { currency: string; source: RateSource; choice: Choice; nowMs: number }[]): void {
      const present = new Map<string, string>();
      for (const each of found) {
        const { currency, source } = each;
        const key = `${source.name} ${currency}`;
        const before = told.get(key) ?? 'waiting';
        const state = judge(each);
        present.set(key, state);
        if (state === before || state === 'waiting') continue;
        if (state !== 'used') log('warn', `The rate source ${source.name} ${describe(state, each)}`);
        else if (before !== 'waiting')
          log('info', `The rate source ${source.name} is used for ${currency} again.`);
      }
      told = present;
      const sudden = new Set(found.filter(({ choice }) => choice.isSudden).map(({ currency }) => currency));
      for (const currency of sudden) {
        if (!toldSudden.has(currency))
          log('warn', `The rate for ${currency} is not used for now: it changed too much at once.`);
      }
      for (const currency of toldSudden) {
        if (!sudden.has(currency)) log('info', `The rate for ${currency} is not held back any more.`);
      }
      toldSudden = sudden;
    },
  };
}

type Found = { currency: string; source: RateSource; choice: Choice; nowMs: number };
type State = 'used' | 'waiting' | 'silent' | 'stale' | 'early' | 'apart';

function judge({ currency, source, choice }: Found): State {
  const { name } = source;
  if (choice.apart.includes(name)) return 'apart';
  if (choice.early.includes(name)) return 'early';
  if (choice.stale.includes(name)) return 'stale';
  if (source.find(currency) !== undefined) return 'used';
  return source.isTried() ? 'silent' : 'waiting';
}

function describe(state: State, { currency, source, nowMs }: Found): string {
  const problem = source.problem();
  const because = problem === undefined ? '' : ` The last try failed: ${problem}.`;
  switch (state) {
    case 'apart':
      return `is left out for ${currency}: it is too far from the others.`;
    case 'early':
      return `is left out for ${currency}: its time is in the future. One of the clocks is wrong.`;
    case 'stale': {
      const seconds = Math.round((nowMs - source.find(currency)!.atMs) / 1_000);
      return `is left out for ${currency}: what it said is ${seconds} s old.${because}`;
    }
    default:
      return `has given no rate for ${currency} so far.${because}`;
  }
}
