import type { Rate } from './rate-rules.ts';

/** What a source said of one currency, and when that was so. */
export type SourceReading = { rate: Rate; atMs: number };

/** One of the operator's sources. What it said last stays when it fails: it grows old by itself. */
export type RateSource = {
  readonly name: string;
  /** Its currencies; undefined while nobody knows which it has. */
  listCurrencies(): readonly string[] | undefined;
  find(currency: string): SourceReading | undefined;
  /** Whether it was looked at, whatever came of it. */
  isTried(): boolean;
  /** Why the last try gave nothing; undefined when it did. */
  problem(): string | undefined;
  /** Tries that gave nothing, since this process began with it. */
  failures(): number;
  /** Looks whether there is anything new, where that costs next to nothing. Never rejects. */
  look(): Promise<void>;
  stop(): Promise<void>;
};
