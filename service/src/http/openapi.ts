/**
 * OpenAPI 3.0.3 documents from the registered routes.
 *
 * Made here rather than by a plugin because one server carries several documents, every operation lists exactly the
 * codes it may answer, and schemas with a `title` become named components.
 */

import type { TObject, TSchema } from 'typebox';
import { AppError, type ErrorCode, errorKinds } from '../errors.ts';
import { commonErrors, type DocumentName } from './operation.ts';
import { buildProblem } from './problem.ts';
import type { ListedRoute, RouteList } from './route-list.ts';
import { describeCost } from './row-cost.ts';

export type DocumentInfo = {
  name: DocumentName;
  title: string;
  description: string;
  serverUrl: string;
  version: string;
};

type Json = Record<string, unknown>;

/** Header of a merchant's API key. */
export const apiKeyHeader = 'X-COIN-Pay-API-Key';

const securitySchemes: Json = {
  merchantKey: {
    type: 'apiKey',
    in: 'header',
    name: apiKeyHeader,
    description:
      "A merchant's API key: the operator makes the first, the merchant others. It belongs on the merchant's server only; no page of " +
      'another origin can send it.',
  },
};

/** Builds one document; `prefix` is cut from the paths because the server's URL has it. */
export function buildOpenApi(routes: RouteList, info: DocumentInfo, prefix: string): Json {
  const schemas: Json = { Problem: problemSchema() };
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    if (route.operation.document !== info.name) continue;
    const path = route.path.slice(prefix.length).replace(/:([a-zA-Z0-9_]+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = buildOperation(route, schemas);
  }
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    openapi: '3.0.3',
    info: {
      title: info.title,
      description: info.description,
      version: info.version,
      license: { name: 'MIT' },
    },
    servers: [{ url: info.serverUrl }],
    paths,
    components: {
      schemas: sorted,
      headers: snapshotHeaders,
      ...(routes.some(({ operation }) => operation.document === info.name && operation.security)
        ? { securitySchemes }
        : {}),
    },
  };
}

/** The codes that a route may answer: its own, and those of its shape. */
export function listErrors(route: ListedRoute): ErrorCode[] {
  const { operation, params, query, body } = route;
  const codes = new Set<ErrorCode>([...commonErrors, ...operation.errors]);
  const hasParameters = Object.keys(params.properties).length + Object.keys(query.properties).length > 0;
  // A query that no operation knows is refused everywhere.
  codes.add('invalid_parameter');
  if (hasParameters && 'cursor' in query.properties) codes.add('invalid_cursor');
  if (operation.security) codes.add('api_key_invalid').add('merchant_disabled');
  // Any key may read.
  if (operation.scope !== undefined && operation.scope !== 'read') codes.add('key_scope_insufficient');
  if (operation.snapshot || operation.namesSnapshot)
    codes.add('not_ready').add('index_unavailable').add('overloaded');
  if (body !== undefined) {
    for (const code of [
      'invalid_body',
      'body_too_large',
      'unsupported_media_type',
      'request_timeout',
    ] as const) {
      codes.add(code);
    }
  }
  return [...codes];
}

function buildOperation(route: ListedRoute, schemas: Json): Json {
  const { operation, params, query, headers, body, response, cost } = route;
  const { status = 200 } = operation;
  const { scope } = operation;
  const needs =
    scope === undefined ? '' : `Needs a key of the scope \`${scope}\`${scope === 'all' ? '' : ' or more'}.`;
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, needs, describeCost(cost)].filter((text) => text !== '').join(' '),
    ...(operation.security === undefined ? {} : { security: [{ [operation.security]: [] }] }),
    parameters: [
      ...buildParameters(params, 'path', route),
      ...buildParameters(query, 'query', route),
      ...(headers === undefined ? [] : buildParameters(headers, 'header', route)),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              [operation.bodyContentType ?? 'application/json']: {
                schema: convertSchema(body, schemas),
                example: operation.bodyExample,
              },
            },
          },
        }),
    responses: {
      [status]: {
        description: 'Success.',
        ...buildHeaders(operation),
        content: {
          [operation.contentType ?? 'application/json']: {
            schema: convertSchema(response, schemas),
            example: operation.example,
          },
        },
      },
      ...(operation.revalidates
        ? { 304: { description: 'Nothing has changed since the answer whose ETag If-None-Match names.' } }
        : operation.snapshot
          ? { 304: { description: 'The snapshot named by If-None-Match is still the present one.' } }
          : {}),
      ...Object.fromEntries(
        (operation.sameBodyStatuses ?? []).map((status) => [
          status,
          {
            description: 'The same body as with 200.',
            content: {
              'application/json': { schema: convertSchema(response, schemas), example: operation.example },
            },
          },
        ]),
      ),
      ...buildErrors(route),
    },
  };
}

