import type { CallOptions, Client, OpenApiDocument } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetChainOpenApiResult = OpenApiDocument;
export type GetChainOpenApiError = CoinfrontError<CallErrorCode>;

/**
 * This document.
 *
 * The machine-readable specification of the chain API, OpenAPI 3.0.3.
 *
 * @throws {GetChainOpenApiError}
 * @example
 * const document = await getChainOpenApi(client);
 */
export function getChainOpenApi(client: Client, options?: CallOptions): Promise<GetChainOpenApiResult> {
  return client.request({ method: 'GET', path: '/api/v1/openapi.json' }, options);
}
