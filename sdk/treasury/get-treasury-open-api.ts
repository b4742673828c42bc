import type { CallOptions, Client, OpenApiDocument } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetTreasuryOpenApiResult = OpenApiDocument;
export type GetTreasuryOpenApiError = CoinfrontError<CallErrorCode>;

/**
 * This document.
 *
 * The machine-readable specification of the treasury, OpenAPI 3.0.3.
 *
 * @throws {GetTreasuryOpenApiError}
 * @example
 * const document = await getTreasuryOpenApi(client);
 */
export function getTreasuryOpenApi(client: Client, options?: CallOptions): Promise<GetTreasuryOpenApiResult> {
  return client.request({ method: 'GET', path: '/api/treasury/openapi.json' }, options);
}
