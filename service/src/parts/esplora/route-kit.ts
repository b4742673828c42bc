/** What all Esplora routes share: plain text errors, exact amounts, one document. */

import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../errors.ts';
import type { Operation } from '../../http/operation.ts';

/** The description of an operation; Esplora's own documentation says the rest. */
export function describe(
  id: string,
  summary: string,
  errors: readonly ErrorCode[],
  example: unknown,
  more: Partial<Operation> = {},
): Operation {
  return {
    document: 'esplora',
    id,
    tag: 'Esplora',
    summary,
    description: `${summary}, as Blockstream's Esplora answers it. Errors are plain text.`,
    errors,
    example,
    ...more,
  };
}

/** Fields of a route that answers JSON. */
export function answersJson<R extends TSchema>(response: R) {
  return { response, errorFormat: 'text' as const };
}

/** Fields of a route that answers text. */
export function answersText<R extends TSchema>(response: R) {
  return { response, errorFormat: 'text' as const };
}

/** For an operation that answers text. */
export const plainText: Partial<Operation> = { contentType: 'text/plain; charset=utf-8' };
