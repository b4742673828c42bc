import { equalBytes } from '@coinfront/protocol/bytes.ts';
import type { PreparedToken } from '@coinfront/protocol/tokens/token-rules.ts';
import { sha256 } from '../../indexer/hashes.ts';
import type { ConnectedBlock, NumberedScript, PartCell, PartWriter } from '../../indexer/part.ts';

/** A script whose balance an operation depends on, with what was opened of it. */
export type Holder = {
  readonly script: Uint8Array;
  /** Number of the script in the chain index. */
  readonly id: number;
  /** Its balance of the token. */
  balance: PartCell | undefined;
  /** Its row among the scripts that ever had a balance. */
  known: PartCell | undefined;
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
    return { script, id, balance: undefined, known: undefined };
  });
}

/** What a holder has before the operation. */
export function amountOf({ balance }: Holder): bigint {
  return (balance?.row?.amount as bigint | undefined) ?? 0n;
}

/** Notes what a holder has after the operation. */
export function setAmount(writer: PartWriter, holder: Holder, tokenNumber: number, amount: bigint): void {
  const { id, balance, known, script } = holder;
  const row = { script_id: id, token_number: tokenNumber, amount };
  writer.set(balance!, amount === 0n ? undefined : row);
  if (known!.row === undefined) writer.set(known!, { script_id: id, script_hash: sha256(script) });
}

/** The holder whose script this is; the rules mostly give back the very scripts that they were given. */
export function getHolder(holders: readonly Holder[], script: Uint8Array): Holder {
  const found =
    holders.find((each) => each.script === script) ?? holders.find((each) => equalBytes(each.script, script));
  if (!found) throw new Error('an operation names a script that is none of its holders');
  return found;
}

/** SHA-256 of the holder's script: from its row, where it has one. */
export function hashOfHolder({ known, script }: Holder): Uint8Array {
  return (known?.row?.script_hash as Uint8Array | undefined) ?? sha256(script);
}
