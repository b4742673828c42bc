import { AppError } from '../errors.ts';

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

/** Places of large answers. */
export type AnswerPlaces = {
  /**
   * A browser or a wallet asks for several at once: what is too much now waits its turn, within bounds. `begun` is false where
   * its client has left before.
   *
   * @throws AppError `rate_limited`, `overloaded`
   */
  enter(client: string): { begun: Promise<boolean>; leave(): void };
};

/** Creates places that are all free. */
export function createAnswerPlaces(limits: PlaceLimits): AnswerPlaces {
  const underWay = new Map<string, number>();
  let all = 0;
  let waiting: { client: string; begin: () => void }[] = [];

  function hasRoom(client: string): boolean {
    return all < limits.inAll && (underWay.get(client) ?? 0) < limits.ofClient;
  }

  function begin(client: string): void {
    underWay.set(client, (underWay.get(client) ?? 0) + 1);
    all += 1;
  }

  function end(client: string): void {
    all -= 1;
    const left = underWay.get(client)! - 1;
    if (left === 0) underWay.delete(client);
    else underWay.set(client, left);
    const next = waiting.find((each) => hasRoom(each.client));
    if (!next) return;
    waiting = waiting.filter((each) => each !== next);
    begin(next.client);
    next.begin();
  }

  return {
    enter(client) {
      if (hasRoom(client)) {
        begin(client);
        return { begun: Promise.resolve(true), leave: () => end(client) };
      }
      if (waiting.filter((each) => each.client === client).length >= limits.waitingOfClient) {
        const detail = `A client gets ${limits.ofClient} large answers at a time; read them first.`;
        throw new AppError('rate_limited', detail, { 'retry-after': '1' });
      }
      if (waiting.length >= limits.waitingInAll) {
        const detail = 'Too many large answers are under way for others; try again.';
        throw new AppError('overloaded', detail, { 'retry-after': '5' });
      }
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const mine = { client, begin: () => resolve(true) };
      waiting.push(mine);
      return {
        begun: promise,
        leave() {
          if (!waiting.includes(mine)) return end(client);
          waiting = waiting.filter((each) => each !== mine);
          // Nobody wants it any more.
          resolve(false);
        },
      };
    },
  };
}
