/** What a route tells about itself beyond its schemas: for the OpenAPI document, the error format and the limits. */

import type { KeyScope } from '@coinfront/api/merchant-keys.ts';
import type { AppError, ErrorCode } from '../errors.ts';
import type { RowCost } from './row-cost.ts';

/** The documents that are made; each operation belongs to one, or to none. */
export type DocumentName = 'chain' | 'esplora' | 'names' | 'nodes' | 'proofs' | 'tokens' | 'treasury';

/** The description of one operation. */
export type Operation = {
  document: DocumentName;
  /** Unique in its document; clients name their functions after it. */
  id: string;
  tag: string;
  summary: string;
  description: string;
  /** Codes besides those that every operation may answer. */
  errors: readonly ErrorCode[];
  /** An example of each parameter, by name. */
  parameterExamples?: Readonly<Record<string, string | number>>;
  /** An example of the request body. */
  bodyExample?: unknown;
  /** An example of a successful body. */
  example: unknown;
  /** Content type of a success that is not JSON. */
  contentType?: string;
  /** Content type of the request body; application/json unless given. */
  bodyContentType?: string;
  /** Statuses besides 200 that come with the same body. */
  sameBodyStatuses?: readonly number[];
  /** The status of a success; 200 unless given. */
  status?: number;
  /** Whether it needs the API key of a merchant. */
  security?: 'merchantKey';
  /** What that key has to be good for; with `security`. */
  scope?: KeyScope;
  /** Whether the response has an ETag that is made of itself; whoever may keep an answer is told one. */
  revalidates?: boolean;
  /** Whether the response names a snapshot in its headers, and is answered with 304 while that is the present one. */
  snapshot?: boolean;
  /** Whether the response names its snapshot, and is made anew each time. */
  namesSnapshot?: boolean;
};

/** A page for people, with the headers that are its own: its policy takes the place of the one for programs. */
export type Page = { html: string; headers: Readonly<Record<string, string>> };

/** An error in the words of another interface. */
export type WrittenError = { status: number; json: unknown };

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
    /** Request units that one call costs; 1 unless given. */
    cost?: number | RowCost;
    /** Writes errors as another interface does, where the route imitates one. */
    writeError?: (error: AppError) => WrittenError;
    /** Shows errors as a page, where the route is one. */
    renderError?: (error: AppError, request: FastifyRequest) => Page;
  }
}

/** Codes that any operation may answer. */
export const commonErrors: readonly ErrorCode[] = [
  'private_key_refused',
  'uri_too_long',
  'rate_limited',
  'internal_error',
];
