/** Whose turn it is to read something large from the index: it takes the database and this thread some time, and is held in memory. */

import type { FastifyRequest } from 'fastify';
import { createAnswerPlaces } from './answer-places.ts';
import type { QueueLoad } from './load-metrics.ts';
import { waitForPlace } from './request-place.ts';
import type { TakeTurn } from './turns.ts';

/** As many as the database has connections for them; those that wait hold nothing but their request. */
export const maxLargeReads = { ofClient: 2, inAll: 2, waitingOfClient: 64, waitingInAll: 256 } as const;

export type LargeReads = {
  /**
   * Waits until it is the turn of a request; gives what ends that.
   *
   * @throws AppError `rate_limited`, `overloaded`
   */
  enter(request: Pick<FastifyRequest, 'ip' | 'socket'>): Promise<() => void>;
  load(): QueueLoad;
};

/** Creates the turns of a server: between two of them the event loop serves all that is ready. */
export function createLargeReads(takeTurn: TakeTurn): LargeReads {
  const places = createAnswerPlaces(maxLargeReads, 'large reads');
  return {
    load: places.load,
    async enter(request) {
      const leave = await waitForPlace(places, request);
      await takeTurn();
      return leave;
    },
  };
}
