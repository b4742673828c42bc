import {
  findRecordsFault,
  type NameRecords,
  writeRecordsDocument,
} from '@coinfront/protocol/names/name-records.ts';
import { AppError } from '../../../errors.ts';

/**
 * The document of records that a body gives.
 *
 * @throws AppError `records_invalid`
 */
export function makeDocument(name: string, records: NameRecords): string {
  const fault = findRecordsFault(records);
  if (fault !== undefined) throw new AppError('records_invalid', `${fault}.`);
  try {
    return writeRecordsDocument(name, records);
  } catch (error) {
    if (error instanceof RangeError) throw new AppError('records_invalid', `${error.message}.`);
    throw error;
  }
}
