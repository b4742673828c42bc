/** How many of a hundred draws give which number. */
export type Shares = ReadonlyArray<readonly [percent: number, value: number]>;

/** Transactions of a shape of their own, among the ordinary ones. */
export type OddShape = { share: number; inputs: number; outputs: number };

/**
 * What a chain is made of. Ages of the outputs that are spent: `harsh` takes any of the last 60,000 unspent outputs or any
 * at all, `calibrated` what is published for Bitcoin.
 */
export type Mix = {
  ages: 'harsh' | 'calibrated';
  /** Transactions of a block beside its coinbase, at least and at most. */
  spends: readonly [least: number, most: number];
  inputs: Shares;
  outputs: Shares;
  odd: readonly OddShape[];
  /** Shares of scripts that outputs pay to; any earlier script is the rest. */
  scripts: { fresh: number; hub: number; latest: number };
  /** The first output of every transaction pays the first hub. */
  alwaysHub: boolean;
};

const HARSH: Mix = {
  ages: 'harsh',
  spends: [2_499, 2_499],
  inputs: [
    [55, 1],
    [25, 2],
    [13, 3],
    [7, 5],
  ],
  outputs: [
    [12, 1],
    [74, 2],
    [10, 3],
    [4, 8],
  ],
  odd: [],
  scripts: { fresh: 0.55, hub: 0.05, latest: 0.25 },
  alwaysHub: false,
};

/** The shapes of chains that the bench makes, by name. */
export const MIXES = {
  harsh: HARSH,
  calibrated: { ...HARSH, ages: 'calibrated' },
  /** The same in blocks of thirty. */
  dogecoin: { ...HARSH, spends: [29, 29] },
  hub: { ...HARSH, alwaysHub: true },
  new: { ...HARSH, scripts: { fresh: 1, hub: 0, latest: 0 } },
  wide: { ...HARSH, odd: [{ share: 0.001, inputs: 1, outputs: 3_000 }] },
  /** What is consolidated was paid out in batches before. */
  consolidate: {
    ...HARSH,
    odd: [
      { share: 0.1, inputs: 20, outputs: 1 },
      { share: 0.1, inputs: 1, outputs: 24 },
    ],
  },
  empty: { ...HARSH, spends: [0, 2] },
} as const satisfies Record<string, Mix>;

/** One of the shapes. */
export type MixName = keyof typeof MIXES;

/** A table of a hundred entries to draw from. */
export function tableOf(shares: Shares): Uint8Array {
  const table = Uint8Array.from(shares.flatMap(([percent, value]) => Array<number>(percent).fill(value)));
  if (table.length !== 100) throw new Error(`Shares must sum to 100 percent, got ${table.length}.`);
  return table;
}
