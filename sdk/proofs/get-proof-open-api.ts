import type { CallOptions, Client, OpenApiDocument } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetProofOpenApiResult = OpenApiDocument;
export type GetProofOpenApiError = CoinfrontError<CallErrorCode>;

/**
 * This document.
 *
 * The machine-readable specification of the proof service, OpenAPI 3.0.3.
 *
 * @throws {GetProofOpenApiError}
 * @example
 * const document = await getProofOpenApi(client);
 */
export function getProofOpenApi(client: Client, options?: CallOptions): Promise<GetProofOpenApiResult> {
  return client.request({ method: 'GET', path: '/api/v1/proof/openapi.json' }, options);
}
