import type { CallOptions, Client, OpenApiDocument } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetEsploraOpenApiResult = OpenApiDocument;
export type GetEsploraOpenApiError = CoinfrontError<CallErrorCode>;

/**
 * This document.
 *
 * The machine-readable specification of the Esplora-compatible API, OpenAPI 3.0.3.
 *
 * @throws {GetEsploraOpenApiError}
 * @example
 * const document = await getEsploraOpenApi(client);
 */
export function getEsploraOpenApi(client: Client, options?: CallOptions): Promise<GetEsploraOpenApiResult> {
  return client.request({ method: 'GET', path: '/esplora/openapi.json' }, options);
}
