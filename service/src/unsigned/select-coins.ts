import type { ChainView, TxRecord, Utxo } from '../chain/chain-view.ts';
import { findMaturity } from '../chain/find-maturity.ts';
import type { SenderForm } from './sender-form.ts';

/** Whose coins may be chosen. */
export type CoinSource = { script: Uint8Array; form: SenderForm };

/** A coin that was chosen, with whose it is and the transaction that made it. */
export type ChosenCoin = { utxo: Utxo; source: CoinSource; record: TxRecord };

/** Coins that pay for outputs and fee; `change` is undefined where it would be dust and goes to the fee. */
export type Selection =
  | { ok: true; coins: ChosenCoin[]; fee: bigint; change: bigint | undefined; vsize: number }
  | { ok: false; needed: bigint; available: bigint; isPartial: boolean };

export type SelectionTarget = {
  /** The coins of the first are taken before those of the next. */
  sources: readonly CoinSource[];
  /** Sum of the outputs. */
  amount: bigint;
  /** Virtual bytes of the transaction without inputs and change. */
  baseVsize: number;
  changeVsize: number;
  feeRatePerKvb: bigint;
  dustLimit: bigint;
  coinbaseMaturity: number;
};

/** Coins that are looked at, and that one transaction spends, at most. */
const MAX_LOOKED = 2_000;
const PAGE = 500;
const MAX_INPUTS = 100;
/** Bytes of the transactions that a PSBT has to carry whole, all together, at most. */
const MAX_WHOLE_BYTES = 1_000_000;

/** Chooses among a sender's confirmed, mature coins that nothing in the mempool spends: the largest first. */
export async function selectCoins(view: ChainView, target: SelectionTarget): Promise<Selection> {
  const { sources, amount, baseVsize, changeVsize, feeRatePerKvb, dustLimit } = target;
  const coins: ChosenCoin[] = [];
  let sum = 0n;
  let available = 0n;
  let carried = 0;
  let inputsVsize = 0;
  let isPartial = false;
  for (const source of sources) {
    const { form } = source;
    const inputCost = feeOf(form.inputVsize, feeRatePerKvb);
    const listed = await listSpendable(view, source, target);
    isPartial ||= listed.isPartial;
    for (const utxo of listed.spendable) {
      // What costs more than it brings never helps.
      if (coins.length === MAX_INPUTS || utxo.value <= inputCost) break;
      const record = await view.findTx(utxo.txid);
      if (record === undefined) continue;
      if (form.needsWholeTransactions) {
        if (carried + record.raw.length > MAX_WHOLE_BYTES) continue;
        carried += record.raw.length;
      }
      coins.push({ utxo, source, record });
      sum += utxo.value;
      available += utxo.value - inputCost;
      inputsVsize += form.inputVsize;
      const vsize = baseVsize + inputsVsize;
      const withChange = feeOf(vsize + changeVsize, feeRatePerKvb);
      const change = sum - amount - withChange;
      if (change >= dustLimit)
        return { ok: true, coins, fee: withChange, change, vsize: vsize + changeVsize };
      const fee = sum - amount;
      if (fee >= feeOf(vsize, feeRatePerKvb)) return { ok: true, coins, fee, change: undefined, vsize };
    }
  }
  return { ok: false, needed: amount + feeOf(baseVsize, feeRatePerKvb), available, isPartial };
}

async function listSpendable(
  view: ChainView,
  { script }: CoinSource,
  { coinbaseMaturity }: SelectionTarget,
): Promise<{ spendable: Utxo[]; isPartial: boolean }> {
  const nextHeight = (view.tip?.height ?? 0) + 1;
  const spendable: Utxo[] = [];
  let after: number | undefined;
  for (let looked = 0; looked < MAX_LOOKED; looked += PAGE) {
    const page = await view.listUtxos(script, after, PAGE);
    for (const utxo of page) {
      if (utxo.height === undefined || utxo.spentInMempool) continue;
      if ((findMaturity(utxo, coinbaseMaturity) ?? 0) <= nextHeight) spendable.push(utxo);
    }
    after = page.at(-1)?.outputId;
    if (page.length < PAGE) return { spendable: spendable.sort(byValue), isPartial: false };
  }
  return { spendable: spendable.sort(byValue), isPartial: true };
}

/** Largest first; of equal ones the oldest. */
function byValue(a: Utxo, b: Utxo): number {
  if (a.value !== b.value) return a.value > b.value ? -1 : 1;
  return a.outputId - b.outputId;
}

/** What so many virtual bytes cost, rounded up. */
function feeOf(vsize: number, ratePerKvb: bigint): bigint {
  return (BigInt(vsize) * ratePerKvb + 999n) / 1_000n;
}
