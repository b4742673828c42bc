import type { FuzzTarget } from '../target.ts';
import { createCoverage } from './coverage.ts';
import type { Counters } from './instrument.ts';
import { mutate } from './mutate.ts';
import { createRandom } from './random.ts';
import { shrink } from './shrink.ts';

/** An input that breaks the law, as short as it could be made. */
export type Finding = { input: Uint8Array; error: string };

/** What trying a target came to. */
export type Exploration = {
  tried: number;
  /** Blocks that ran, of those that are loaded. */
  reached: number;
  loaded: number;
  findings: Finding[];
  /** A few short inputs that together reach what all reached. */
  essence: Uint8Array[];
};

export type ExploreOptions = {
  inputs: number;
  seed: number;
  /** Inputs that are kept; they come first. */
  kept: readonly Uint8Array[];
  onProgress: (tried: number) => void;
};

const MAX_CORPUS = 4_000;
const MAX_FINDINGS = 10;
/** No input of a target's size may take as long. */
const SLOW_MS = 1_000;
const PROGRESS_EVERY = 2_000;
const ESSENCE_BYTES = 6_000;
const MAX_ESSENCE_INPUT_BYTES = 800;

/** Tries inputs that are made of those which reached something new. The same seed gives the same inputs. */
export async function explore(
  target: FuzzTarget,
  counters: Counters,
  { inputs, seed, kept, onProgress }: ExploreOptions,
): Promise<Exploration> {
  const coverage = createCoverage(counters);
  const random = createRandom(seed);
  const corpus: Uint8Array[] = [];
  const findings = new Map<string, Finding>();
  const material = {
    corpus,
    words: [(target.words ?? []).map(encode), [...counters.words].map(encode)],
    maxBytes: target.maxBytes,
  };

  const attempt = async (input: Uint8Array): Promise<void> => {
    const error = await findFault(target, input);
    const { isNew, isMore } = coverage.take();
    if (isNew || (isMore && corpus.length < MAX_CORPUS)) corpus.push(input);
    if (error === undefined || findings.has(kindOf(error))) return;
    const short = await shrink(input, async (each) => {
      const other = await findFault(target, each);
      return other !== undefined && kindOf(other) === kindOf(error);
    });
    coverage.take();
    findings.set(kindOf(error), { input: short, error });
  };

  const first = [...kept, ...target.seeds];
  for (const input of first) await attempt(input);
  if (corpus.length === 0) corpus.push(...first);
  let tried = first.length;
  for (; tried < inputs && findings.size < MAX_FINDINGS; tried++) {
    await attempt(mutate(material, random));
    if (tried % PROGRESS_EVERY === 0) onProgress(tried);
  }
  return {
    tried,
    reached: coverage.reached(),
    loaded: counters.used(),
    findings: [...findings.values()],
    essence: await chooseEssence(target, counters, corpus),
  };
}

/** What is wrong with an input; undefined where the law holds. */
export async function findFault(target: FuzzTarget, input: Uint8Array): Promise<string | undefined> {
  const begunMs = performance.now();
  try {
    // A target may keep what it is given; the corpus must stay as it is.
    const outcome = target.check(Uint8Array.from(input));
    if (outcome !== undefined) await outcome;
  } catch (error) {
    return describe(error);
  }
  if (performance.now() - begunMs < SLOW_MS) return undefined;
  // Once may be the machine's fault.
  for (let again = 0; again < 2; again++) {
    const againMs = performance.now();
    await target.check(Uint8Array.from(input));
    if (performance.now() - againMs < SLOW_MS) return undefined;
  }
  return `SlowInput: takes more than ${SLOW_MS} ms`;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${String(error)}`;
  const place = /\n\s+at ([^\n]+)/.exec(error.stack ?? '')?.[1] ?? '';
  return `${error.name}: ${error.message.slice(0, 300)}\n    at ${place}`;
}

/** Two faults of one place are one, whatever numbers they name. */
function kindOf(error: string): string {
  return error.replace(/[0-9a-f]{8,}|\d+|"[^"]*"/g, '#');
}

/** Short inputs first, each that adds a block, while there is room. */
async function chooseEssence(
  target: FuzzTarget,
  counters: Counters,
  corpus: readonly Uint8Array[],
): Promise<Uint8Array[]> {
  const coverage = createCoverage(counters);
  const chosen: Uint8Array[] = [];
  let room = ESSENCE_BYTES;
  for (const input of corpus.toSorted((a, b) => a.length - b.length)) {
    if (input.length > Math.min(room, MAX_ESSENCE_INPUT_BYTES)) break;
    await findFault(target, input);
    if (!coverage.take().isNew) continue;
    chosen.push(input);
    room -= input.length;
  }
  return chosen;
}

function encode(word: string): Uint8Array {
  return new TextEncoder().encode(word);
}
