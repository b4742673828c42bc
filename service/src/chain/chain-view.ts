import type { Reader, SnapshotOptions } from '../db/database.ts';
import type { StaleBlock } from '../indexer/connect/stale-blocks.ts';

export type { StaleBlock };

/**
 * What the HTTP parts may read of the chain index: one consistent view of tip and mempool.
 *
 * Hashes and txids are in internal byte order. Amounts are base units.
 */

/** One block of the best chain, with the totals of the whole chain up to and including it. */
export type BlockRecord = {
  height: number;
  hash: Uint8Array;
  /** The 80 header bytes that are hashed (an AuxPoW proof is not part of them). */
  header: Uint8Array;
  /** Unix seconds, as the miner wrote it. */
  time: number;
  /** Unix seconds: median of this block's time and of the ten before it (BIP-113). */
  medianTimePast: number;
  /** Sum of the work of this block and of all below it. */
  chainwork: bigint;
  size: number;
  /** Bytes without witnesses, and without Litecoin's extension block. */
  strippedSize: number;
  weight: number;
  txCount: number;
  /** Whether Litecoin's extension block follows its transactions: the last of them is then the HogEx. */
  hasExtension: boolean;
  /** The id of the coinbase; the block's transactions have the ids from it up to the next block's. */
  firstTxId: number;
  /** Fees paid by the block's transactions. */
  fees: bigint;
  /** What the coinbase pays out, provably unspendable outputs included. */
  coinbaseValue: bigint;
  totals: ChainTotals;
};

/** Which block of the best chain something lies in. */
export type BlockName = Pick<BlockRecord, 'height' | 'hash' | 'time'>;

/** Sums over the chain from genesis up to and including one block. */
export type ChainTotals = {
  /** Bytes and weight units of the blocks. */
  size: number;
  weight: number;
  txs: number;
  outputs: number;
  /** Of coinbases not counted: they spend nothing. */
  inputs: number;
  /** Coins made: coinbase payouts less fees. */
  issued: bigint;
  /** Part of `issued` that can never be spent: data carriers, oversized scripts, the genesis coinbase. */
  burned: bigint;
  /** Sum of the spendable outputs of every coinbase, mature or not, spent or not. */
  coinbasePaid: bigint;
  utxos: number;
  /** issued - burned: the sum of all unspent outputs. */
  utxoValue: bigint;
  fees: bigint;
  /** Fee rates of blocks: `RateTotals` as they are kept (block-fee-rates.ts), read where they are shown. */
  rates: string;
};

/** Totals of the mempool, and the version that names this exact content of it. */
export type MempoolTotals = {
  version: number;
  txs: number;
  vsize: number;
  fees: bigint;
};

/** A transaction of a confirmed block, without its bytes. */
export type TxSummary = {
  id: number;
  txid: Uint8Array;
  height: number;
  /** Index in the block, 0 is the coinbase. */
  position: number;
  weight: number;
  /** Undefined for a coinbase. */
  fee: bigint | undefined;
  /** Sum of the outputs. */
  outputValue: bigint;
};

/** The bytes of a transaction. */
export type RawTx = { txid: Uint8Array; raw: Uint8Array };

/** A transaction that joined the mempool. */
export type MempoolArrival = RawTx & { id: number; firstSeenMs: number };

/** A transaction with its bytes, confirmed or in the mempool. */
export type TxRecord = {
  id: number;
  txid: Uint8Array;
  raw: Uint8Array;
  weight: number;
  fee: bigint | undefined;
  status: { confirmed: true; height: number; position: number } | { confirmed: false; firstSeenMs: number };
};

/** The output that an input spends. */
export type Prevout = {
  txid: Uint8Array;
  vout: number;
  value: bigint;
  script: Uint8Array;
  /** Height of the block that made it; undefined while it is in the mempool. */
  height: number | undefined;
  coinbase: boolean;
};

/** The input that spends an output. */
export type Spend = {
  txid: Uint8Array;
  vin: number;
  /** Undefined while the spending transaction is in the mempool. */
  height: number | undefined;
};

/** O(1) totals of one script; the same shape for the confirmed chain and for the mempool. */
export type ScriptStats = {
  txCount: number;
  fundedCount: number;
  fundedSum: bigint;
  spentCount: number;
  spentSum: bigint;
};

/** One transaction that touches a script, with its net effect on the script's balance. */
export type HistoryEntry = {
  txId: number;
  txid: Uint8Array;
  delta: bigint;
  status: TxRecord['status'];
};

