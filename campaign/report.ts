import { type FaultKind, faultTargets } from './plan/faults.ts';

/** What a campaign has come to. */
export type Report = {
  readonly engine: 'sqlite' | 'postgresql';
  readonly seed: number;
  /** Faults survived, by kind. */
  readonly faults: Map<FaultKind, number>;
  steps: number;
  /** Steps with more than one fault. */
  meetings: number;
  /** Full comparisons with a fresh sync. */
  fullChecks: number;
  /** Times at which the index had to be made anew, since the node had left it too deeply. */
  rebuilt: number;
  /** Time that each step took from its last fault to all being well, milliseconds. */
  readonly recoveriesMs: number[];
  seconds: number;
};

export function createReport(engine: Report['engine'], seed: number): Report {
  return {
    engine,
    seed,
    faults: new Map(),
    steps: 0,
    meetings: 0,
    fullChecks: 0,
    rebuilt: 0,
    recoveriesMs: [],
    seconds: 0,
  };
}

export function countFaults({ faults }: Report): number {
  return [...faults.values()].reduce((sum, count) => sum + count, 0);
}

/** What the record holds at the end, in words for people. */
export type Totals = Readonly<Record<string, number | string>>;

/** The report as Markdown, ready for the documents. */
export function formatReport(report: Report, totals: Totals): string {
  const kinds = (Object.keys(faultTargets) as FaultKind[]).filter((kind) => report.faults.has(kind));
  const recoveries = report.recoveriesMs.toSorted((a, b) => a - b);
  const seconds = (part: number) =>
    `${((recoveries[Math.floor(part * (recoveries.length - 1))] ?? 0) / 1_000).toFixed(2)} s`;
  const rows: [string, string | number][] = [
    ...kinds.map((kind): [string, number] => [kind, report.faults.get(kind)!]),
    ['**faults in all**', `**${countFaults(report)}**`],
    ['steps, of which with faults that met', `${report.steps}, ${report.meetings}`],
    ['full comparisons with a fresh sync', report.fullChecks],
    ['indexes made anew after a reorganisation beyond the horizon', report.rebuilt],
    ['last fault to all being well, p50 / p99', `${seconds(0.5)} / ${seconds(0.99)}`],
    ...Object.entries(totals),
  ];
  return [
    `| ${report.engine}, seed ${report.seed}, ${(report.seconds / 60).toFixed(1)} minutes | |`,
    '|---|---|',
    ...rows.map(([name, value]) => `| ${name} | ${value} |`),
  ].join('\n');
}
