/** Reads that take the thread long, or hold much in memory: few at once, one client after another, and paid for before they are begun. */

import type { ChainView } from '../../../chain/chain-view.ts';
import { type ElectrumContext, readFor } from '../electrum-context.ts';
import type { RpcError } from '../rpc/rpc-error.ts';
import type { Session } from './session.ts';

/** Is thrown by a read that has found out that it would be long. */
export class LongReadError extends Error {
  override readonly name = 'LongReadError';
  /** What has to be there before it is made; where it is not made, what it took to find that out. */
  readonly units: number;
  /** Why nobody gets it; undefined where it is made. */
  readonly refusal: RpcError | undefined;

  constructor(units: number, refusal?: RpcError) {
    super('the read is too long to be made beside others');
    this.units = units;
    this.refusal = refusal;
  }
}

/** What was long when it was last read: what that costs, or why nobody gets it. */
export type KnownLong = {
  get(name: string): LongReadError | undefined;
  set(name: string, long: LongReadError): void;
  /** Ends when the first one who finds out now has done so; never fails. */
  findingOut(name: string): Promise<void> | undefined;
  noteFindingOut(name: string, looking: Promise<unknown>): void;
};

/** What is read: things of different kinds may have the same hash, and other costs. */
export type LongName = {
  readonly kind: 'transaction' | 'history' | 'mempool' | 'unspent';
  readonly hash: Uint8Array;
};

/** Some hundred bytes each. */
const MOST_KNOWN = 20_000;
/**
 * How long nobody looks again whether a list is still longer than any that is given: arrays of a thousand calls about one such script
 * would look a thousand times. A list that has become short is refused for so long at most.
 */
const REFUSED_MS = 2_000;

/** Remembers what is long, so that finding out is not paid for by others again and again. */
export function createKnownLong(now: () => number = () => performance.now()): KnownLong {
  const known = new Map<string, { long: LongReadError; untilMs: number }>();
  const finding = new Map<string, Promise<void>>();
  return {
    findingOut: (name) => finding.get(name),
    noteFindingOut(name, looking) {
      if (finding.has(name)) return;
      const over = looking.then(
        () => {},
        () => {},
      );
      finding.set(name, over);
      void over.then(() => finding.delete(name));
    },
    get(name) {
      const found = known.get(name);
      return found && now() < found.untilMs ? found.long : undefined;
    },
    set(name, long) {
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(name, { long, untilMs: long.refusal ? now() + REFUSED_MS : Number.POSITIVE_INFINITY });
    },
  };
}

/**
 * Reads one snapshot for a session. Where `read` throws a {@link LongReadError} it is made once more when it is the turn of the client, if
 * that can pay then: of hundreds of calls that begin at once the later ones meet what the earlier ones have cost.
 *
 * @param finish what has to be done, and charged besides what was paid, before the next one may begin
 * @throws RpcError, AppError
 */
export async function readInTurn<T, Answer>(
  context: ElectrumContext,
  session: Session,
  { kind, hash }: LongName,
  read: (view: ChainView, mayBeLong: boolean) => Promise<T>,
  finish: (found: T, paid: number) => Promise<Answer>,
): Promise<Answer> {
  const { charge, knownLong } = context;
  const name = `${kind} ${Buffer.from(hash).toString('latin1')}`;
  // Whoever comes while somebody finds out waits for that: hundreds of calls about one script begin at once.
  // Not even a turn of the microtasks lies between this look and the note below: those who begin together would all be first.
  const findingOut = knownLong.findingOut(name);
  if (findingOut) await findingOut;
  let long = knownLong.get(name);
  if (long === undefined) {
    const looking = readFor(context, session, (view) => read(view, false)).catch((error: unknown) => {
      if (error instanceof LongReadError) return error;
      throw error;
    });
    knownLong.noteFindingOut(name, looking);
    const found = await looking;
    if (!(found instanceof LongReadError)) return await finish(found, 0);
    long = found;
    knownLong.set(name, long);
  }
  const { units, refusal } = long;
  if (refusal) {
    charge.after(session, units);
    throw refusal;
  }
  const leave = await context.enterLarge(session);
  try {
    charge.before(session, units);
    const found = await context.readChain((view) => read(view, true), { isLarge: true });
    return await finish(found, units);
  } finally {
    leave();
  }
}
