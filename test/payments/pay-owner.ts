import type { TestNode } from '../harness/litecoind.ts';
import { mineExactly, type RawCoin, type RawTx, spend } from '../harness/raw-coins.ts';

/** What transactions of these suites leave to the miner, unless they say otherwise. */
export const FEE = 1_000n;
/** Says that a transaction may be replaced (BIP-125). */
export const REPLACEABLE = 0xffff_fffd;
const CHANGE_OWNER = 7;

/** Pays an owner out of a coin, the rest to nobody in particular; replaceable. */
export function payOwner(coin: RawCoin, owner: number, value: bigint, fee = FEE): RawTx {
  const outputs = [
    { value, owner },
    { value: coin.value - value - fee, owner: CHANGE_OWNER },
  ];
  return spend([coin], outputs, { sequence: REPLACEABLE });
}

/** Mines blocks of nothing: what waits in the mempool goes on waiting. Gives the last one's hash. */
export async function mineEmpty(node: TestNode, count: number): Promise<string> {
  let hash = '';
  for (let i = 0; i < count; i++) hash = await mineExactly(node, []);
  return hash;
}
