/**
 * Compresses answers that anybody may read, for clients that take them so: JSON of this kind has a third to a tenth of its length then.
 *
 * What is for one client alone, such as an account's lists, is never compressed: beside something that an attacker chooses, its length
 * would tell of secrets in it (the attack called BREACH).
 */

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Coding, chooseCoding } from './content-coding.ts';
import type { QueueLoad } from './load-metrics.ts';

/** Bytes below which an answer goes in one packet anyhow. */
export const leastCompressed = 1_024;
/** Answers that are compressed or wait for it: with more of them there is no time for it, and they go as they are. */
const mostUnderWay = 16;
/** Node's pool has more threads, which wait for disks; these would take processors from the thread that answers. */
const mostAtOnce = 4;
/** Of the work that one answer may make. A larger one goes as it is. */
const mostCompressed = 4 * 1024 * 1024;

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);
/** Measured on answers of 2 to 50 KB: higher levels take two to ten times as long for a twentieth less. */
const brotliQuality = 4;
const gzipLevel = 5;

/** What an answer became; its length is 0 while that is not known. */
export type CompressedForm = { made: Promise<Buffer | undefined>; length: number };

/** By coding, for as long as the answer is kept. */
export type CompressedForms = Map<Coding, CompressedForm>;

export type CompressedAnswers = {
  /**
   * Sends a text, compressed where that is worth it; the caller has set all headers but those of the coding.
   * @param forms of this text, where it is kept
   */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    text: string,
    forms?: CompressedForms,
  ): void | Promise<void>;
  load(): QueueLoad;
};

/** Creates what compresses for one server, in the threads that Node has for such work. */
export function createCompressedAnswers(): CompressedAnswers {
  let underWay = 0;
  let running = 0;
  const waiting: (() => void)[] = [];

  const inTurn = async <T>(run: () => Promise<T>): Promise<T> => {
    if (running < mostAtOnce) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
  const compress = (text: string, coding: Coding): CompressedForm => {
    const form: CompressedForm = { made: inTurn(() => make(text, coding)), length: 0 };
    underWay++;
    void form.made.then((bytes) => {
      underWay--;
      form.length = bytes?.length ?? 0;
    });
    return form;
  };
  const make = async (text: string, coding: Coding): Promise<Buffer | undefined> => {
    try {
      const bytes = Buffer.from(text);
      const made =
        coding === 'br'
          ? await brotli(bytes, {
              params: {
                [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
                [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
              },
            })
          : await deflate(bytes, { level: gzipLevel });
      return made.length < bytes.length ? made : undefined;
    } catch {
      // Without memory for it the answer goes as it is.
      return undefined;
    }
  };

  return {
    load: () => ({ running, waiting: waiting.length }),
    send(request, reply, text, forms) {
      variesByCoding(reply);
      const isSized = text.length >= leastCompressed && text.length <= mostCompressed;
      const coding = isSized ? chooseCoding(request.headers['accept-encoding']) : undefined;
      let form = coding && forms?.get(coding);
      if (coding !== undefined && form === undefined && underWay < mostUnderWay) {
        form = compress(text, coding);
        forms?.set(coding, form);
      }
      if (coding === undefined || form === undefined) {
        reply.send(text);
        return;
      }
      return form.made.then((bytes) => {
        if (bytes !== undefined) reply.header('content-encoding', coding);
        reply.send(bytes ?? text);
      });
    },
  };
}

/** Says that other clients may get other bytes, also where the answer is none (304). */
export function variesByCoding(reply: FastifyReply): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? 'Accept-Encoding' : `${others}, Accept-Encoding`);
}
