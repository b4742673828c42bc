import type { CallOptions, Client, OpenApiDocument } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetNameOpenApiResult = OpenApiDocument;
export type GetNameOpenApiError = CoinfrontError<CallErrorCode>;

/**
 * This document.
 *
 * The machine-readable specification of the name registry, OpenAPI 3.0.3.
 *
 * @throws {GetNameOpenApiError}
 * @example
 * const document = await getNameOpenApi(client);
 */
export function getNameOpenApi(client: Client, options?: CallOptions): Promise<GetNameOpenApiResult> {
  return client.request({ method: 'GET', path: '/api/vns/v1/openapi.json' }, options);
}
