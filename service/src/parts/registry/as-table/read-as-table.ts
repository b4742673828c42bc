import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { parseAddress } from '../../../outbound/address-rules.ts';
import { addressOf, parseAsTable } from './parse-as-table.ts';

/** The operator's table of prefixes to autonomous systems. */
export type AsTable = {
  /** SHA-256 of the file, hex: receipts of an epoch and a file of this hash say how its weights are bounded. */
  sha256: string;
  /** Prefixes in it. */
  prefixes: number;
  /** The number of the autonomous system of an address; undefined when the table has none. */
  find(address: string): number | undefined;
};

/** A table of the whole internet has some 40 MB. */
const MAX_BYTES = 200_000_000;

/**
 * Reads the file of COINFRONT_REGISTRY_AS_TABLE.
 *
 * @throws Error, with what to do, when it cannot be used
 */
export function readAsTable(file: string): AsTable {
  const refuse = (reason: string) =>
    new Error(`COINFRONT_REGISTRY_AS_TABLE: ${file} cannot be used: ${reason}.`);
  let bytes: Buffer;
  try {
    const { size } = statSync(file);
    if (size > MAX_BYTES) throw refuse(`it has ${size} bytes, more than ${MAX_BYTES}`);
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = error as { code?: string };
    throw code === undefined ? error : refuse(`it cannot be read (${code})`);
  }
  const parsed = parseAsTable(bytes);
  if (!parsed.ok) throw refuse(parsed.reason);
  const map = parsed.value;
  return {
    sha256: createHash('sha256').update(bytes).digest('hex'),
    prefixes: map.size,
    find(address) {
      const found = parseAddress(address);
      return found && map.find(addressOf(found.toByteArray()));
    },
  };
}
