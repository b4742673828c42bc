import type { ChainStatusJson } from '@coinfront/api/chain-state.ts';
import { WalletError } from './wallet-error.ts';
import type { ChainState } from './wallet-reads.ts';

/**
 * The state that an answer of `/status` names.
 *
 * @throws WalletError `answer_invalid`
 */
export function readState({ index, mempool }: ChainStatusJson): ChainState {
  const isGood =
    Number.isInteger(index?.height) &&
    /^[0-9a-f]{64}$/.test(index?.tip) &&
    Number.isInteger(mempool?.version) &&
    Number.isInteger(mempool?.tx_count);
  if (!isGood) {
    throw new WalletError('answer_invalid', 'The service did not say what state its chain is in.');
  }
  const { version, tx_count, vsize, fees } = mempool;
  return {
    height: index.height,
    tip: index.tip,
    // The version alone begins again when a service's index is made anew.
    mempool: [version, tx_count, vsize, fees].join('/'),
  };
}

/** Whether nothing changed between two states: neither the chain nor the mempool. */
export function isSameState(a: ChainState | undefined, b: ChainState | undefined): boolean {
  return a !== undefined && b !== undefined && a.tip === b.tip && a.mempool === b.mempool;
}
