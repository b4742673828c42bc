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

/** Large answers under way for one client, and for all; and those that wait for one of these to end. */
export const maxLargeAnswers = {
  ofClient: 4,
  inAll: 16,
  waitingOfClient: 16,
  waitingInAll: 128,
} as const;
/** Characters that are written together. */
const chunkLength = 32_768;

/**
 * The text of a body in parts. A part may take reading the database; its pieces are made as they are written and each is
 * short work. Where the client leaves before the end, the parts are ended as by `break`.
 */
export type StreamedText = { readonly streamedText: () => AsyncIterable<Iterable<string>> };

/** Whether a body comes in parts. */
export function isStreamed(body: unknown): body is StreamedText {
  return typeof body === 'object' && body !== null && 'streamedText' in body;
}

export type LargeAnswers = {
  /** Begins to send; the caller has set the headers. @throws AppError `rate_limited`, `overloaded` */
  send(request: FastifyRequest, reply: FastifyReply, body: StreamedText): FastifyReply;
};

/** Creates the place of a server for its large answers. */
export function createLargeAnswers(
  { chargeBytes }: Pick<Admission, 'chargeBytes'>,
  takeTurn: TakeTurn,
  logger: Logger,
): LargeAnswers {
  const underWay = new Map<string, number>();
  let all = 0;
  let waiting: { client: string; begin: () => void }[] = [];

  function hasRoom(client: string): boolean {
    return all < maxLargeAnswers.inAll && (underWay.get(client) ?? 0) < maxLargeAnswers.ofClient;
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

  /**
   * A browser or a wallet asks for several at once: what is too much now waits its turn, within bounds. `begun` is false where its
   * client has left before.
   */
  function enter(client: string): { begun: Promise<boolean>; leave(): void } {
    if (hasRoom(client)) {
      begin(client);
      return { begun: Promise.resolve(true), leave: () => end(client) };
    }
    if (waiting.filter((each) => each.client === client).length >= maxLargeAnswers.waitingOfClient) {
      const detail = `A client gets ${maxLargeAnswers.ofClient} large answers at a time; read them first.`;
      throw new AppError('rate_limited', detail, { 'retry-after': '1' });
    }
    if (waiting.length >= maxLargeAnswers.waitingInAll) {
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
  }

  async function* writeChunks(
    request: FastifyRequest,
    { streamedText }: StreamedText,
    begun: Promise<boolean>,
  ): AsyncGenerator<string> {
    if (!(await begun)) return;
    let text = '';
    let uncharged = 0;
    let sliceEnds = 0;
    const giveWay = async (): Promise<void> => {
      await takeTurn();
      sliceEnds = performance.now() + sliceMs;
    };
    const parts = streamedText()[Symbol.asyncIterator]();
    try {
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
    } finally {
      await parts.return?.();
    }
  }

  return {
    send(request, reply, body) {
      // HEAD needs none of it.
      if (request.method === 'HEAD') return reply.send(Readable.from([]));
      const { begun, leave } = enter(clientNetwork(request.ip));
      const stream = Readable.from(writeChunks(request, body, begun), {
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
