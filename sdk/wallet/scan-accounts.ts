import { parseAmount } from '@coinfront/protocol/amount.ts';
import type { Network } from './network.ts';
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
  /** Unspent outputs, unconfirmed ones too; of an address with many, those that cannot be spent now may be missing. */
  readonly coins: readonly WalletCoin[];
  /** Base units in blocks, and what the mempool will change about them, of all addresses. */
  readonly confirmed: bigint;
  readonly pending: bigint;
};

export type ScanOptions = {
  /** 20 by the standard; more finds what a wallet with a wider gap used. */
  gapLimit?: number;
  signal?: AbortSignal;
  onProgress?: (progress: ScanProgress) => void;
  /** Addresses of one chain at most; 20,000 unless given: else a service that calls all used kept a wallet busy for ever. */
  maxAddresses?: number;
};

/** Addresses of one chain that a scan looks at, unless it is told otherwise. */
export const MAX_CHAIN_ADDRESSES = 20_000;
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
  { gapLimit = GAP_LIMIT, maxAddresses = MAX_CHAIN_ADDRESSES, signal, onProgress }: ScanOptions = {},
): Promise<WalletScan> {
  const positions: ChainPosition[] = [];
  const used: WalletAddress[] = [];
  const coins = new Map<string, WalletCoin>();
  let scanned = 0;
  let confirmed = 0n;
  let pending = 0n;
  for (const { kind } of wallet.accounts) {
    for (const chain of [0, 1] as const) {
      let next = 0;
      for (let index = 0; index < next + gapLimit; ) {
        if (index >= maxAddresses) {
          const detail = `More than ${maxAddresses} addresses of one chain are said to be used.`;
          throw new WalletError('scan_limit', detail);
        }
        const count = Math.min(next + gapLimit - index, PARALLEL_REQUESTS);
        const batch = Array.from({ length: count }, (_, i) =>
          deriveAddress(wallet, { kind, chain, index: index + i }),
        );
        const found = await Promise.all(batch.map((owner) => readAddress(wallet, owner, reads, signal)));
        for (const [i, { isUsed, coins: ofAddress, ...totals }] of found.entries()) {
          confirmed += totals.confirmed;
          pending += totals.pending;
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
  return { wallet, positions, used, coins: [...coins.values()], confirmed, pending };
}

async function readAddress(
  wallet: WatchWallet,
  owner: WalletAddress,
  reads: WalletReads,
  signal: AbortSignal | undefined,
): Promise<{ isUsed: boolean; coins: WalletCoin[]; confirmed: bigint; pending: bigint }> {
  signal?.throwIfAborted();
  const options = signal === undefined ? {} : { signal };
  const report = await reads.getAddress(owner.address, options);
  const { count, confirmed, pending } = readTotals(report, wallet.network);
  const coins: WalletCoin[] = [];
  let page = report.utxos;
  for (let pages = 1; ; pages += 1) {
    for (const item of page.items) coins.push(readCoin(item, owner, wallet.network));
    if (page.next_cursor === null) {
      return { isUsed: count > 0 || coins.length > 0, coins, confirmed, pending };
    }
    if (pages >= MAX_PAGES) {
      throw new WalletError('scan_limit', `${owner.address} has more unspent outputs than a wallet reads.`);
    }
    signal?.throwIfAborted();
    page = await reads.listUtxos({ address: owner.address, cursor: page.next_cursor, limit: PAGE }, options);
  }
}

function readTotals({ confirmed, mempool }: AddressReport, { decimals }: Network) {
  const balances = [confirmed?.balance, mempool?.balance].map((text) => readSigned(text, decimals));
  const [inBlocks, inMempool] = balances;
  if (
    Number.isInteger(confirmed?.tx_count) &&
    Number.isInteger(mempool?.tx_count) &&
    inBlocks !== undefined &&
    inMempool !== undefined
  ) {
    return { count: confirmed.tx_count + mempool.tx_count, confirmed: inBlocks, pending: inMempool };
  }
  throw new WalletError('answer_invalid', 'The service did not answer what an address has.');
}

function readSigned(text: unknown, decimals: number): bigint | undefined {
  if (typeof text !== 'string') return undefined;
  const parsed = parseAmount(text.replace(/^-/, ''), decimals);
  if (!parsed.ok) return undefined;
  return text.startsWith('-') ? -parsed.value : parsed.value;
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
  /** In blocks. */
  confirmed: bigint;
  /** What the mempool will change about it; negative when more goes than comes. */
  pending: bigint;
  /** Both. */
  total: bigint;
  /** In blocks, mature, and not spent in the mempool: what pays now. */
  spendable: bigint;
  /** The rest of `confirmed`: coinbases that are not mature yet, and what transactions in the mempool spend. */
  locked: bigint;
};

/**
 * Adds up what a scan found.
 *
 * @example
 * const { spendable, pending } = getBalance(scan);
 */
export function getBalance({
  coins,
  confirmed,
  pending,
}: Pick<WalletScan, 'coins' | 'confirmed' | 'pending'>): WalletBalance {
  let spendable = 0n;
  for (const coin of coins) if (coin.spendable && coin.height !== undefined) spendable += coin.value;
  return { confirmed, pending, total: confirmed + pending, spendable, locked: confirmed - spendable };
}
