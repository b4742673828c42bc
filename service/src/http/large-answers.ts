/**
 * Answers without a bound on their size are written piece by piece, as fast as the client reads, so that each takes the
 * memory of one piece and no more of the thread than a slice at a time.
 *
 * What cannot be completed is cut off, never ended: the client sees a broken transfer, not a shorter list.
 */

import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { parseClient } from '../clients/client.ts';
import type { Admission } from './admission.ts';
import { createPatience, leastPace, type Pace } from './answer-pace.ts';
import { createAnswerPlaces, maxAccountAnswers, maxLargeAnswers } from './answer-places.ts';
import type { QueueLoad } from './load-metrics.ts';
import { bytesOfUnit } from './rate-limit.ts';
import { sliceMs, type TakeTurn } from './turns.ts';

/** Characters that are written together. */
const chunkLength = leastPace.bytes;

/**
 * The text of a body in parts. A part may take reading the database; its pieces are made as they are written and each is
 * short work. Where the client leaves before the end, the parts are ended as by `break`.
 */
export type StreamedText = {
  readonly streamedText: () => AsyncIterable<Iterable<string>>;
  /** Whose it is, when it is sent to an account that was authenticated: these have places of their own. */
  readonly account?: string;
};

/** Whether a body comes in parts. */
export function isStreamed(body: unknown): body is StreamedText {
  return typeof body === 'object' && body !== null && 'streamedText' in body;
}

export type LargeAnswers = {
  /** Begins to send; the caller has set the headers. @throws AppError `rate_limited`, `overloaded` */
  send(request: FastifyRequest, reply: FastifyReply, body: StreamedText): FastifyReply;
  load(): { public: QueueLoad; account: QueueLoad };
};

/** Creates the place of a server for its large answers. */
export function createLargeAnswers(
  { chargeBytes }: Pick<Admission, 'chargeBytes'>,
  takeTurn: TakeTurn,
  logger: Logger,
  pace: Pace = leastPace,
): LargeAnswers {
  const places = createAnswerPlaces(maxLargeAnswers);
  const accountPlaces = createAnswerPlaces(maxAccountAnswers);

  async function* writeChunks(
    request: FastifyRequest,
    { streamedText }: StreamedText,
    begun: Promise<boolean>,
    giveUp: () => void,
  ): AsyncGenerator<Buffer> {
    if (!(await begun)) return;
    let text = '';
    let uncharged = 0;
    let sliceEnds = 0;
    const patience = createPatience(pace);
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
            yield* waitForReader(text, patience, giveUp);
            text = '';
          }
          if (performance.now() >= sliceEnds) await giveWay();
        }
      }
      if (text !== '') yield* waitForReader(text, patience, giveUp);
    } finally {
      await parts.return?.();
    }
  }

  return {
    load: () => ({ public: places.load(), account: accountPlaces.load() }),
    send(request, reply, body) {
      // HEAD needs none of it.
      if (request.method === 'HEAD') return reply.send(Readable.from([]));
      const { account } = body;
      const { begun, leave } =
        account === undefined
          ? places.enter(parseClient(request.ip).networks)
          : accountPlaces.enter([{ name: account, share: 1 }]);
      const giveUp = () => void stream.destroy(new Error('its client reads too slowly'));
      const stream: Readable = Readable.from(writeChunks(request, body, begun, giveUp), {
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

/** Pieces of a text, of a length that has a least time. What the client takes of it counts, not what the database does. */
function* waitForReader(
  text: string,
  patience: ReturnType<typeof createPatience>,
  giveUp: () => void,
): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += leastPace.bytes) {
    const timer = setTimeout(giveUp, patience.leftMs());
    const beganMs = performance.now();
    try {
      yield bytes.subarray(at, at + leastPace.bytes);
    } finally {
      clearTimeout(timer);
    }
    patience.read(performance.now() - beganMs);
  }
}