function buildHeaders({ snapshot, namesSnapshot, revalidates }: ListedRoute['operation']): Json {
  const { ETag: _, ...withoutEtag } = snapshotHeaderRefs;
  const headers = {
    ...(snapshot ? snapshotHeaderRefs : namesSnapshot ? withoutEtag : {}),
    ...(revalidates ? { ETag: ownEtagHeader } : {}),
  };
  return Object.keys(headers).length === 0 ? {} : { headers };
}

function buildParameters(
  schema: TObject,
  place: 'path' | 'query' | 'header',
  { operation }: ListedRoute,
): Json[] {
  const required = new Set<string>((schema.required ?? []) as readonly string[]);
  return Object.entries(schema.properties as Record<string, TSchema & Json>).map(([name, property]) => {
    const { description, ...rest } = convertSchema(property, {}) as Json;
    const example = operation.parameterExamples?.[name];
    return {
      name,
      in: place,
      required: place === 'path' || required.has(name),
      description,
      schema: rest,
      ...(example === undefined ? {} : { example }),
    };
  });
}

function buildErrors(route: ListedRoute): Record<string, Json> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of listErrors(route)) {
    const { status } = errorKinds[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errorKinds[code].title}.`).join(' '),
        content:
          route.errorFormat === 'text'
            ? { 'text/plain': { schema: { type: 'string' } } }
            : {
                'application/problem+json': {
                  schema: { $ref: '#/components/schemas/Problem' },
                  example: buildProblem(new AppError(codes[0]!, errorKinds[codes[0]!].title), 'k3x9q1-7a'),
                },
              },
      },
    ]),
  );
}

/**
 * A TypeBox schema as OpenAPI 3.0.3 has it: `const` becomes an `enum` of one, titled objects become components.
 *
 * @throws Error for what 3.0.3 cannot say: a list of types, or the type `null`.
 */
function convertSchema(schema: TSchema | Json, schemas: Json): Json {
  const { title, const: constant, $id: _, ...rest } = schema as Json;
  if (Array.isArray(rest.type) || rest.type === 'null') throw new Error('not expressible in OpenAPI 3.0.3');
  const converted: Json = constant === undefined ? { ...rest } : { ...rest, enum: [constant] };
  for (const key of ['items', 'additionalProperties'] as const) {
    const inner = converted[key];
    if (typeof inner === 'object' && inner !== null) converted[key] = convertSchema(inner as Json, schemas);
  }
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const list = converted[key];
    if (Array.isArray(list)) converted[key] = list.map((each: Json) => convertSchema(each, schemas));
  }
  if (typeof converted.properties === 'object') {
    const entries = Object.entries(converted.properties as Record<string, Json>);
    converted.properties = Object.fromEntries(
      entries.map(([name, each]) => [name, convertSchema(each, schemas)]),
    );
  }
  if (typeof title !== 'string') return converted;
  if (converted.nullable === true) {
    // A reference cannot carry `nullable` beside it in 3.0.3.
    const { nullable: _nullable, ...plain } = converted;
    addComponent(schemas, title, plain);
    return { nullable: true, allOf: [{ $ref: `#/components/schemas/${title}` }] };
  }
  addComponent(schemas, title, converted);
  return { $ref: `#/components/schemas/${title}` };
}

/** @throws Error when two different schemas have one title: a defect of the schemas */
function addComponent(schemas: Json, title: string, schema: Json): void {
  const before = schemas[title];
  if (before !== undefined && JSON.stringify(before) !== JSON.stringify(schema)) {
    throw new Error(`two schemas have the title ${title}`);
  }
  schemas[title] = schema;
}

const ownEtagHeader: Json = {
  description: 'Names this state of the answer. Send it as If-None-Match.',
  schema: { type: 'string' },
};

const snapshotHeaders: Json = {
  'X-Chain-Height': {
    description: 'Height of the tip that the response was read at.',
    schema: { type: 'integer', minimum: 0 },
    example: 812_345,
  },
  'X-Chain-Tip': {
    description: 'Hash of the tip that the response was read at.',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
  ETag: {
    description:
      'Names the snapshot, with the mempool where the response shows it. Send it as If-None-Match.',
    schema: { type: 'string' },
  },
};

const snapshotHeaderRefs: Json = Object.fromEntries(
  Object.keys(snapshotHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

function problemSchema(): Json {
  const string = (description: string): Json => ({ type: 'string', description });
  return {
    type: 'object',
    description: 'RFC 9457. Branch on `code`; `detail` is for people.',
    required: ['type', 'title', 'status', 'detail', 'code', 'instance', 'request_id'],
    properties: {
      type: string('A URN of the code.'),
      title: string('What the code means; the same for each occurrence.'),
      status: { type: 'integer', description: 'The HTTP status.' },
      detail: string('What was wrong, what was received, what to do.'),
      code: { type: 'string', description: 'Stable name of the error.', enum: Object.keys(errorKinds) },
      instance: string('A URN of this occurrence.'),
      request_id: string('Finds the request in the log of the service.'),
    },
  };
}
