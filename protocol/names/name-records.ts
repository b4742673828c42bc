import { writeCanonicalJson } from '../canonical-json.ts';
import { sha256 } from '../hash.ts';

/** Bounds of the text records of a name (docs/protocols/names.md). */
export const recordLimits = { count: 32, keyCharacters: 32, valueBytes: 512, documentBytes: 8_192 } as const;

/** Text records by their keys. */
export type NameRecords = Readonly<Record<string, string>>;

const VERSION = 1;
const KEY = /^[a-z0-9](?:[a-z0-9._-]{0,30}[a-z0-9])?$/;
/** Controls, formats, separators of lines and paragraphs, private use, surrogates: what shows nothing, or turns what is around it. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u;

/** What is wrong with records, in words that continue their field; undefined where they can be a document. */
export function findRecordsFault(records: NameRecords): string | undefined {
  const entries = Object.entries(records);
  if (entries.length === 0) return '"records" is empty: names without records have no document';
  if (entries.length > recordLimits.count)
    return `"records" has ${entries.length} records; ${recordLimits.count} are accepted`;
  for (const [key, value] of entries) {
    // What is no key is not repeated: nobody knows what it is.
    if (!KEY.test(key))
      return `a key of "records" is not 1 to ${recordLimits.keyCharacters} of a-z, 0-9, ".", "_" and "-", with a letter or digit at both ends`;
    const fault = findValueFault(value);
    if (fault !== undefined) return `"records.${key}" ${fault}`;
  }
  return undefined;
}

function findValueFault(value: string): string | undefined {
  if (value === '') return 'is empty';
  // A UTF-16 code unit is a byte at least.
  if (value.length > recordLimits.valueBytes || utf8Length(value) > recordLimits.valueBytes)
    return `is longer than ${recordLimits.valueBytes} bytes`;
  if (!value.isWellFormed()) return 'is not well-formed Unicode';
  if (HIDDEN.test(value)) return 'has a control, a line break, or a character that shows nothing';
  if (value.normalize('NFC') !== value) return 'is not in Unicode normalisation form C';
  return undefined;
}

/**
 * The document of a name's records, whose SHA-256 stands on the chain. Records are first looked at with {@link findRecordsFault}.
 *
 * @throws RangeError when the document is too long
 */
export function writeRecordsDocument(name: string, records: NameRecords): string {
  const text = writeCanonicalJson({ name, records, version: VERSION });
  if (utf8Length(text) > recordLimits.documentBytes)
    throw new RangeError(`the document is longer than ${recordLimits.documentBytes} bytes`);
  return text;
}

/** The hash of a document: SHA-256 of its UTF-8 bytes. */
export function hashRecordsDocument(text: string): Uint8Array {
  return sha256(new TextEncoder().encode(text));
}

/**
 * Reads an untrusted document of a name: only the one text that its records have. Undefined for anything else. Whether it is that of
 * the chain its hash says.
 */
export function readRecordsDocument(text: string, name: string): NameRecords | undefined {
  if (text.length > recordLimits.documentBytes) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  const records = isObject(parsed) ? parsed.records : undefined;
  if (!isObject(records) || !Object.values(records).every((value) => typeof value === 'string'))
    return undefined;
  const found = records as NameRecords;
  if (findRecordsFault(found) !== undefined) return undefined;
  try {
    return writeRecordsDocument(name, found) === text ? found : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
