/** With whom an address has to do, from transactions that were read. */

import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';

/** What is read of a transaction. */
export type ReadTx = {
  input_count: number;
  output_count: number;
  inputs: readonly { coinbase: boolean; prevout: { address: string | null; value: string } | null }[];
  outputs: readonly { address: string | null; value: string }[];
};

/** Another side: an address, scripts that have none, or a coinbase. */
export type Counterparty = {
  who: string | 'scripts' | 'coinbase';
  /** Transactions with it. */
  txCount: number;
  amount: string;
};

/** Of those that paid the address and of those that it paid, the first ones by amount. */
export type Counterparties = {
  payers: Counterparty[];
  payees: Counterparty[];
  /** Transactions that were counted. */
  txCount: number;
  /** Of these, how many have more inputs or outputs than were read. */
  partialCount: number;
};

/** Sides that are listed each way. */
const MOST = 10;

/**
 * Sums up. Whose inputs stand in a transaction that adds to the address paid it: each of them counts with all that was added, for inputs are
 * not paid to outputs one by one. What a transaction pays to others that spends from the address counts with the values of those outputs.
 *
 * @param decimals of the coin
 */
export function sumCounterparties(address: string, txs: readonly ReadTx[], decimals: number): Counterparties {
  const payers = new Map<string, { txCount: number; units: bigint }>();
  const payees = new Map<string, { txCount: number; units: bigint }>();
  let partialCount = 0;
  for (const { inputs, outputs, input_count, output_count } of txs) {
    if (inputs.length < input_count || outputs.length < output_count) partialCount += 1;
    const spent = new Map<string, bigint>();
    for (const { coinbase, prevout } of inputs)
      addTo(
        spent,
        coinbase ? 'coinbase' : (prevout?.address ?? 'scripts'),
        toUnits(prevout?.value, decimals),
      );
    const paid = new Map<string, bigint>();
    for (const output of outputs) addTo(paid, output.address ?? 'scripts', toUnits(output.value, decimals));
    const change = (paid.get(address) ?? 0n) - (spent.get(address) ?? 0n);
    if (change > 0n) for (const who of spent.keys()) if (who !== address) count(payers, who, change);
    if (!spent.has(address)) continue;
    for (const [who, units] of paid) if (who !== address && units > 0n) count(payees, who, units);
  }
  return {
    payers: first(payers, decimals),
    payees: first(payees, decimals),
    txCount: txs.length,
    partialCount,
  };
}

function addTo(sums: Map<string, bigint>, key: string, units: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + units);
}

function count(sides: Map<string, { txCount: number; units: bigint }>, who: string, units: bigint): void {
  const before = sides.get(who) ?? { txCount: 0, units: 0n };
  sides.set(who, { txCount: before.txCount + 1, units: before.units + units });
}

function first(
  sides: ReadonlyMap<string, { txCount: number; units: bigint }>,
  decimals: number,
): Counterparty[] {
  return [...sides]
    .toSorted(([, a], [, b]) => (a.units === b.units ? b.txCount - a.txCount : a.units < b.units ? 1 : -1))
    .slice(0, MOST)
    .map(([who, { txCount, units }]) => ({ who, txCount, amount: formatAmount(units, decimals) }));
}

function toUnits(value: string | undefined, decimals: number): bigint {
  const read = value === undefined ? undefined : parseAmount(value, decimals);
  return read?.ok === true ? read.value : 0n;
}
