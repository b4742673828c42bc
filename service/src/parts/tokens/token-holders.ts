import { equalBytes } from '@coinfront/protocol/bytes.ts';
import type { PreparedToken } from '@coinfront/protocol/tokens/token-rules.ts';
import { sha256 } from '../../indexer/hashes.ts';
import type { ConnectedBlock, NumberedScript, PartCell } from '../../indexer/part.ts';

/** A script whose balance an operation depends on, with the cell of that balance once it was opened. */
export type Holder = {
  readonly script: Uint8Array;
  /** Number of the script in the chain index. */
  readonly id: number;
  cell: PartCell | undefined;
  hash: Uint8Array | undefined;
};

/** The holders of an operation with the numbers of their scripts: the sender, and those whom its outputs pay. */
export function toHolders(
  block: ConnectedBlock,
  { placed, holders }: PreparedToken,
  sender: NumberedScript,
): Holder[] {
  return holders.map((script, i) => {
    const id =
      i === 0
        ? sender.id
        : // The rules name a recipient by the very script of its output.
          block.getScriptId(
            placed.position,
            placed.tx.outputs.findIndex((output) => output.script === script),
          );
    return { script, id, cell: undefined, hash: undefined };
  });
}

/** What a holder has before the operation. */
export function amountOf({ cell }: Holder): bigint {
  return (cell?.row?.amount as bigint | undefined) ?? 0n;
}

/** The holder whose script this is; the rules mostly give back the very scripts that they were given. */
export function getHolder(holders: readonly Holder[], script: Uint8Array): Holder {
  const found =
    holders.find((each) => each.script === script) ?? holders.find((each) => equalBytes(each.script, script));
  if (!found) throw new Error('an operation names a script that is none of its holders');
  return found;
}

/** SHA-256 of the holder's script: from its row, where it has one. */
export function hashOfHolder(holder: Holder): Uint8Array {
  holder.hash ??= (holder.cell?.row?.script_hash as Uint8Array | undefined) ?? sha256(holder.script);
  return holder.hash;
}
