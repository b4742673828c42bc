import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { registerCall, type WrittenJson } from './call-route.ts';
import type { DocumentName } from './operation.ts';
import { nameText } from './snapshot.ts';

type Document = Record<string, unknown>;

/**
 * Registers `GET /openapi.json`: the document that `build` makes at the first request, when every route is registered.
 *
 * @param options.of what it specifies, as in "the chain API"
 */
export function registerDocumentRoute(
  app: FastifyInstance,
  { document, of, build }: { document: DocumentName; of: string; build: () => Document },
): void {
  let made: WrittenJson | undefined;
  registerCall(app, {
    method: 'GET',
    path: '/openapi.json',
    response: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'OpenAPI 3.0.3.',
    }),
    cache: 'buried',
    operation: {
      document,
      id: 'getOpenApi',
      tag: 'Service',
      summary: 'This document',
      description: `The machine-readable specification of ${of}, OpenAPI 3.0.3.`,
      errors: [],
      example: { openapi: '3.0.3' },
    },
    call: () => {
      if (made === undefined) {
        const writtenJson = JSON.stringify(build());
        made = { writtenJson, etag: nameText(writtenJson), forms: new Map() };
      }
      return made;
    },
  });
}
