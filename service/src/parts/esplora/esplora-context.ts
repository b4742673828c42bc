import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { BodyReader } from '../../http/read-body.ts';
import type { ReadDependencies } from '../../http/read-route.ts';

/** What the Esplora part is made with. */
export type EsploraContext = ReadDependencies & {
  profile: CoinProfile;
  bodies: BodyReader;
  /**
   * Hands a transaction in hex to the node; answers its display txid and whether reads show it. Throws AppError with the
   * node's reason.
   */
  broadcast: (rawTxHex: string) => Promise<{ txid: string; visibility: string }>;
  /**
   * Hands a package to the node; answers what the node says of it, and whether reads show what it took. Throws NodeError when the
   * node cannot be asked, or takes it for no package.
   */
  sendPackage: (
    rawTxHexes: readonly string[],
    limits: { maxFeeRate?: string | undefined; maxBurnAmount?: string | undefined },
  ) => Promise<{ answer: unknown; visibility: string }>;
  /** Fee rates in base units for 1,000 virtual bytes by target; `histogram` is the mempool's, highest rate first. */
  estimateFees: (
    targets: readonly number[],
    histogram: readonly { feeRateMilliSatsPerVb: number; vsize: number; txs: number }[],
  ) => { targetBlocks: number; ratePerKvb: bigint }[];
  /** The least rate that the node relays now, in base units for 1,000 virtual bytes. */
  findMinimumRate: () => bigint;
};

/** Where this part's routes begin. */
export const esploraPrefix = '/esplora';

/** Transactions of a page, as wallets expect. */
export const pageSize = 25;
/** Unconfirmed transactions that a history begins with, as wallets expect. */
export const mempoolPageSize = 50;
/**
 * What one answer has at most: unspent outputs, mempool ids and outspends of several transactions, above which it is an error, never
 * a part of the list; and lines of a summary, which goes on behind the last.
 */
export const maxListed = { utxos: 10_000, mempoolTxids: 200_000, outspends: 10_000, summary: 200 } as const;
