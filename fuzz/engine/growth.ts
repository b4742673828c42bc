import type { FuzzTarget } from '../target.ts';
import type { Counters } from './instrument.ts';

/** How the work of one family of inputs grows, at its worst. */
export type Growth = {
  family: string;
  /** Bytes of the largest input that was tried. */
  bytes: number;
  /** Steps for twice the bytes over steps for once; 0 where there are too few to say. */
  stepRatio: number;
  /** The same of processor time, from the last three doublings; 0 where all was too quick to say. */
  timeRatio: number;
  isTooSteep: boolean;
};

type Measure = { bytes: number; steps: number; ms: number };

const FIRST_BYTES = 1_024;
const LAST_BYTES = 1 << 21;
/** Where one input takes as long no larger one is tried. */
const ENOUGH_MS = 150;
const RUNS = 5;
/** Below this nothing is said of times. */
const LEAST_MS = 1;
/** Below this nothing is said of steps. */
const LEAST_STEPS = 50_000;
/** What does not grow with the input. */
const STEPS_OF_ITS_OWN = 2_000;
const MAX_STEP_RATIO = 2.4;
/** Quadratic is 4. Caches and the collector make linear work up to 2.6. */
const MAX_TIME_RATIO = 3;
/** What seems too steep is looked at again: the machine has other work, too. */
const MORE_LOOKS = 3;

/** Doubles inputs of each family, and looks at steps and at the least time of some runs. */
export async function measureGrowth(target: FuzzTarget, { counts }: Counters): Promise<Growth[]> {
  const results: Growth[] = [];
  for (const [family, make] of Object.entries(target.growing)) {
    const look = (): Promise<Measure[]> => double((bytes) => measure(target, make(bytes), counts));
    let measures = await look();
    let timeRatio = ratioOfTimes(measures);
    for (let again = 0; again < MORE_LOOKS && timeRatio > MAX_TIME_RATIO; again++) {
      measures = await look();
      timeRatio = Math.min(timeRatio, ratioOfTimes(measures));
    }
    const stepRatio = ratioOfSteps(measures);
    const isTooSteep = stepRatio > MAX_STEP_RATIO || timeRatio > MAX_TIME_RATIO;
    results.push({ family, bytes: measures.at(-1)!.bytes, stepRatio, timeRatio, isTooSteep });
  }
  return results;
}

async function double(look: (bytes: number) => Promise<Measure>): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (let bytes = FIRST_BYTES; bytes <= LAST_BYTES; bytes *= 2) {
    const last = await look(bytes);
    measures.push(last);
    if (last.ms > ENOUGH_MS) break;
  }
  return measures;
}

async function measure(target: FuzzTarget, input: Uint8Array, counts: Uint32Array): Promise<Measure> {
  let ms = Number.POSITIVE_INFINITY;
  let steps = 0;
  for (let run = 0; run < RUNS; run++) {
    counts.fill(0);
    const begun = process.threadCpuUsage();
    await target.check(Uint8Array.from(input));
    const { user, system } = process.threadCpuUsage(begun);
    ms = Math.min(ms, (user + system) / 1_000);
    steps = counts.reduce((sum, count) => sum + count, 0);
  }
  counts.fill(0);
  return { bytes: input.length, steps, ms };
}

/** The steepest of all doublings: steps are exact. */
function ratioOfSteps(measures: readonly Measure[]): number {
  let steepest = 0;
  for (const [i, after] of measures.entries()) {
    const before = measures[i - 1];
    if (before === undefined || after.steps < LEAST_STEPS) continue;
    const ratio = (after.steps - STEPS_OF_ITS_OWN) / Math.max(before.steps, STEPS_OF_ITS_OWN);
    // An input may be a little more than twice the one before.
    steepest = Math.max(steepest, (ratio * 2 * before.bytes) / Math.max(after.bytes, 2 * before.bytes));
  }
  return steepest;
}

/** Over three doublings, or two where the smaller ones were too quick: a single one says more of the collector than of the code. */
function ratioOfTimes(measures: readonly Measure[]): number {
  const last = measures.at(-1)!;
  for (const doublings of [3, 2]) {
    const first = measures.at(-1 - doublings);
    if (first !== undefined && first.ms >= LEAST_MS) return (last.ms / first.ms) ** (1 / doublings);
  }
  return 0;
}