/** One unspent output of a script. */
export type Utxo = {
  txid: Uint8Array;
  vout: number;
  value: bigint;
  /** Position in the total order of outputs: the cursor of a page. Confirmed ones come first. */
  outputId: number;
  /** Undefined while unconfirmed. */
  height: number | undefined;
  coinbase: boolean;
  /** Whether it came out of an extension block (Litecoin's MWEB): it matures, too. */
  pegOut: boolean;
  /** True when a transaction in the mempool spends it. */
  spentInMempool: boolean;
};

/** A transaction of the mempool that touches a script. */
export type WaitingTx = {
  id: number;
  txid: Uint8Array;
  fee: bigint;
  /** It spends an output of another transaction of the mempool. */
  hasUnconfirmedParent: boolean;
};

/** The 80 bytes of a header, and the merged-mining proof (AuxPoW) behind it; empty where it has none. */
export type WrappedHeader = { header: Uint8Array; auxpow: Uint8Array };

/** What is looked for in a confirmed history. */
export type HistorySearch = {
  /** Below this id, and not below the other. */
  beforeTxId: number | undefined;
  fromTxId: number;
  matches: (delta: bigint) => boolean;
  /** Found at most, and looked at at most. */
  limit: number;
  mostRead: number;
};

/** What was found; where there may be more, it lies below `last`. */
export type FoundHistory = { entries: HistoryEntry[]; last: { txId: number; height: number } | undefined };

/** Reads of one script. One that was never paid has zeros and nothing. */
export type ScriptReads = {
  /** Confirmed totals. */
  getStats(): Promise<ScriptStats>;
  getMempoolStats(): Promise<ScriptStats>;
  /** Confirmed history, newest first, from below `beforeTxId` when given. */
  listHistory(beforeTxId: number | undefined, limit: number): Promise<HistoryEntry[]>;
  /** Searches the history, newest first: a bounded stretch of it. */
  searchHistory(search: HistorySearch): Promise<FoundHistory>;
  /** The balance before each of these transactions, by id: what those below it have made of it. */
  listBalances(beforeTxIds: readonly number[]): Promise<bigint[]>;
  /** Its transactions in the mempool, in any order. */
  listWaitingTxs(limit: number): Promise<WaitingTx[]>;
  /** Whether any confirmed output of it is unspent, the mempool aside. */
  hasCoins(): Promise<boolean>;
  /** See {@link ChainView.listUtxos}. */
  listUtxos(afterOutputId: number | undefined, limit: number): Promise<Utxo[]>;
  /** See {@link ChainView.listMempoolUtxos}. */
  listMempoolUtxos(afterOutputId: number | undefined, limit: number): Promise<Utxo[]>;
};

/** One step of the mempool's fee histogram: virtual bytes that pay at least `feeRate` and less than the step above. */
export type FeeHistogramStep = { feeRateMilliSatsPerVb: number; vsize: number; txs: number };

/** What an address was paid by coinbases. */
export type CoinbasePayout = {
  height: number;
  hash: Uint8Array;
  time: number;
  txid: Uint8Array;
  vout: number;
  value: bigint;
};

/** A transaction of the mempool, as it stands in a projected block. */
export type ProjectedTx = { txid: Uint8Array; vsize: number; fee: bigint };

/** A block that the mempool would fill. */
export type ProjectedBlock = {
  /** How many blocks the mempool fills. */
  blocks: number;
  /** Transactions that were looked through for it. */
  rowsRead: number;
  /** Of all its transactions. */
  txs: number;
  vsize: number;
  fees: bigint;
  /** Its transactions, highest fee rate first; a bounded number. */
  listed: ProjectedTx[];
};

/** Where a script was paid first. */
export type FirstOutput = { txid: Uint8Array; vout: number; height: number; position: number };

/** Inputs or outputs of a transaction: so many from one on. */
export type TxSpan = { readonly first: number; readonly count: number };

/** All inputs, or outputs. */
export const wholeSpan: TxSpan = { first: 0, count: Number.MAX_SAFE_INTEGER };

/** A transaction of the mempool whose place another one has. */
export type Replacement = {
  txid: Uint8Array;
  by: Uint8Array;
  /** Whether both spend the same output; otherwise it built on one that was replaced. */
  isDirect: boolean;
  /** When it was seen, Unix milliseconds. */
  atMs: number;
  /** Of what was replaced. */
  fee: bigint;
  weight: number;
};

