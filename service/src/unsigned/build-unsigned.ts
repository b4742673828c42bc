/** Unsigned transactions (BIP-174) for a caller's own wallet. No key is ever here: who owns the coins signs. */

import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { serializeTransaction, type TxOutput } from '@coinfront/protocol/transaction.ts';
import { SigHash, Transaction } from '@scure/btc-signer/transaction.js';
import { type ChainView, parseStripped } from '../chain/chain-reads.ts';
import { type ChosenCoin, type CoinSource, selectCoins } from './select-coins.ts';
import { findSenderForm, SENDER_REFUSALS, type UnsignedSender } from './sender-form.ts';

/** What a transaction shall do. */
export type UnsignedRequest = {
  sender: UnsignedSender;
  /** Of the same wallet, whose coins are taken when those of the sender are not enough. */
  others?: readonly UnsignedSender[];
  /** Where change goes; back to the sender unless given. */
  changeScript?: Uint8Array;
  /** In exactly this order, before the change. */
  outputs: readonly TxOutput[];
  /** Base units for 1,000 virtual bytes. */
  feeRatePerKvb: bigint;
};

/** A transaction that its sender can sign as it is; or why there is none, as a code and in words. */
export type Unsigned =
  | {
      ok: true;
      /** BIP-174, base64. */
      psbt: string;
      /** The outputs that it spends, in order; the first one is the sender's, or of the others where it has none. */
      inputs: { txid: Uint8Array; vout: number; value: bigint }[];
      fee: bigint;
      /** Virtual bytes once it is signed, rather too many than too few. */
      vsize: number;
      /** Undefined when there is none. */
      change: { vout: number; value: bigint } | undefined;
    }
  | { ok: false; reason: UnsignedRefusal; detail: string };

/** Why no transaction was prepared. */
export type UnsignedRefusal = keyof typeof SENDER_REFUSALS | 'insufficient_funds';

/** Replaceable (BIP-125), so that its sender can raise the fee. */
const SEQUENCE = 0xfffffffd;
/** Version, locktime, counts and segwit marker, rounded up. */
const FRAME_VSIZE = 12;
/** Bytes of the transactions that a PSBT carries whole at most, all together. */
const MAX_CARRIED_BYTES = 500_000;

/**
 * Prepares a transaction whose inputs, the first one included, are all of the sender, or of others that are named, with change back
 * to it unless it would be dust. Coins are chosen in the snapshot of `view` and not reserved: two requests can be given the same.
 */
export async function buildUnsigned(
  view: ChainView,
  request: UnsignedRequest,
  profile: Pick<CoinProfile, 'coinbaseMaturity' | 'decimals' | 'dustLimit' | 'ticker'>,
): Promise<Unsigned> {
  const { sender, others = [], changeScript = sender.script, outputs, feeRatePerKvb } = request;
  const sources: CoinSource[] = [];
  for (const each of [sender, ...others]) {
    const found = findSenderForm(each);
    if (!found.ok) return { ok: false, reason: found.reason, detail: SENDER_REFUSALS[found.reason] };
    sources.push({ script: each.script, form: found.form });
  }
  const amount = outputs.reduce((sum, { value }) => sum + value, 0n);
  const selection = await selectCoins(view, {
    sources,
    amount,
    baseVsize: FRAME_VSIZE + outputs.reduce((sum, { script }) => sum + outputVsize(script), 0),
    changeVsize: outputVsize(changeScript),
    feeRatePerKvb,
    dustLimit: profile.dustLimit,
    coinbaseMaturity: profile.coinbaseMaturity,
  });
  if (!selection.ok) {
    const show = (value: bigint) => `${formatAmount(value, profile.decimals)} ${profile.ticker}`;
    const looked = selection.isPartial ? ' Only its 2,000 oldest outputs were looked at.' : '';
    const detail =
      `${sources.length === 1 ? 'The address has' : 'The addresses have'} ${show(selection.available)} that are confirmed and can be spent, less what spending them ` +
      `costs; ${show(selection.needed)} are needed.${looked}`;
    return { ok: false, reason: 'insufficient_funds', detail };
  }
  const { coins, fee, change, vsize } = selection;
  const tx = new Transaction({ allowUnknownOutputs: true });
  let carried = 0;
  for (const coin of coins) {
    const whole = coin.source.form.isTaproot ? undefined : findWhole(coin, carried);
    carried += whole?.length ?? 0;
    tx.addInput(describeInput(coin, whole));
  }
  for (const { script, value } of outputs) tx.addOutput({ script, amount: value });
  if (change !== undefined) tx.addOutput({ script: changeScript, amount: change });
  return {
    ok: true,
    psbt: Buffer.from(tx.toPSBT()).toString('base64'),
    inputs: coins.map(({ utxo: { txid, vout, value } }) => ({ txid, vout, value })),
    fee,
    vsize,
    change: change === undefined ? undefined : { vout: outputs.length, value: change },
  };
}

/** The transaction that made a coin, without witness: it has the same id. */
function findWhole({ record, source }: ChosenCoin, carried: number): Uint8Array | undefined {
  const isTooMuch = carried + record.raw.length > MAX_CARRIED_BYTES;
  if (isTooMuch && !source.form.needsWholeTransactions) return undefined;
  return serializeTransaction(parseStripped(record), { witness: false });
}

function describeInput({ utxo, source }: ChosenCoin, whole: Uint8Array | undefined) {
  const { script, form } = source;
  const { isTaproot, needsWholeTransactions, redeemScript, tapInternalKey } = form;
  return {
    // The library writes txids as people read them.
    txid: Uint8Array.from(utxo.txid).reverse(),
    index: utxo.vout,
    sequence: SEQUENCE,
    ...(needsWholeTransactions ? {} : { witnessUtxo: { script, amount: utxo.value } }),
    ...(whole === undefined ? {} : { nonWitnessUtxo: whole }),
    ...(redeemScript === undefined ? {} : { redeemScript }),
    ...(tapInternalKey === undefined ? {} : { tapInternalKey }),
    // Of P2TR the default is to sign everything; elsewhere it is said, for nothing else makes a sender.
    ...(isTaproot ? {} : { sighashType: SigHash.ALL }),
  };
}

function outputVsize(script: Uint8Array): number {
  return 8 + (script.length < 0xfd ? 1 : 3) + script.length;
}
