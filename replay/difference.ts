/** Two that should be the same are not. Ends the run. */
export class Difference extends Error {
  override readonly name = 'Difference';
  readonly found: Found;
  constructor(found: Found) {
    super(`height ${found.height}: ${found.what}: ${found.ours} here, ${found.theirs} there`);
    this.found = found;
  }
}

/** Values are as both would write them; `nothing` where one has none. */
export type Found = {
  readonly height: number;
  readonly what: string;
  readonly ours: string;
  readonly theirs: string;
};

/** @throws Difference unless both are the same; undefined is written as `nothing`. */
export function expectSame(height: number, what: string, ours: Comparable, theirs: Comparable): void {
  const [here, there] = [write(ours), write(theirs)];
  if (here !== there) throw new Difference({ height, what, ours: here, theirs: there });
}

export type Comparable = string | number | bigint | boolean | null | undefined;

function write(value: Comparable): string {
  return value === undefined || value === null ? 'nothing' : String(value).slice(0, 400);
}
