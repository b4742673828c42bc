/** Codes of errors that more than one operation can end with. The documents of the service say what each means. */

/**
 * What the client itself finds wrong.
 *
 * - `invalid_argument`: the call could not be sent as it was asked for.
 * - `network_error`: no whole answer came. A POST may have taken effect nevertheless.
 * - `timeout`: the time of the call was over. A POST may have taken effect nevertheless.
 * - `invalid_answer`: the answer is not what the operation is documented to give.
 * - `answer_too_large`: the answer is larger than the client takes.
 * - `http_error`: an error answer without a code, such as that of a proxy or of the Esplora paths.
 */
export type ClientErrorCode =
  | 'invalid_argument'
  | 'network_error'
  | 'timeout'
  | 'invalid_answer'
  | 'answer_too_large'
  | 'http_error';

/** Of any operation. */
export type CallErrorCode =
  | ClientErrorCode
  | 'private_key_refused'
  | 'invalid_parameter'
  | 'uri_too_long'
  | 'rate_limited'
  | 'internal_error';

/** Of operations that read the index or the database. */
export type ReadErrorCode = CallErrorCode | 'not_ready' | 'index_unavailable';

/** Of reads of the index, of which some wait for their turn. */
export type IndexReadErrorCode = ReadErrorCode | 'overloaded';

/** Of lists that have pages. */
export type CursorErrorCode = 'invalid_cursor';

/** Of operations with a body. */
export type BodyErrorCode = 'invalid_body' | 'body_too_large' | 'unsupported_media_type' | 'request_timeout';

/** Of operations that need a merchant's API key. */
export type MerchantErrorCode = 'api_key_invalid' | 'merchant_disabled' | 'index_unavailable';

/** Of those that need one which may do more than read. */
export type MerchantChangeErrorCode = MerchantErrorCode | 'key_scope_insufficient';
