import type { AddressKind, Chain, WalletAddress } from './wallet-address.ts';
import { outpointOf, readCoin, type WalletCoin } from './wallet-coin.ts';
import { WalletError } from './wallet-error.ts';
import type { AddressReport, WalletReads } from './wallet-reads.ts';
import { deriveAddress, type WatchWallet } from './watch-wallet.ts';

/** Unused addresses in a row after which a chain ends (COIN-HD-1). */
export const GAP_LIMIT = 20;

/** How far a scan is. */
export type ScanProgress = {
  kind: AddressKind;
  chain: Chain;
  /** Addresses asked for, over all chains. */
  scanned: number;
  /** Of these, how many were ever used. */
  used: number;
};

/** A chain of an account: the first index after all that were used. */
export type ChainPosition = { readonly kind: AddressKind; readonly chain: Chain; readonly next: number };

/** What a scan found. */
export type WalletScan = {
  readonly wallet: WatchWallet;
  readonly positions: readonly ChainPosition[];
  /** Addresses that were ever used, chain by chain. */
  readonly used: readonly WalletAddress[];
  /** All unspent outputs, unconfirmed ones too. */
  readonly coins: readonly WalletCoin[];
};

export type ScanOptions = {
  /** 20 by the standard; more finds what a wallet with a wider gap used. */
  gapLimit?: number;
  signal?: AbortSignal;
  onProgress?: (progress: ScanProgress) => void;
};

/** Addresses of one chain at most, lest a service that calls all of them used keeps the wallet busy for ever. */
const MAX_CHAIN_ADDRESSES = 20_000;
const PAGE = 100;
/** Pages of unspent outputs of one address at most. */
const MAX_PAGES = 200;
const PARALLEL_REQUESTS = 8;

/**
 * Finds all that the wallet ever received: each chain of each account up to 20 unused addresses in a row. A service
 * learns by it which addresses belong together.
 *
 * @throws WalletError `scan_limit`, `answer_invalid`; and what the reads throw
 * @example
 * const scan = await scanAccounts(watch, reads, { onProgress: ({ scanned }) => show(scanned) });
 */
export async function scanAccounts(
  wallet: WatchWallet,
  reads: WalletReads,
  { gapLimit = GAP_LIMIT, signal, onProgress }: ScanOptions = {},
): Promise<WalletScan> {
  const positions: ChainPosition[] = [];
  const used: WalletAddress[] = [];
  const coins = new Map<string, WalletCoin>();
  let scanned = 0;
  for (const { kind } of wallet.accounts) {
    for (const chain of [0, 1] as const) {
      let next = 0;
      for (let index = 0; index < next + gapLimit; ) {
        if (index >= MAX_CHAIN_ADDRESSES) {
          const detail = `More than ${MAX_CHAIN_ADDRESSES} addresses of one chain are said to be used.`;
          throw new WalletError('scan_limit', detail);
        }
        const count = Math.min(next + gapLimit - index, PARALLEL_REQUESTS);
        const batch = Array.from({ length: count }, (_, i) =>
          deriveAddress(wallet, { kind, chain, index: index + i }),
        );
        const found = await Promise.all(batch.map((owner) => readAddress(wallet, owner, reads, signal)));
        for (const [i, { isUsed, coins: ofAddress }] of found.entries()) {
          for (const coin of ofAddress) coins.set(outpointOf(coin), coin);
          if (!isUsed) continue;
          used.push(batch[i]!);
          next = index + i + 1;
        }
        index += count;
        scanned += count;
        onProgress?.({ kind, chain, scanned, used: used.length });
      }
      positions.push({ kind, chain, next });
    }
  }
  return { wallet, positions, used, coins: [...coins.values()] };
}

async function readAddress(
  wallet: WatchWallet,
  owner: WalletAddress,
  reads: WalletReads,
  signal: AbortSignal | undefined,
): Promise<{ isUsed: boolean; coins: WalletCoin[] }> {
  signal?.throwIfAborted();
  const options = signal === undefined ? {} : { signal };
  const report = await reads.getAddress(owner.address, options);
  const isUsed = countTransactions(report) > 0;
  const coins: WalletCoin[] = [];
  let page = report.utxos;
  for (let pages = 1; ; pages += 1) {
    for (const item of page.items) coins.push(readCoin(item, owner, wallet.network));
    if (page.next_cursor === null) return { isUsed: isUsed || coins.length > 0, coins };
    if (pages >= MAX_PAGES) {
      throw new WalletError('scan_limit', `${owner.address} has more unspent outputs than a wallet reads.`);
    }
    signal?.throwIfAborted();
    page = await reads.listUtxos({ address: owner.address, cursor: page.next_cursor, limit: PAGE }, options);
  }
}

function countTransactions({ confirmed, mempool }: AddressReport): number {
  if (Number.isInteger(confirmed?.tx_count) && Number.isInteger(mempool?.tx_count)) {
    return confirmed.tx_count + mempool.tx_count;
  }
  throw new WalletError('answer_invalid', 'The service did not answer what an address has.');
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

/** What a wallet has, base units. */
export type WalletBalance = {
  /** In blocks, mature, and not spent in the mempool. */
  spendable: bigint;
  /** To come: paid to the wallet by transactions in the mempool. */
  incoming: bigint;
  /** Coinbases that cannot be spent yet. */
  immature: bigint;
  /** In blocks, but spent by transactions in the mempool. */
  outgoing: bigint;
  /** What is left when the mempool is mined: all but `outgoing`. */
  total: bigint;
};

/** Adds up what a scan found. */
export function getBalance({ coins }: Pick<WalletScan, 'coins'>): WalletBalance {
  const balance: WalletBalance = { spendable: 0n, incoming: 0n, immature: 0n, outgoing: 0n, total: 0n };
  for (const coin of coins) {
    if (coin.spentInMempool) balance.outgoing += coin.value;
    else if (coin.height === undefined) balance.incoming += coin.value;
    else if (!coin.spendable) balance.immature += coin.value;
    else balance.spendable += coin.value;
    if (!coin.spentInMempool) balance.total += coin.value;
  }
  return balance;
}
