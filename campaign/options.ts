import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { type Abilities, type FaultKind, faultTargets } from './plan/faults.ts';

export const USAGE = `npm run campaign -- [options]
  runs the service on a real node under load, breaks what it stands on at random, and compares after each time
  --minutes N    how long (10)
  --engine E     sqlite or postgresql (sqlite)
  --seed S       a whole number; the same seed gives the same faults and work (random)
  --faults N     ends when so many faults are survived
  --from STEP    begins with this step of the seed (1)
  --without K,K  leaves these kinds of faults out
  --keep         keeps the folder also when all is well`;

export type Options = {
  readonly minutes: number;
  readonly engine: Abilities['engine'];
  readonly seed: number;
  /** Infinity where only the time ends it. */
  readonly faults: number;
  readonly from: number;
  readonly without: Abilities['without'];
  readonly keep: boolean;
};

/** Reads the command line; a reason says what cannot be used. */
export function readOptions(args: readonly string[], chooseSeed: () => number): Result<Options> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string', default: '10' },
        engine: { type: 'string', default: 'sqlite' },
        seed: { type: 'string' },
        faults: { type: 'string' },
        from: { type: 'string', default: '1' },
        without: { type: 'string' },
        keep: { type: 'boolean', default: false },
      },
    });
    const { engine, keep } = values;
    if (engine !== 'sqlite' && engine !== 'postgresql')
      return fail(`--engine takes sqlite or postgresql, got "${engine}".`);
    return ok({
      minutes: readNumber('minutes', values.minutes, 10_000),
      engine: engine === 'sqlite' ? 'sqlite' : 'postgres',
      seed: values.seed === undefined ? chooseSeed() : readNumber('seed', values.seed, 2 ** 32 - 1),
      faults:
        values.faults === undefined
          ? Number.POSITIVE_INFINITY
          : readNumber('faults', values.faults, 1_000_000),
      from: readNumber('from', values.from, 1_000_000),
      without: readKinds(values.without),
      keep,
    });
  } catch (error) {
    return fail((error as Error).message);
  }
}

function readKinds(text: string | undefined): Set<FaultKind> {
  const kinds = text === undefined ? [] : text.split(',');
  for (const kind of kinds)
    if (!Object.hasOwn(faultTargets, kind))
      throw new Error(`--without takes ${Object.keys(faultTargets).join(', ')}; got "${kind}".`);
  return new Set(kinds as FaultKind[]);
}

function readNumber(name: string, text: string, most: number): number {
  const number = Number(text);
  if (text !== '' && Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new Error(`--${name} takes a whole number from 1 to ${most}, got "${text}".`);
}
