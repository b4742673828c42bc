import { createRandom, type Random } from '../../scripts/traffic/random.ts';
import { type Abilities, type Fault, type FaultKind, faultTargets, listFaultKinds } from './faults.ts';
import { operationKinds, type Work, type WorkKind } from './work.ts';

/** Everything that is done in one step, before it is looked whether all is well again. */
export type Step = {
  /** From 1 on. */
  readonly number: number;
  readonly faults: readonly Fault[];
  readonly work: readonly Work[];
  /** Whether everything is compared with a fresh sync behind it, or only what is quickly looked at. */
  readonly isChecked: 'quickly' | 'fully';
  /** What the checks of this step choose by. */
  readonly checkSeed: number;
};

/** The deepest reorganisation that the service of a campaign is told to follow. */
export const HORIZON_BLOCKS = 24;
/** Full checks come after so many steps. */
export const FULL_CHECK_EVERY = 25;

const DAY = 86_400;
const LONGEST_MOVE_SECONDS = 20 * 3_600;

/** Faults of a step at once: mostly more than one, since it is their meeting that nobody thought of. */
const FAULTS_AT_ONCE = [1, 2, 2, 2, 3, 3, 3, 4] as const;

/**
 * What happens in a step: a pure function of the seed, the number of the step and what can be done at all, so that a seed gives the
 * same campaign again and each step can be made without those before it.
 */
export function makeStep(seed: number, number: number, abilities: Abilities): Step {
  const random = createRandom(mix(seed, number));
  const faults = chooseFaults(random, abilities);
  return {
    number,
    faults,
    work: chooseWork(random),
    isChecked: number % FULL_CHECK_EVERY === 0 ? 'fully' : 'quickly',
    checkSeed: random.integer(0, 2 ** 31),
  };
}

/** Two numbers as one of 32 bits: neighbouring steps have nothing in common. */
function mix(seed: number, number: number): number {
  const mixed = Math.imul(seed ^ Math.imul(number, 0x9e3779b1), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

function chooseFaults(random: Random, abilities: Abilities): Fault[] {
  const kinds = listFaultKinds(abilities);
  const faults: Fault[] = [];
  const taken = new Set<string>();
  const count = random.pick(FAULTS_AT_ONCE);
  for (let i = 0; i < count; i++) {
    const kind = pickWeighted(random, kinds);
    // Drawn before it is looked whether it fits, so that what follows does not hang on it.
    const fault = makeFault(random, kind);
    if (taken.has(faultTargets[kind])) continue;
    taken.add(faultTargets[kind]);
    faults.push(fault);
  }
  return faults.sort((a, b) => a.atMs - b.atMs);
}

function makeFault(random: Random, kind: FaultKind): Fault {
  return {
    kind,
    atMs: random.integer(0, 400),
    holdMs: holdOf(random, kind),
    depth: depthOf(random, kind),
    shiftSeconds: kind === 'clock-moved' ? shiftOf(random) : 0,
  };
}

function holdOf(random: Random, kind: FaultKind): number {
  // Often short, seldom long: what is noticed late is another matter than what is noticed at once.
  const short = random.integer(20, 400);
  const long = random.integer(400, 2_000);
  const isLong = random.integer(1, 5) === 1;
  if (kind === 'disk-full') return short + 400 + (isLong ? long : 0);
  return isLong ? long : short;
}

function depthOf(random: Random, kind: FaultKind): number {
  const within = random.pick([
    1,
    1,
    1,
    2,
    2,
    3,
    random.integer(4, 10),
    random.integer(10, HORIZON_BLOCKS - 4),
  ]);
  const beyond = HORIZON_BLOCKS + random.integer(1, 8);
  if (kind === 'reorganised-too-deep') return beyond;
  if (kind === 'reorganised' || kind === 'reorganised-by-peer') return within;
  return kind === 'double-spent' ? Math.min(within, 6) : 0;
}

function shiftOf(random: Random): number {
  const seconds = random.pick([5, 61, 400, 3_700, random.integer(1, LONGEST_MOVE_SECONDS)]);
  return random.integer(1, 3) === 1 ? -seconds : seconds;
}

function chooseWork(random: Random): Work[] {
  const work: WorkKind[] = [];
  const times = (most: number, make: () => WorkKind) => {
    for (let count = random.integer(0, most); count > 0; count--) work.push(make());
  };
  times(3, () => ({
    kind: 'create',
    amount: BigInt(random.integer(10_000, 3_000_000)),
    confirmations: random.integer(1, 3),
    // Most must not end by the clock, whatever becomes of it, so that their status can be said exactly.
    expiresInSeconds: random.pick([60, 900, 30 * DAY, 30 * DAY, 30 * DAY, 30 * DAY]),
  }));
  times(3, () => ({
    kind: 'pay',
    which: random.next(),
    percent: random.pick([100, 100, 100, 40, 60, 130]),
  }));
  times(1, () => ({ kind: 'pay-by-broadcast', which: random.next(), by: random.next() }));
  if (random.integer(1, 6) === 1) work.push({ kind: 'cancel', which: random.next() });
  times(3, () => ({
    kind: 'broadcast',
    operation: random.pick(operationKinds),
    by: random.next(),
    to: random.next(),
    which: random.next(),
    amount: BigInt(random.integer(1, 500)),
  }));
  if (random.integer(1, 4) === 1)
    work.push({ kind: 'contribute', amount: BigInt(random.integer(100_000, 2_000_000)) });
  times(2, () => ({ kind: 'mine' }));
  return work.map((each) => ({ ...each, atMs: random.integer(0, 600) })).sort((a, b) => a.atMs - b.atMs);
}

function pickWeighted(random: Random, kinds: readonly { kind: FaultKind; weight: number }[]): FaultKind {
  const total = kinds.reduce((sum, { weight }) => sum + weight, 0);
  let left = random.next() * total;
  for (const { kind, weight } of kinds) {
    left -= weight;
    if (left < 0) return kind;
  }
  return kinds.at(-1)!.kind;
}
