/** What can be done to the service and to what it stands on. Times are milliseconds after the beginning of a step. */

/** Every kind of fault, with what it is done to: a step has at most one fault for each target. */
export const faultTargets = {
  'service-killed': 'service',
  'service-frozen': 'service',
  'node-killed': 'node',
  'node-frozen': 'node',
  reorganised: 'node',
  'reorganised-by-peer': 'node',
  'double-spent': 'node',
  'reorganised-too-deep': 'node',
  'database-killed': 'database',
  'database-frozen': 'database',
  'session-killed': 'database',
  'disk-full': 'disk',
  'clock-moved': 'clock',
  'node-link-reset': 'node-link',
  'node-link-stalled': 'node-link',
  'database-link-reset': 'database-link',
  'database-link-stalled': 'database-link',
  'client-link-reset': 'client-link',
  'client-link-stalled': 'client-link',
  'receiver-link-reset': 'receiver-link',
  'receiver-refuses': 'receiver-link',
} as const;

export type FaultKind = keyof typeof faultTargets;
export type FaultTarget = (typeof faultTargets)[FaultKind];

/** One fault: it strikes at a moment, lasts, and is mended. */
export type Fault = {
  readonly kind: FaultKind;
  /** When it strikes. */
  readonly atMs: number;
  /** How long it lasts; what is killed is started again after this. */
  readonly holdMs: number;
  /** Blocks that a reorganisation takes back; 0 for other kinds. */
  readonly depth: number;
  /** By how many seconds the clock moves; 0 for other kinds. */
  readonly shiftSeconds: number;
};

/** What the machine and the engine let a campaign do. */
export type Abilities = {
  readonly engine: 'sqlite' | 'postgres';
  /** Whether a small file system can be mounted, to be filled. */
  readonly disk: boolean;
  /** Whether the service can run with a clock of its own. */
  readonly clock: boolean;
  /** Kinds that are left out. */
  readonly without: ReadonlySet<FaultKind>;
};

/** How often a kind is chosen among those of all; what costs most time is rarer. */
const weights: Readonly<Record<FaultKind, number>> = {
  'service-killed': 10,
  'service-frozen': 4,
  'node-killed': 6,
  'node-frozen': 5,
  reorganised: 8,
  'reorganised-by-peer': 5,
  'double-spent': 5,
  'reorganised-too-deep': 1,
  'database-killed': 6,
  'database-frozen': 5,
  'session-killed': 6,
  'disk-full': 8,
  'clock-moved': 8,
  'node-link-reset': 6,
  'node-link-stalled': 4,
  'database-link-reset': 6,
  'database-link-stalled': 4,
  'client-link-reset': 5,
  'client-link-stalled': 3,
  'receiver-link-reset': 4,
  'receiver-refuses': 4,
};

/** The kinds that can be done, with their weights. */
export function listFaultKinds({
  engine,
  disk,
  clock,
  without,
}: Abilities): { kind: FaultKind; weight: number }[] {
  return (Object.keys(faultTargets) as FaultKind[])
    .filter((kind) => {
      if (without.has(kind)) return false;
      const target = faultTargets[kind];
      if (target === 'database' || target === 'database-link') return engine === 'postgres';
      if (target === 'disk') return disk;
      return target !== 'clock' || clock;
    })
    .map((kind) => ({ kind, weight: weights[kind] }));
}
