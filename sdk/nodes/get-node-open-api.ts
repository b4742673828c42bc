import type { CallOptions, Client, OpenApiDocument } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetNodeOpenApiResult = OpenApiDocument;
export type GetNodeOpenApiError = CoinfrontError<CallErrorCode>;

/**
 * This document.
 *
 * The machine-readable specification of the node registry, OpenAPI 3.0.3.
 *
 * @throws {GetNodeOpenApiError}
 * @example
 * const document = await getNodeOpenApi(client);
 */
export function getNodeOpenApi(client: Client, options?: CallOptions): Promise<GetNodeOpenApiResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/openapi.json' }, options);
}
