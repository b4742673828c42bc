import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '../../indexer/encoding/hashes.ts';
import type { PartWriter } from '../../indexer/parts/part.ts';
import { scriptTable } from './token-tables.ts';

/** A script with the number of an output that pays it. */
export type PaidScript = { readonly script: Uint8Array; readonly outputId: number };

/** A script that takes part in an operation, with what was opened of it. */
export type Holder = {
  readonly script: Uint8Array;
  /** Its SHA-256. */
  readonly hash: Uint8Array;
  /** Number of the script in the tables of tokens. */
  readonly id: number;
  /** The slot of its balance of the token; {@link UNOPENED} before it was opened. */
  slot: number;
};

/** No slot. */
export const UNOPENED = -1;

/**
 * The holders of many operations. A script that has no number yet gets that of its output, so operations are to come in the
 * order of the chain, each once.
 *
 * @param scripts of each operation: those that it names, each once
 */
export async function openHolders(
  writer: PartWriter,
  scripts: readonly (readonly PaidScript[])[],
): Promise<Holder[][]> {
  const keys: [Uint8Array][] = [];
  for (const named of scripts) for (const { script } of named) keys.push([sha256(script)]);
  const cells = await writer.open(scriptTable, keys);
  let next = 0;
  return scripts.map((named) =>
    named.map(({ script, outputId }) => {
      const [hash] = keys[next]!;
      const cell = cells[next++]!;
      if (cell.row === undefined) writer.set(cell, { script_hash: hash, script_id: outputId });
      return { script, hash, id: cell.row!.script_id as number, slot: UNOPENED };
    }),
  );
}

/** The holder whose script this is; the rules mostly give back the very scripts that they were given. */
export function getHolder(holders: readonly Holder[], script: Uint8Array): Holder {
  const found =
    holders.find((each) => each.script === script) ?? holders.find((each) => equalBytes(each.script, script));
  if (!found) throw new Error('an operation names a script that is none of its holders');
  return found;
}
