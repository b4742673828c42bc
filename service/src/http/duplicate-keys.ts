import { findEndOfText } from '../json-text.ts';

const QUOTE = 34;
const COMMA = 44;
const ARRAY_BEGIN = 91;
const ARRAY_END = 93;
const OBJECT_BEGIN = 123;
const OBJECT_END = 125;

/**
 * The first key that an object of a JSON text has twice; undefined when there is none. RFC 8259 leaves open which of the two counts, so
 * whoever looks at a request before us may see another one than we do.
 *
 * @param text JSON that was parsed without an error
 */
export function findDuplicateKey(text: string): string | undefined {
  /** Keys of the objects that are open; an array has none. */
  const open: (Set<string> | undefined)[] = [];
  let comesKey = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = findEndOfText(text, at + 1);
        const keys = open.at(-1);
        if (comesKey && keys) {
          const key = readText(text.slice(at, end + 1));
          if (keys.has(key)) return key;
          keys.add(key);
          comesKey = false;
        }
        at = end;
        break;
      }
      case OBJECT_BEGIN:
        open.push(new Set());
        comesKey = true;
        break;
      case ARRAY_BEGIN:
        open.push(undefined);
        comesKey = false;
        break;
      case OBJECT_END:
      case ARRAY_END:
        open.pop();
        comesKey = false;
        break;
      case COMMA:
        comesKey = open.at(-1) !== undefined;
        break;
    }
  }
  return undefined;
}

/** The same key can be written in several ways. */
function readText(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}
