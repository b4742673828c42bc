import type { CallOptions, Client, OpenApiDocument } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetTokenOpenApiResult = OpenApiDocument;
export type GetTokenOpenApiError = CoinfrontError<CallErrorCode>;

/**
 * This document.
 *
 * The machine-readable specification of the token service, OpenAPI 3.0.3.
 *
 * @throws {GetTokenOpenApiError}
 * @example
 * const document = await getTokenOpenApi(client);
 */
export function getTokenOpenApi(client: Client, options?: CallOptions): Promise<GetTokenOpenApiResult> {
  return client.request({ method: 'GET', path: '/api/v1/tok/openapi.json' }, options);
}