/** One consistent view; all its reads see the same tip and the same mempool. */
export type ChainView = {
  /** The database in this view's snapshot: a part reads the tables that it derives from blocks. */
  readonly reader: Reader;
  /** Undefined until the first block is indexed. */
  readonly tip: BlockRecord | undefined;
  readonly mempool: MempoolTotals;
  /**
   * Defined while tip and mempool are, together, what the node had at one moment: everything that it knew before `atMs`
   * (Unix milliseconds) is in this view.
   */
  getSynced(): Promise<{ atMs: number } | undefined>;

  findBlockAt(height: number): Promise<BlockRecord | undefined>;
  /** Less than {@link ChainView.findBlockAt}, and sooner. */
  nameBlockAt(height: number): Promise<BlockName | undefined>;
  findBlock(hash: Uint8Array): Promise<BlockRecord | undefined>;
  /** Hashes of blocks from `fromHeight` upwards; fewer than `count` where the chain ends. */
  listBlockHashes(fromHeight: number, count: number): Promise<Uint8Array[]>;
  /** Headers of blocks from `fromHeight` upwards; fewer than `count` where the chain ends. */
  listHeaders(fromHeight: number, count: number): Promise<WrappedHeader[]>;
  /** Blocks at heights that ascend; those above the tip are left out. */
  listBlocksAt(heights: readonly number[]): Promise<BlockRecord[]>;
  /** Blocks from `fromHeight` downwards. */
  listBlocks(fromHeight: number, limit: number): Promise<BlockRecord[]>;
  /**
   * What miners wrote into the coinbases of blocks, in their order: text that nobody checked; undefined where there is none. `charge` is told of
   * the bytes that are read for it.
   */
  listCoinbaseTags(
    blocks: readonly BlockRecord[],
    charge: (bytes: number) => void,
  ): Promise<(string | undefined)[]>;
  listBlockTxs(block: BlockRecord, fromPosition: number, limit: number): Promise<TxSummary[]>;
  /** Transactions of a block in order, with their bytes. */
  listBlockRawTxs(block: BlockRecord, fromPosition: number, limit: number): Promise<RawTx[]>;
  /** All txids of a block in order, for a merkle branch. */
  listBlockTxids(block: BlockRecord): Promise<Uint8Array[]>;
  /** The merged-mining proof (AuxPoW) behind its header; empty where it has none. */
  readAuxpow(block: BlockRecord): Promise<Uint8Array>;
  /** The whole block as nodes relay it; up to some megabytes. */
  readRawBlock(block: BlockRecord): Promise<Uint8Array>;

  findTx(txid: Uint8Array): Promise<TxRecord | undefined>;
  /** A transaction of the mempool; undefined for one that is in a block, or unknown. */
  findUnconfirmedTx(txid: Uint8Array): Promise<TxRecord | undefined>;
  /** Of a transaction of the mempool those of the mempool whose outputs it spends. */
  listUnconfirmedParents(tx: TxRecord, limit: number): Promise<TxRecord[]>;
  /** Those of the mempool that spend its outputs. */
  listUnconfirmedChildren(tx: TxRecord, limit: number): Promise<TxRecord[]>;
  /** What took the place of a transaction; undefined where that was not seen, or is forgotten. The transaction may be back. */
  findReplacement(txid: Uint8Array): Promise<Replacement | undefined>;
  /** What a transaction replaced, as far as it is remembered, and what those had replaced before; nearest first. */
  listReplaced(txid: Uint8Array, limit: number): Promise<Replacement[]>;
  /** A block that was seen to leave the best chain, as far as it is remembered; undefined for one that is back. */
  findStaleBlock(hash: Uint8Array): Promise<StaleBlock | undefined>;
  /** Those that left last, newest first. */
  listStaleBlocks(limit: number): Promise<StaleBlock[]>;
  /** The confirmed transaction of an id, by which parts' tables name it. */
  getTxById(id: number): Promise<TxRecord>;
  /** Those of several ids, in their order; what lies together is read once. */
  getTxsById(ids: readonly number[]): Promise<TxRecord[]>;
  /** One per input, of the span or of all; undefined for a coinbase input, or where the output is unknown to the index. */
  listPrevouts(tx: TxRecord, span?: TxSpan): Promise<(Prevout | undefined)[]>;
  /** The same of all inputs of several transactions; a transaction that many of them spend is read once. */
  listPrevoutsOf(txs: readonly TxRecord[]): Promise<(Prevout | undefined)[][]>;
  /** An output of the chain or of the mempool, spent or not; of two transactions of one txid that of the later. */
  findOutput(txid: Uint8Array, vout: number): Promise<Prevout | undefined>;
  /** One per output, of the span or of all; undefined while unspent. */
  listSpends(tx: TxRecord, span?: TxSpan): Promise<(Spend | undefined)[]>;

  /**
   * The script whose SHA-256 this is; undefined when no output in the chain or the mempool has it.
   */
  findScriptByHash(sha256: Uint8Array): Promise<Uint8Array | undefined>;
  /** The script whose SHA-256 begins with these 16 bytes, where a block pays it. */
  findScriptByKey(key: Uint8Array): Promise<Uint8Array | undefined>;
  /** Reads of the script whose SHA-256 this is; all but the mempool go by its first 128 bits. */
  ofScript(sha256: Uint8Array): ScriptReads;
  /**
   * Visits the scripts that transactions from an id on touch, each at least once, by the first 16 bytes of their SHA-256 with a character
   * for each byte. False, and nothing is visited, where more than `mostEntries` would have to be read.
   */
  visitTouchedScripts(fromTxId: number, mostEntries: number, visit: (key: string) => void): Promise<boolean>;
  /**
   * Visits the SHA-256 of the scripts that transactions of the mempool touch which came after the one of this id. Gives the id of
   * the newest, and how many of them there are; without an id it visits none.
   */
  visitMempoolTouches(
    afterId: number | undefined,
    visit: (sha256: Uint8Array) => void,
  ): Promise<{ newestId: number; arrivals: number }>;
  /** The first 16 bytes of the SHA-256 of the scripts that outputs of the chain pay, one behind the other, from a number of an output on. */
  readScriptKeys(firstOutputId: number, count: number): Promise<Uint8Array>;
  /** The transactions that made outputs of the chain, each once and in the order of the chain. */
  listTxsOfOutputs(outputIds: readonly number[]): Promise<TxRecord[]>;
  /** The scripts of outputs of the chain, by number of the output, in their order. */
  getScripts(outputIds: readonly number[]): Promise<Uint8Array[]>;
  /** The first output on the chain that pays a script; undefined when none does. */
  findFirstOutput(script: Uint8Array): Promise<FirstOutput | undefined>;
  /** Confirmed totals; zeros for a script never seen. */
  getScriptStats(script: Uint8Array): Promise<ScriptStats>;
  getMempoolStats(script: Uint8Array): Promise<ScriptStats>;
  /** Confirmed history, newest first, from below `beforeTxId` when given. */
  listHistory(script: Uint8Array, beforeTxId: number | undefined, limit: number): Promise<HistoryEntry[]>;
  /** Mempool history, newest first, from below `beforeTxId` when given. */
  listMempoolHistory(
    script: Uint8Array,
    beforeTxId: number | undefined,
    limit: number,
  ): Promise<HistoryEntry[]>;
  /** Confirmed unspent outputs, oldest first, from above `afterOutputId` when given. */
  listUtxos(script: Uint8Array, afterOutputId: number | undefined, limit: number): Promise<Utxo[]>;
  /** Unspent outputs made in the mempool, oldest first; at most `limit`. `outputId` counts within the mempool. */
  listMempoolUtxos(script: Uint8Array, afterOutputId: number | undefined, limit: number): Promise<Utxo[]>;

  /** All fee steps of the mempool, highest rate first; bounded number of steps. */
  getFeeHistogram(): Promise<FeeHistogramStep[]>;
  /** The block of this number, 1 for the next, that the mempool would fill; without transactions where it does not fill so many. */
  readProjectedBlock(number: number): Promise<ProjectedBlock>;
  /** Newest arrivals in the mempool. */
  listMempoolTxs(
    limit: number,
  ): Promise<{ txid: Uint8Array; fee: bigint; vsize: number; value: bigint; firstSeenMs: number }[]>;
  /** All txids in the mempool, at most `limit`. */
  listMempoolTxids(limit: number): Promise<Uint8Array[]>;
  /**
   * Transactions of the mempool that came after the one of this id, oldest first. An id is never given twice, so what is
   * above the last one that was seen is new.
   */
  listMempoolArrivals(afterId: number, limit: number): Promise<MempoolArrival[]>;
  /** Those of the ids that are in the mempool still. */
  listMempoolIds(ids: readonly number[]): Promise<number[]>;

  /** Payouts to a script by coinbases of height >= `fromHeight`, newest first, from below `beforeHeight` when given. */
  listCoinbasePayouts(
    script: Uint8Array,
    fromHeight: number,
    beforeHeight: number | undefined,
    limit: number,
  ): Promise<CoinbasePayout[]>;
  /** O(1) totals of all coinbase payouts to a script. */
  getCoinbasePayoutTotals(script: Uint8Array): Promise<{
    blocks: number;
    value: bigint;
    firstHeight: number | undefined;
    lastHeight: number | undefined;
  }>;
};

/**
 * Runs `read` on one view. Nothing but the view may be awaited inside: it holds a snapshot of the database. It may be run twice: see
 * {@link SnapshotOptions}.
 */
export type ReadChain = {
  <T>(read: (view: ChainView) => Promise<T>, options?: SnapshotOptions): Promise<T>;
  /**
   * What the snapshot that a read would get now is known to be: undefined when that is not known without opening it. Only
   * where opening one costs round trips.
   */
  peek?: () => Promise<PresentSnapshot | undefined>;
};

/** What is known of a snapshot without reading any further. */
export type PresentSnapshot = { readonly tip: BlockRecord; readonly mempool: MempoolTotals };
