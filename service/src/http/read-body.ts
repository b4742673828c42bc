/**
 * Reading bodies: JSON in strict form, without private keys.
 *
 * What is short is looked through before anything is said of its shape, so that a key in a field that does not exist, or in
 * broken JSON, is told to be one. What is long has to have the shape of its operation first: what has not is refused
 * unseen.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { hasMoreParts } from '../json-text.ts';
import type { Admission } from './admission.ts';
import { findDuplicateKey } from './duplicate-keys.ts';
import type { KeyGuard } from './private-keys.ts';
import type { TakeTurn } from './turns.ts';

/** Bytes of a body that are read unless an operation allows more. */
export const defaultBodyLimit = 16_384;
/** Characters of a body that are looked through for keys whatever its shape. */
export const looseCheckLength = 65_536;
/** Lists, objects and elements that a long body may have; the largest batch of digests has about as many, all others less than half. */
const maxPartsOfLong = 4_096;

export type BodyReader = {
  /** Reads JSON. */
  readJson(request: FastifyRequest, text: string): Promise<unknown>;
  /** Takes any text for the body. */
  readText(request: FastifyRequest, text: string): Promise<string>;
  /** Looks through a long body once its shape is known to be right. @throws AppError `private_key_refused` */
  checkShaped(request: FastifyRequest): Promise<void>;
};

type ParseJson = (text: string) => unknown;

/** Creates the reader of a server. What its functions throw, `toAppError` understands. */
export function createBodyReader(
  keys: KeyGuard,
  { chargeBytes }: Pick<Admission, 'chargeBytes'>,
  takeTurn: TakeTurn,
  parseJson: ParseJson,
): BodyReader {
  const isShort = (text: string): boolean => text.length <= looseCheckLength;

  const begin = async (request: FastifyRequest, text: string): Promise<void> => {
    checkCoding(request.headers['content-encoding']);
    // Without a length nothing was charged before it came.
    if (request.headers['content-length'] === undefined) chargeBytes(request, text.length);
    if (isShort(text)) return;
    request.isBodyUnchecked = true;
    // Long ones that have come together are read one after another, with what is cheap between them.
    await takeTurn();
  };

  return {
    async readJson(request, text) {
      await begin(request, text);
      checkCharset(request.headers['content-type']);
      if (!isShort(text)) checkParts(text);
      let value: unknown;
      try {
        value = parseJson(text);
      } catch (error) {
        if (isShort(text)) keys.check(text);
        throw error;
      }
      if (isShort(text)) keys.check(value);
      const twice = findDuplicateKey(text);
      if (twice === undefined) {
        // The parser passes over a byte order mark, JSON.parse does not.
        if (isShort(text)) request.jsonText = text.replace(/^\ufeff/, '');
        return value;
      }
      // What is not in the value has been sent all the same.
      if (isShort(text)) keys.check(text);
      throw new AppError(
        'invalid_body',
        `An object has the key "${twice.slice(0, 40)}" twice; give it once.`,
      );
    },
    async readText(request, text) {
      await begin(request, text);
      if (isShort(text)) keys.check(text);
      return text;
    },
    async checkShaped(request) {
      if (!request.isBodyUnchecked) return;
      request.isBodyUnchecked = false;
      await takeTurn();
      keys.check(request.body);
      await takeTurn();
    },
  };
}

/** Has JSON read by `reader`, and nothing else. */
export function registerJsonBodies(app: FastifyInstance, reader: BodyReader): void {
  app.decorateRequest('isBodyUnchecked', false);
  app.decorateRequest('jsonText', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string | Buffer) => reader.readJson(request, text as string),
  );
}

/** None of the texts that are long has commas or brackets within. */
function checkParts(text: string): void {
  if (!hasMoreParts(text, maxPartsOfLong)) return;
  const detail = `A body above ${looseCheckLength} characters has at most ${maxPartsOfLong} commas and brackets; this one has more.`;
  throw new AppError('invalid_body', detail);
}

/** What is compressed could not be looked through for keys before it is unpacked, and no operation needs it. */
function checkCoding(coding: string | undefined): void {
  if (coding === undefined || /^(?:identity)?$/i.test(coding.trim())) return;
  throw new AppError(
    'unsupported_media_type',
    `Bodies are read as they are, not compressed; send this one without "Content-Encoding: ${coding.slice(0, 40)}".`,
    { 'accept-encoding': 'identity' },
  );
}

/** JSON is UTF-8 (RFC 8259); another charset would be read as something that was not sent. */
function checkCharset(contentType: string | undefined): void {
  const charset = /;\s*charset="?([^;"\s]*)/i.exec(contentType ?? '')?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return;
  throw new AppError(
    'unsupported_media_type',
    'JSON is UTF-8; send it without a charset, or with charset=utf-8.',
  );
}
