/** What an OP_RETURN output carries, as text where it is one. */

import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { OP_RETURN } from '@coinfront/protocol/opcodes.ts';
import { readScriptOp } from '@coinfront/protocol/script-ops.ts';

const MOST_PUSHES = 20;
/** Of text; hex has twice as many. */
const MOST_CHARACTERS = 2_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what has them is no text
const NO_TEXT = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/;

/** One push of a carrier. */
export type CarriedItem = { hex: string; text: string | undefined };

/** The pushes of a script, hex, that begins with OP_RETURN; none of any other. A long one is cut, and ends with an ellipsis. */
export function listCarried(scriptHex: string): CarriedItem[] {
  const script = getHexBytes(scriptHex);
  const items: CarriedItem[] = [];
  if (script[0] !== OP_RETURN) return items;
  for (let at = 1; at < script.length && items.length < MOST_PUSHES; ) {
    const op = readScriptOp(script, at);
    if (op === undefined) break;
    if (op.data !== undefined && op.data.length > 0) items.push(showItem(op.data));
    at = op.next;
  }
  return items;
}

function showItem(data: Uint8Array): CarriedItem {
  const text = decodeText(data);
  const isLong = data.length > MOST_CHARACTERS;
  const hex = bytesToHex(data.subarray(0, MOST_CHARACTERS)) + (isLong ? '…' : '');
  return { hex, text: text === undefined ? undefined : shorten(text) };
}

function shorten(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}

/** UTF-8 without control characters, and without those that turn the direction of what is around them. */
function decodeText(data: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
    return NO_TEXT.test(text) || text.trim() === '' ? undefined : text;
  } catch {
    return undefined;
  }
}
