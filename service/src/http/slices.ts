import type { FastifyRequest } from 'fastify';
import { clientHasLeft } from './request-place.ts';
import { sliceMs, type TakeTurn } from './turns.ts';

/**
 * For work of many steps inside one request: called before each step, it gives way to others where a slice of time is over.
 *
 * @throws AppError `overloaded` where the client has left, so that nothing is done for nobody
 */
export type GiveWay = () => Promise<void>;

/** Begins with a whole slice. */
export function createSlices(takeTurn: TakeTurn, { socket }: Pick<FastifyRequest, 'socket'>): GiveWay {
  let ends = performance.now() + sliceMs;
  return async () => {
    if (performance.now() < ends) return;
    await takeTurn();
    if (socket.destroyed) throw clientHasLeft();
    ends = performance.now() + sliceMs;
  };
}
