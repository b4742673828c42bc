import { equalBytes } from '@coinfront/protocol/bytes.ts';
import type { PreparedToken } from '@coinfront/protocol/tokens/token-rules.ts';
import type { ConnectedBlock, NumberedScript, PartCell } from '../../indexer/part.ts';

/** A script whose balance an operation depends on, with what was opened of it. */
export type Holder = {
  readonly script: Uint8Array;
  /** Number of the script in the chain index. */
  readonly id: number;
  /** The slot of its balance of the token; {@link UNOPENED} before it was opened. */
  slot: number;
  /** Its row among the scripts that ever had a balance; opened where it may have to be written. */
  known: PartCell | undefined;
};

/** No slot. */
export const UNOPENED = -1;

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
    return { script, id, slot: UNOPENED, known: undefined };
  });
}

/** The holder whose script this is; the rules mostly give back the very scripts that they were given. */
export function getHolder(holders: readonly Holder[], script: Uint8Array): Holder {
  const found =
    holders.find((each) => each.script === script) ?? holders.find((each) => equalBytes(each.script, script));
  if (!found) throw new Error('an operation names a script that is none of its holders');
  return found;
}
