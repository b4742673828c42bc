/**
 * Answers without a bound on their size are written piece by piece, as fast as the client reads, so that each takes the
 * memory of one piece and no more of the thread than a slice at a time.
 *
 * What cannot be completed is cut off, never ended: the client sees a broken transfer, not a shorter list.
 */

import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AppError } from '../errors.ts';
import type { Admission } from './admission.ts';
import { bytesOfUnit, clientNetwork } from './rate-limit.ts';
import { sliceMs, type TakeTurn } from './turns.ts';

/** Large answers under way for one client, and for all. */
export const maxLargeAnswers = { ofClient: 4, inAll: 16 } as const;
/** Characters that are written together. */
const chunkLength = 32_768;

/**
 * The text of a JSON body in parts. A part may take reading the database; its pieces are made as they are written and
 * each is short work.
 */
export type StreamedJson = { readonly streamedJson: () => AsyncIterable<Iterable<string>> };

export type LargeAnswers = {
  /** Begins to send; the caller has set the headers. @throws AppError `rate_limited`, `overloaded` */
  send(request: FastifyRequest, reply: FastifyReply, body: StreamedJson): FastifyReply;
};

/** Creates the place of a server for its large answers. */
export function createLargeAnswers(
  { chargeBytes }: Pick<Admission, 'chargeBytes'>,
  takeTurn: TakeTurn,
  logger: Logger,
): LargeAnswers {
  const underWay = new Map<string, number>();
  let all = 0;

  function enter(client: string): () => void {
    const own = underWay.get(client) ?? 0;
    if (own >= maxLargeAnswers.ofClient) {
      const detail = `A client gets ${maxLargeAnswers.ofClient} large answers at a time; read them first.`;
      throw new AppError('rate_limited', detail, { 'retry-after': '1' });
    }
    if (all >= maxLargeAnswers.inAll) {
      const detail = 'Too many large answers are under way for others; try again.';
      throw new AppError('overloaded', detail, { 'retry-after': '5' });
    }
    underWay.set(client, own + 1);
    all += 1;
    return () => {
      all -= 1;
      const left = underWay.get(client)! - 1;
      if (left === 0) underWay.delete(client);
      else underWay.set(client, left);
    };
  }

  async function* writeChunks(
    request: FastifyRequest,
    { streamedJson }: StreamedJson,
  ): AsyncGenerator<string> {
    let text = '';
    let uncharged = 0;
    let sliceEnds = 0;
    const giveWay = async (): Promise<void> => {
      await takeTurn();
      sliceEnds = performance.now() + sliceMs;
    };
    const parts = streamedJson()[Symbol.asyncIterator]();
    for (;;) {
      // Also before a part is read.
      await giveWay();
      const part = await parts.next();
      if (part.done) break;
      for (const piece of part.value) {
        text += piece;
        if (text.length >= chunkLength) {
          uncharged += text.length;
          if (uncharged >= bytesOfUnit) {
            chargeBytes(request, uncharged);
            uncharged %= bytesOfUnit;
          }
          yield text;
          text = '';
        }
        if (performance.now() >= sliceEnds) await giveWay();
      }
    }
    if (text !== '') yield text;
  }

  return {
    send(request, reply, body) {
      // HEAD needs none of it.
      if (request.method === 'HEAD') return reply.send(Readable.from([]));
      const leave = enter(clientNetwork(request.ip));
      const stream = Readable.from(writeChunks(request, body), {
        objectMode: false,
        highWaterMark: chunkLength,
      });
      stream.once('close', leave);
      stream.once('error', (err) => {
        logger.warn({ request_id: request.id, route: request.routeOptions.url, err }, 'large answer cut off');
      });
      return reply.send(stream);
    },
  };
}
