import { merchantLimits } from '@coinfront/api/merchants.ts';
import { findTextFault } from '../../../shown-text.ts';

/** What is wrong with the name of a merchant, which payers are shown; undefined when nothing is. It continues "name". */
export function findNameFault(name: string): string | undefined {
  return findTextFault(name, merchantLimits.nameLength, true);
}

/** A stored name as payers may see it; undefined when it could mislead them: it may be older than the rules of today. */
export function findShownName(stored: string): string | undefined {
  const name = stored.toWellFormed().normalize('NFC').trim();
  return findNameFault(name) === undefined ? name : undefined;
}
