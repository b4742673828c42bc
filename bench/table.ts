/** One measured row: the machine-independent ratio first, then the figures it comes from and how they were taken. */
export type Row = { measure: string; ratio: string; bound: string; figures: string; how: string };

const COLUMNS: ReadonlyArray<keyof Row> = ['ratio', 'bound', 'measure', 'figures', 'how'];

/** Prints rows as a plain table. */
export function formatTable(rows: readonly Row[]): string {
  const lines = [Object.fromEntries(COLUMNS.map((name) => [name, name])) as Row, ...rows];
  const widths = COLUMNS.map((name) => Math.max(...lines.map((line) => line[name].length)));
  return lines
    .map((line) =>
      COLUMNS.map((name, index) => line[name].padEnd(widths[index]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The value below which the given share of the values lies; NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** A number with as many digits as are worth reading. */
export function brief(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
