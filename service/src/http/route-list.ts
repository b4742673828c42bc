/** Remembers the routes that have an operation, with their schemas, for the OpenAPI documents. */

import type { FastifyInstance } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { Operation } from './operation.ts';
import type { RowCost } from './row-cost.ts';

/** One documented route. */
export type ListedRoute = {
  method: string;
  path: string;
  operation: Operation;
  params: TObject;
  query: TObject;
  headers: TObject | undefined;
  body: TSchema | undefined;
  response: TSchema;
  cost: number | RowCost;
  errorFormat: 'problem' | 'text';
};

export type RouteList = readonly ListedRoute[];

type Schemas = {
  params: TObject;
  querystring: TObject;
  headers?: TObject;
  body?: TSchema;
  response: Record<number, TSchema>;
};

/** Collects from now on; call it before the parts register their routes. */
export function collectRoutes(app: FastifyInstance): RouteList {
  const routes: ListedRoute[] = [];
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    const operation = config?.operation;
    if (operation === undefined || method === 'HEAD') return;
    const { params, querystring, headers, body, response } = schema as Schemas;
    routes.push({
      method: String(method),
      path: url,
      operation,
      params,
      query: querystring,
      headers,
      body,
      response: response[operation.status ?? 200]!,
      cost: config?.cost ?? 1,
      errorFormat: app.textErrors.covers(url) ? 'text' : 'problem',
    });
  });
  return routes;
}
