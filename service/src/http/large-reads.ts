/** Whose turn it is to read something large from the index: it takes the database and this thread some time, and is held in memory. */

import type { FastifyRequest } from 'fastify';
import { parseClient } from '../clients/client.ts';
import { AppError } from '../errors.ts';
import { createAnswerPlaces } from './answer-places.ts';
import type { QueueLoad } from './load-metrics.ts';

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

/** Creates the turns of a server. */
export function createLargeReads(): LargeReads {
  const places = createAnswerPlaces(maxLargeReads, 'large reads');
  return {
    load: places.load,
    async enter({ ip, socket }) {
      if (socket.destroyed) throw clientHasLeft();
      const { begun, leave } = places.enter(parseClient(ip).networks);
      let hasLeft = false;
      const end = (): void => {
        socket.removeListener('close', end);
        if (!hasLeft) leave();
        hasLeft = true;
      };
      // Who waits and leaves makes room; who reads holds his place until that is over.
      socket.once('close', end);
      if (!(await begun)) throw clientHasLeft();
      socket.removeListener('close', end);
      return end;
    },
  };
}

/** Nobody is told. */
function clientHasLeft(): AppError {
  return new AppError('overloaded', 'The client has left before its answer was begun.');
}
