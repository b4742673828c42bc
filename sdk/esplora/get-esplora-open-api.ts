import type { CallOptions, Client, OpenApiDocument } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraOpenApiResult = OpenApiDocument;
export type GetEsploraOpenApiError = CoinfrontError<ClientErrorCode>;

/**
 * This document.
 *
 * The machine-readable specification of the Esplora-compatible API, OpenAPI 3.0.3. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraOpenApiError}
 * @example
 * const document = await getEsploraOpenApi(client);
 */
export function getEsploraOpenApi(client: Client, options?: CallOptions): Promise<GetEsploraOpenApiResult> {
  return client.request({ method: 'GET', path: '/esplora/openapi.json' }, options);
}
