import { mostCoinParts, type PreflightJson } from '@coinfront/api/token-checks.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { isCoinbase, type Transaction } from '@coinfront/protocol/transaction.ts';
import type { ChainView } from '../../chain/chain-view.ts';
import { serialiseOwner } from './serialise-token.ts';

/** What a transaction spends of each script and pays to it; null where that is not known, or there are too many. */
export async function describeCoins(
  view: ChainView,
  tx: Transaction,
  { profile }: { profile: CoinProfile },
): Promise<PreflightJson['coins']> {
  const { inputs, outputs } = tx;
  if (isCoinbase(tx) || inputs.length > mostCoinParts || outputs.length > mostCoinParts) return null;
  const parts = new Map<string, { script: Uint8Array; spent: bigint; received: bigint }>();
  const partOf = (script: Uint8Array) => {
    const key = bytesToHex(script);
    const known = parts.get(key) ?? { script, spent: 0n, received: 0n };
    parts.set(key, known);
    return known;
  };
  const prevouts = await Promise.all(
    inputs.map(({ prevTxid, prevVout }) => view.findOutput(prevTxid, prevVout)),
  );
  for (const prevout of prevouts) {
    if (prevout === undefined) return null;
    partOf(prevout.script).spent += prevout.value;
  }
  for (const { script, value } of outputs) partOf(script).received += value;
  const amount = (value: bigint) => formatAmount(value, profile.decimals);
  return [...parts.values()].map(({ script, spent, received }) => ({
    ...serialiseOwner(script, profile),
    spent: amount(spent),
    received: amount(received),
  }));
}
