import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { decodeTextCursor, encodeTextCursor } from '../../../http/cursor.ts';

/** Cursors of lists in the order of node keys. In base64url a key has 43 characters, which a cursor has room for. */
export function encodeNodeCursor(kind: string, subject: string, nodeKey: string): string {
  return encodeTextCursor(kind, subject, Buffer.from(getHexBytes(nodeKey)).toString('base64url'));
}

/**
 * The key of a cursor made by {@link encodeNodeCursor} with the same kind and subject; undefined stays undefined.
 *
 * @throws AppError `invalid_cursor`
 */
export function decodeNodeCursor(
  kind: string,
  subject: string,
  cursor: string | undefined,
): string | undefined {
  const text = decodeTextCursor(kind, subject, cursor);
  return text === undefined ? undefined : bytesToHex(Buffer.from(text, 'base64url'));
}
