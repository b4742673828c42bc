import { parseAmount } from '@coinfront/protocol/amount.ts';
import type { Network } from './network.ts';
import type { AddressKind, AddressPath, Chain } from './wallet-address.ts';
import { readCoin, type WalletCoin } from './wallet-coin.ts';
import { WalletError } from './wallet-error.ts';
import type { AddressReport, ChainState } from './wallet-reads.ts';

/** Unused addresses in a row after which a chain ends (COIN-HD-1). */
export const GAP_LIMIT = 20;

/**
 * What a service said of a wallet's addresses, as it said it: public, without keys, and all that a scan is made from. It may be kept to
 * look again sooner. Nothing of it is believed more than the service itself would be.
 */
export type ScanMemory = {
  /** Unused addresses in a row after which each chain ends. */
  readonly gapLimit: number;
  /** What all of it was read from; undefined where that cannot be said. */
  readonly state: ChainState | undefined;
  readonly chains: readonly ChainMemory[];
};

/** Reports of the addresses of one chain, from index 0 on. */
export type ChainMemory = {
  readonly kind: AddressKind;
  readonly chain: Chain;
  readonly reports: readonly AddressReport[];
};

/** A chain of an account: the first index after all that were used. */
export type ChainPosition = { readonly kind: AddressKind; readonly chain: Chain; readonly next: number };

/** An address that was used, and its coins without whose they are. */
export type UsedAddress = AddressPath & { readonly coins: readonly Omit<WalletCoin, 'owner'>[] };

/** What a memory says, checked. */
export type ReadMemory = {
  readonly positions: readonly ChainPosition[];
  /** Chain by chain. */
  readonly used: readonly UsedAddress[];
  /** Base units, of all addresses. */
  readonly confirmed: bigint;
  readonly pending: bigint;
};

/**
 * Reads what a service said of the addresses of a wallet. No address is derived for it.
 *
 * @throws WalletError `answer_invalid`
 */
export function readMemory({ chains, gapLimit }: ScanMemory, network: Network): ReadMemory {
  const positions: ChainPosition[] = [];
  const used: UsedAddress[] = [];
  let confirmed = 0n;
  let pending = 0n;
  for (const { kind, chain, reports } of chains) {
    let next = 0;
    // What lies behind a gap belongs to nobody, also where it was looked at.
    for (let index = 0; index < Math.min(next + gapLimit, reports.length); index += 1) {
      const report = reports[index]!;
      const totals = readTotals(report, network);
      confirmed += totals.confirmed;
      pending += totals.pending;
      if (!totals.isUsed) continue;
      used.push({ kind, chain, index, coins: report.utxos.items.map((item) => readCoin(item, network)) });
      next = index + 1;
    }
    positions.push({ kind, chain, next });
  }
  return { positions, used, confirmed, pending };
}

/**
 * What an address has, and whether it was ever used.
 *
 * @throws WalletError `answer_invalid`
 */
export function readTotals(
  { confirmed, mempool, utxos }: AddressReport,
  { decimals }: Network,
): { isUsed: boolean; confirmed: bigint; pending: bigint } {
  const inBlocks = readSigned(confirmed?.balance, decimals);
  const inMempool = readSigned(mempool?.balance, decimals);
  if (
    Number.isInteger(confirmed?.tx_count) &&
    Number.isInteger(mempool?.tx_count) &&
    inBlocks !== undefined &&
    inMempool !== undefined &&
    Array.isArray(utxos?.items)
  ) {
    const isUsed = confirmed.tx_count + mempool.tx_count > 0 || utxos.items.length > 0;
    return { isUsed, confirmed: inBlocks, pending: inMempool };
  }
  throw new WalletError('answer_invalid', 'The service did not answer what an address has.');
}

function readSigned(text: unknown, decimals: number): bigint | undefined {
  if (typeof text !== 'string') return undefined;
  const parsed = parseAmount(text.replace(/^-/, ''), decimals);
  if (!parsed.ok) return undefined;
  return text.startsWith('-') ? -parsed.value : parsed.value;
}
