import type { ChainMemory, ScanMemory } from '@coinfront/sdk/wallet/scan-memory.ts';
import type { AddressReport, ChainState } from '@coinfront/sdk/wallet/wallet-reads.ts';

/** A memory as it is kept: what most addresses are, never used, is a zero. */
export type PackedMemory = {
  gap_limit: number;
  state: ChainState;
  chains: { kind: ChainMemory['kind']; chain: ChainMemory['chain']; reports: (AddressReport | 0)[] }[];
};

const noTotals = {
  tx_count: 0,
  received_count: 0,
  received: '0',
  spent_count: 0,
  spent: '0',
  balance: '0',
} as const;
const unused: AddressReport = {
  confirmed: noTotals,
  mempool: noTotals,
  utxos: { items: [], next_cursor: null },
};

/** @throws TypeError for a memory of no state */
export function packMemory({ gapLimit, state, chains }: ScanMemory): PackedMemory {
  if (state === undefined) throw new TypeError('A memory of no state is not kept.');
  return {
    gap_limit: gapLimit,
    state,
    chains: chains.map(({ kind, chain, reports }) => ({
      kind,
      chain,
      reports: reports.map((report) =>
        isUnused(report) ? 0 : { confirmed: report.confirmed, mempool: report.mempool, utxos: report.utxos },
      ),
    })),
  };
}

/**
 * A memory as it was; its reports are as little checked as answers of a service.
 *
 * @throws TypeError for what is none
 */
export function unpackMemory({ gap_limit, state, chains }: PackedMemory): ScanMemory {
  const isGood =
    Number.isInteger(gap_limit) &&
    Number.isInteger(state.height) &&
    typeof state.tip === 'string' &&
    typeof state.mempool === 'string' &&
    chains.every(({ reports }) => Array.isArray(reports));
  if (!isGood) throw new TypeError('This is no memory.');
  return {
    gapLimit: gap_limit,
    state,
    chains: chains.map(({ kind, chain, reports }) => ({
      kind,
      chain,
      reports: reports.map((report) => (report === 0 ? unused : report)),
    })),
  };
}

function isUnused({ confirmed, mempool, utxos }: AddressReport): boolean {
  return confirmed.tx_count === 0 && mempool.tx_count === 0 && utxos.items.length === 0;
}
