/** The parts of an OpenAPI 3.0.3 document that the reference shows, read from it without trusting its shape. */

import type { Call } from '@coinfront/sdk/client/client.ts';
import { client } from './client.ts';

/** A document. */
export type OpenApi = {
  info: { title: string; version: string; description?: string };
  servers?: { url: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components?: { schemas?: Record<string, Schema>; headers?: Record<string, OpenApiHeader> };
};

/** One operation. */
export type OpenApiOperation = {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: OpenApiParameter[];
  requestBody?: { content?: Record<string, { schema?: Schema; example?: unknown }> };
  responses?: Record<string, OpenApiResponse>;
  security?: unknown[];
};

/** A parameter of path, query or header. */
export type OpenApiParameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
};

/** A header of an answer. */
export type OpenApiHeader = { $ref?: string; description?: string };

/** One answer. */
export type OpenApiResponse = {
  description?: string;
  headers?: Record<string, OpenApiHeader>;
  content?: Record<string, { schema?: Schema; example?: unknown }>;
};

/** A JSON Schema as OpenAPI 3.0.3 has it. */
export type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: unknown[];
  nullable?: boolean;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: unknown;
};

/** Reads a document of the service. */
export function readOpenApi(path: string, signal: AbortSignal | undefined): Promise<OpenApi> {
  const call: Call = { method: 'GET', path };
  return client.request<OpenApi>(call, { signal });
}

/** An operation with its place. */
export type PlacedOperation = { method: string; path: string; operation: OpenApiOperation };

/** The operations of a document by their first tag, in its order. */
export function groupOperations(document: OpenApi): [tag: string, operations: PlacedOperation[]][] {
  const groups = new Map<string, PlacedOperation[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === undefined) continue;
      const tag = operation.tags?.[0] ?? 'Other';
      groups.set(tag, [...(groups.get(tag) ?? []), { method: method.toUpperCase(), path, operation }]);
    }
  }
  return [...groups];
}

/** One field of a body. */
export type SchemaField = {
  name: string;
  depth: number;
  type: string;
  isOptional: boolean;
  description: string;
};

const DEEPEST = 4;

/** The fields of a schema, those of objects within below them. */
export function listFields(schema: Schema | undefined, document: OpenApi, depth = 0): SchemaField[] {
  const object = resolve(schema, document);
  const inner = object.type === 'array' ? resolve(object.items, document) : object;
  if (inner.properties === undefined || depth > DEEPEST) return [];
  return Object.entries(inner.properties).flatMap(([name, property]) => {
    const resolved = resolve(property, document);
    return [
      {
        name,
        depth,
        type: describeType(property, document),
        isOptional: !(inner.required ?? []).includes(name),
        description: property.description ?? resolved.description ?? '',
      },
      ...listFields(property, document, depth + 1),
    ];
  });
}

/** The type of a schema in a few words. */
export function describeType(schema: Schema | undefined, document: OpenApi): string {
  const resolved = resolve(schema, document);
  const base =
    resolved.type === 'array'
      ? `list of ${describeType(resolved.items, document)}`
      : resolved.enum !== undefined
        ? resolved.enum.map((value) => String(value)).join(' | ')
        : (resolved.format ?? resolved.type ?? 'anything');
  return resolved.nullable === true || schema?.nullable === true ? `${base} or null` : base;
}

function resolve(schema: Schema | undefined, document: OpenApi): Schema {
  const name = /^#\/components\/schemas\/(.+)$/.exec(schema?.$ref ?? '')?.[1];
  return (name === undefined ? schema : document.components?.schemas?.[name]) ?? {};
}
