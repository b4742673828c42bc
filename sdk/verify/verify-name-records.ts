import type { NameRecordsJson } from '@coinfront/api/name-records.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import {
  hashRecordsDocument,
  type NameRecords,
  readRecordsDocument,
} from '@coinfront/protocol/names/name-records.ts';

/**
 * The text records of an answer, read from its document once that has the hash: nobody can have changed them who could not change the
 * hash, which is part of the state that services are compared by (`verifyState`, `records_hash` of `/name/{name}`).
 *
 * @param answer - of `/name/{name}/records`
 * @param hash - what the chain has, from a source that is believed; that of the answer unless given
 * @returns undefined where nothing is known, or the document is not the one with the hash
 * @example
 * const records = verifyNameRecords(await getNameRecords(client, { name }));
 */
export function verifyNameRecords(
  { name, document, hash: claimed }: Pick<NameRecordsJson, 'name' | 'document' | 'hash'>,
  hash: string | null = claimed,
): NameRecords | undefined {
  if (typeof document !== 'string' || hash === null) return undefined;
  const records = readRecordsDocument(document, name);
  const isThis = records !== undefined && bytesToHex(hashRecordsDocument(document)) === hash.toLowerCase();
  return isThis ? records : undefined;
}
