import type { Static, TSchema } from 'typebox';

/** The state of the chain that an answer was read from. */
export type Snapshot = { readonly height: number; readonly tip: string };

/** What an answer tells besides its body. */
export type AnswerFacts = {
  readonly status: number;
  readonly headers: Headers;
  /** From `X-Chain-Height` and `X-Chain-Tip`; undefined where the answer does not depend on the chain. */
  readonly snapshot: Snapshot | undefined;
  /** Whether the service said that nothing has changed since an earlier answer, whose body is given again. */
  readonly unchanged: boolean;
};

/** Options of one call. */
export type CallOptions = {
  /** Ends the call; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** For the whole call with its retries, milliseconds; that of the client unless given. */
  timeoutMs?: number | undefined;
  /** Is told about the answer before the call resolves: its snapshot, status and headers. */
  onAnswer?: ((facts: AnswerFacts) => void) | undefined;
};

/** One operation as it is sent. Functions of the SDK make it; nobody else has to. */
export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As the documents have it, with `{names}` for what `params` fills in. */
  readonly path: string;
  /** Those not in the path are the query. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** JSON, or a text that is sent as it is. */
  readonly body?: unknown;
  /** Whether it needs the merchant's API key. */
  readonly authorised?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it only reads although it is a POST: it may be sent again where no answer came. */
  readonly repeatable?: boolean;
  /** What the body of the answer is; JSON unless given. */
  readonly answer?: 'json' | 'text' | 'bytes';
};

/** A service that can be called. It holds no wallet and no key but, where given, the merchant's API key. */
export type Client = {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Sends one call; the type of the answer is the caller's promise about the operation. */
  request<T>(call: Call, options?: CallOptions): Promise<T>;
};

type Open<T> = T extends unknown
  ? { [K in keyof T as T extends Record<K, T[K]> ? K : never]: T[K] } & {
      [K in keyof T as T extends Record<K, T[K]> ? never : K]?: T[K] | undefined;
    }
  : never;

/** What the schemas of an operation's path, query or body take; an optional field may also be undefined. */
export type ParamsOf<First extends TSchema, Second extends TSchema = First> = Open<
  Static<First> & Static<Second>
>;

/** An OpenAPI 3.0.3 document. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;
