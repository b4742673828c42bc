import type { CountedNetwork } from '../clients/client.ts';
import { AppError } from '../errors.ts';
import type { QueueLoad } from './load-metrics.ts';
import { createNetworkCount } from './network-count.ts';

/** Answers under way for one client, and for all; and those that wait for one of these to end. */
export type PlaceLimits = {
  readonly ofClient: number;
  readonly inAll: number;
  readonly waitingOfClient: number;
  readonly waitingInAll: number;
};

/** Large answers for the public: a client is an address. */
export const maxLargeAnswers = { ofClient: 4, inAll: 16, waitingOfClient: 16, waitingInAll: 128 } as const;

/** Large answers for accounts, which the public cannot take the places of: a client is an account. */
export const maxAccountAnswers = { ofClient: 2, inAll: 8, waitingOfClient: 2, waitingInAll: 32 } as const;

/** Requests for many reads: each has a snapshot open for as long as it takes. */
export const maxBatches = { ofClient: 2, inAll: 6, waitingOfClient: 16, waitingInAll: 128 } as const;

/** Places of large answers. */
export type AnswerPlaces = {
  /**
   * The networks around a client have some times its places, and never more than half of all. A browser or a wallet asks for several at once: what is too much now waits its turn, within bounds. `begun` is false where
   * its client has left before.
   *
   * @throws AppError `rate_limited`, `overloaded`
   */
  enter(client: readonly CountedNetwork[]): { begun: Promise<boolean>; leave(): void };
  load(): QueueLoad;
};

/** Creates places that are all free; `what` they are for is told to whom there is none for. */
export function createAnswerPlaces(limits: PlaceLimits, what = 'large answers'): AnswerPlaces {
  const underWay = createNetworkCount();
  const waits = createNetworkCount();
  let all = 0;
  let waiting: { client: readonly CountedNetwork[]; begin: () => void }[] = [];

  function hasRoom(client: readonly CountedNetwork[]): boolean {
    return all < limits.inAll && underWay.findFull(client, limits) === undefined;
  }

  function begin(client: readonly CountedNetwork[]): void {
    underWay.add(client, 1);
    all += 1;
  }

  function leaveQueue(mine: (typeof waiting)[number]): void {
    waiting = waiting.filter((each) => each !== mine);
    waits.add(mine.client, -1);
  }

  /** Who has just begun waits behind all others with what else he waits for. */
  function letOthersFirst(client: readonly CountedNetwork[]): void {
    const { name } = client.at(-1)!;
    const isSame = (each: (typeof waiting)[number]): boolean => each.client.at(-1)!.name === name;
    waiting = [...waiting.filter((each) => !isSame(each)), ...waiting.filter(isSame)];
  }

  function end(client: readonly CountedNetwork[]): void {
    all -= 1;
    underWay.add(client, -1);
    const next = waiting.find((each) => hasRoom(each.client));
    if (!next) return;
    leaveQueue(next);
    letOthersFirst(next.client);
    begin(next.client);
    next.begin();
  }

  return {
    load: () => ({ running: all, waiting: waiting.length }),
    enter(client) {
      if (hasRoom(client)) {
        begin(client);
        return { begun: Promise.resolve(true), leave: () => end(client) };
      }
      const queue = { ofClient: limits.waitingOfClient, inAll: limits.waitingInAll };
      if (waits.findFull(client, queue) !== undefined) {
        const detail = `A client gets ${limits.ofClient} ${what} at a time; wait for them first.`;
        throw new AppError('rate_limited', detail, { 'retry-after': '1' });
      }
      if (waiting.length >= limits.waitingInAll) {
        const detail = `Too many ${what} are under way for others; try again.`;
        throw new AppError('overloaded', detail, { 'retry-after': '5' });
      }
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const mine = { client, begin: () => resolve(true) };
      waiting.push(mine);
      waits.add(client, 1);
      return {
        begun: promise,
        leave() {
          if (!waiting.includes(mine)) return end(client);
          leaveQueue(mine);
          // Nobody wants it any more.
          resolve(false);
        },
      };
    },
  };
}
