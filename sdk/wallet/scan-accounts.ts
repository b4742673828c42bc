import { type Look, lookAtChains } from './look-at-chains.ts';
import { type ChainPosition, GAP_LIMIT, readMemory, type ScanMemory } from './scan-memory.ts';
import type { AddressKind, Chain, WalletAddress } from './wallet-address.ts';
import { outpointOf, type WalletCoin } from './wallet-coin.ts';
import { WalletError } from './wallet-error.ts';
import type { WalletReads } from './wallet-reads.ts';
import { deriveAddress, type WatchWallet } from './watch-wallet.ts';

/** How far a scan is. */
export type ScanProgress = {
  kind: AddressKind;
  chain: Chain;
  /** Addresses asked for, over all chains. */
  scanned: number;
  /** Of these, how many were ever used. */
  used: number;
};

/** What a scan found. */
export type WalletScan = {
  readonly wallet: WatchWallet;
  readonly positions: readonly ChainPosition[];
  /** Addresses that were ever used, chain by chain. */
  readonly used: readonly WalletAddress[];
  /** Unspent outputs, unconfirmed ones too; of an address with many, those that cannot be spent now may be missing. */
  readonly coins: readonly WalletCoin[];
  /** Base units in blocks, and what the mempool will change about them, of all addresses. */
  readonly confirmed: bigint;
  readonly pending: bigint;
  /** The answers that it was made from, for the next scan. */
  readonly memory: ScanMemory;
};

export type ScanOptions = {
  /** 20 by the standard; more finds what a wallet with a wider gap used. */
  gapLimit?: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: ScanProgress) => void) | undefined;
  /** Addresses of one chain at most; 20,000 unless given: else a service that calls all used kept a wallet busy for ever. */
  maxAddresses?: number;
  /** `memory` of an earlier scan of this wallet, so that fewer requests are needed. */
  known?: ScanMemory | undefined;
};

/** Addresses of one chain that a scan looks at, unless it is told otherwise. */
export const MAX_CHAIN_ADDRESSES = 20_000;
/** Looks at a chain or mempool that changes under each. */
const MAX_LOOKS = 6;

/**
 * Finds all that the wallet ever received: each chain of each account up to 20 unused addresses in a row. A service
 * learns by it which addresses belong together.
 *
 * What is found is of one state of chain and mempool: either all answers name the same one, or a second look at all addresses got the
 * same answers as the first, so that nothing of the wallet changed between.
 *
 * @throws WalletError `scan_limit`, `answer_invalid`; `scan_unsettled` when the wallet changed under each of six looks; and what the reads throw
 * @example
 * const scan = await scanAccounts(watch, reads, { onProgress: ({ scanned }) => show(scanned) });
 */
export async function scanAccounts(
  wallet: WatchWallet,
  reads: WalletReads,
  { gapLimit = GAP_LIMIT, maxAddresses = MAX_CHAIN_ADDRESSES, signal, onProgress, known }: ScanOptions = {},
): Promise<WalletScan> {
  const bounds = { gapLimit, maxAddresses, signal, onProgress };
  let before: Look | undefined;
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const look = await lookAtChains(wallet, reads, bounds, before?.memory ?? known);
    if (look !== undefined && (look.isOfOneState || hasSameAnswers(look, before))) {
      return describeScan(wallet, look.memory);
    }
    before = look;
  }
  const detail = 'The coins of the wallet changed while they were looked at, again and again: try it later.';
  throw new WalletError('scan_unsettled', detail);
}

function hasSameAnswers(now: Look, before: Look | undefined): boolean {
  return before !== undefined && writeAnswers(now.memory) === writeAnswers(before.memory);
}

/** All that was answered, but for what grows with each block. */
function writeAnswers({ chains }: ScanMemory): string {
  return JSON.stringify(chains, (key, value: unknown) =>
    key === 'confirmations' || key === 'next_cursor' ? undefined : value,
  );
}

/**
 * The scan that a memory is of; nothing is asked.
 *
 * @throws WalletError `answer_invalid`
 */
export function describeScan(wallet: WatchWallet, memory: ScanMemory): WalletScan {
  const { positions, used, confirmed, pending } = readMemory(memory, wallet.network);
  const coins = new Map<string, WalletCoin>();
  const owners = used.map(({ kind, chain, index, coins: own }) => {
    const owner = deriveAddress(wallet, { kind, chain, index });
    for (const coin of own) coins.set(outpointOf(coin), { ...coin, owner });
    return owner;
  });
  return { wallet, positions, used: owners, coins: [...coins.values()], confirmed, pending, memory };
}

/**
 * The first address of a chain that was never used, for the next payment; change of a kind goes to chain 1.
 *
 * @example
 * const { address } = nextAddress(scan, { kind: 'p2wpkh', chain: 0 });
 */
export function nextAddress(
  scan: WalletScan,
  { kind, chain }: { kind: AddressKind; chain: Chain },
): WalletAddress {
  const position = scan.positions.find((each) => each.kind === kind && each.chain === chain);
  return deriveAddress(scan.wallet, { kind, chain, index: position?.next ?? 0 });
}
