/** Transactions as text, in pieces: one may have megabytes, or millions of witness items. */

import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { isCoinbase, type TxInput } from '@coinfront/protocol/transaction.ts';
import { listWitnessItems, sizesOfPart } from '@coinfront/protocol/transaction-part.ts';
import { type Prevout, parseWithoutItems } from '../../chain/chain-reads.ts';
import {
  type EsploraTxParts,
  headOfInput,
  serialiseInput,
  serialiseOutput,
  tailOfInput,
  toBaseUnits,
} from './serialise.ts';

/** Witness items that are written together. */
const ITEMS_OF_PIECE = 1_000;

/** The text of `serialiseTx`, input by input and output by output as it is asked for, in pieces of bounded work. */
export function* writeTx(
  { record, prevouts, status }: EsploraTxParts,
  profile: CoinProfile,
): Generator<string> {
  const part = parseWithoutItems(record);
  const { tx, witnessCounts } = part;
  const items = listWitnessItems(record.raw, part);
  const { size, weight } = sizesOfPart(record.raw, part);
  const coinbase = isCoinbase(tx);
  const head = { txid: toDisplayHash(record.txid), version: tx.version, locktime: tx.locktime };
  yield `${JSON.stringify(head).slice(0, -1)},"vin":[`;
  for (const [i, input] of tx.inputs.entries()) {
    if (i > 0) yield ',';
    const count = witnessCounts[i] ?? 0;
    if (count <= ITEMS_OF_PIECE) {
      const whole = { ...input, witness: takeItems(items, count) };
      yield JSON.stringify(serialiseInput(whole, coinbase, prevouts[i], profile));
    } else yield* writeWideInput({ input, count, items }, coinbase, prevouts[i], profile);
  }
  yield '],"vout":[';
  for (const [i, output] of tx.outputs.entries()) {
    yield (i === 0 ? '' : ',') + JSON.stringify(serialiseOutput(output, profile));
  }
  yield `],${JSON.stringify({ size, weight, fee: toBaseUnits(record.fee ?? 0n), status }).slice(1)}`;
}

/** An input whose witness takes the thread too long to be written at once. */
function* writeWideInput(
  { input, count, items }: { input: TxInput; count: number; items: Iterator<Uint8Array, undefined> },
  coinbase: boolean,
  prevout: Prevout | undefined,
  profile: CoinProfile,
): Generator<string> {
  yield `${JSON.stringify(headOfInput(input, prevout, profile)).slice(0, -1)},"witness":[`;
  let last: Uint8Array | undefined;
  for (let done = 0; done < count; done += ITEMS_OF_PIECE) {
    const some = takeItems(items, Math.min(ITEMS_OF_PIECE, count - done));
    last = some.at(-1);
    yield `${done === 0 ? '' : ','}"${some.map(bytesToHex).join('","')}"`;
  }
  // What its scripts are hangs on the last item alone.
  const witness = last === undefined ? [] : [last];
  yield `],${JSON.stringify(tailOfInput({ ...input, witness }, coinbase, prevout)).slice(1)}`;
}

function takeItems(items: Iterator<Uint8Array, undefined>, count: number): Uint8Array[] {
  const taken: Uint8Array[] = [];
  while (taken.length < count) taken.push(items.next().value!);
  return taken;
}
