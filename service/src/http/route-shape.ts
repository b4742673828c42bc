/** What routes have in common: their schemas, validation, and the description that documents are made of. */

import { describeFirstFault } from '@coinfront/protocol/schema-faults.ts';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import Type, { type TObject, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '../errors.ts';
import { spellOutNull } from './nullable.ts';
import type { Operation } from './operation.ts';
import { findOverLong } from './over-long.ts';
import { compileParameters } from './parameters.ts';
import type { RowCost } from './row-cost.ts';

/** Of a route without any. */
export const noParameters = Type.Object({}, { additionalProperties: false });
export type NoParameters = typeof noParameters;

/** What every route says of itself. */
export type RouteShape<P extends TObject, Q extends TObject, R extends TSchema> = {
  /** Fastify's pattern, below the prefix of the part. */
  path: string;
  operation: Operation;
  params?: P;
  query?: Q;
  /** Request headers that are checked, by their names as documented; others are let be. */
  headers?: TObject;
  /** Schema of the body of a success. A text or binary body is `Type.String()` with `operation.contentType`. */
  response: R;
  /** Request units that one call costs; 1 unless given. */
  cost?: number | RowCost;
};

/** How JSON bodies are announced. */
export const jsonContentType = 'application/json; charset=utf-8';

/** The options of Fastify that a route's shape comes to. */
export function describeRoute<P extends TObject, Q extends TObject, R extends TSchema>(
  route: RouteShape<P, Q, R> & { body?: TSchema },
): { schema: FastifySchema; validatorCompiler: typeof compileValidator; config: FastifyContextConfig } {
  return {
    schema: {
      params: route.params ?? noParameters,
      querystring: route.query ?? noParameters,
      ...(route.headers === undefined ? {} : { headers: route.headers }),
      ...(route.body === undefined ? {} : { body: route.body }),
      response: { [route.operation.status ?? 200]: route.response },
    },
    validatorCompiler: compileValidator,
    config: {
      operation: route.operation,
      ...(route.cost === undefined ? {} : { cost: route.cost }),
    },
  };
}

type CompileInput = { schema: unknown; httpPart?: string };

/** Fastify's hook for validation: strict parameters, and bodies without any coercion. */
function compileValidator({ schema, httpPart }: CompileInput) {
  if (httpPart === 'headers') {
    const read = compileParameters(schema as TObject, 'header');
    return (raw: Record<string, unknown>) => {
      try {
        read(raw);
        return true;
      } catch (error) {
        return { error: error as AppError };
      }
    };
  }
  if (httpPart !== 'body') {
    const read = compileParameters(schema as TObject, httpPart === 'params' ? 'path' : 'query');
    return (raw: Record<string, unknown>) => {
      try {
        return { value: read(raw) };
      } catch (error) {
        return { error: error as AppError };
      }
    };
  }
  const spelled = spellOutNull(schema as Record<string, unknown>);
  const validator = Compile(spelled as TSchema);
  return (body: unknown) => {
    const overLong = findOverLong(spelled, body);
    if (overLong === undefined && validator.Check(body)) return true;
    const faults = overLong === undefined ? validator.Errors(body) : [overLong];
    const detail = describeFirstFault(spelled, body, faults, 'The body');
    return { error: new AppError('invalid_body', `${detail}.`) };
  };
}
