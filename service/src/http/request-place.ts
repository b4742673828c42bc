import type { FastifyRequest } from 'fastify';
import { parseClient } from '../clients/client.ts';
import { AppError } from '../errors.ts';
import type { AnswerPlaces } from './answer-places.ts';

/**
 * Waits until a request has a place; gives what ends that. Who waits and leaves makes room; who has begun holds his place until his
 * work is over.
 *
 * @throws AppError `rate_limited`, `overloaded`
 */
export async function waitForPlace(
  places: AnswerPlaces,
  { ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>,
): Promise<() => void> {
  if (socket.destroyed) throw clientHasLeft();
  const { begun, leave } = places.enter(parseClient(ip).networks);
  let hasLeft = false;
  const end = (): void => {
    socket.removeListener('close', end);
    if (!hasLeft) leave();
    hasLeft = true;
  };
  socket.once('close', end);
  if (!(await begun)) throw clientHasLeft();
  socket.removeListener('close', end);
  return end;
}

/** Ends work that nobody waits for; nobody is told. */
export function clientHasLeft(): AppError {
  return new AppError('overloaded', 'The client has left before its answer was complete.');
}
