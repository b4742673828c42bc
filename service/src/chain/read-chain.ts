import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction } from '@coinfront/protocol/transaction.ts';
import type { Database, Reader } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { hasTables } from '../db/tables.ts';
import { findStaleBlock, listStaleBlocks } from '../indexer/connect/stale-blocks.ts';
import { createDiskPace, type DiskPace } from '../indexer/disk/disk-pace.ts';
import { createFetchThreads } from '../indexer/disk/fetch-threads.ts';
import { sha256 } from '../indexer/encoding/hashes.ts';
import { findSyncedMs, hasBeenInStep } from '../indexer/follow/sync-mark.ts';
import { readIndexState } from '../indexer/index-state.ts';
import { requireIdentity } from '../indexer/index-version.ts';
import {
  decodeMempoolSummary,
  emptyMempoolSummary,
  type MempoolSummary,
} from '../indexer/mempool/mempool-summary.ts';
import { GET_REVISION } from '../indexer/revision.ts';
import { type FilterChoice, readAllFilters } from '../indexer/runs/held-filters.ts';
import { listBalances } from '../indexer/runs/read-history.ts';
import { historyRuns, spendRuns, txRuns } from '../indexer/runs/run-kinds.ts';
import { emptyRunSet, narrowToScript, type RunSet, readAllGuides } from '../indexer/runs/run-set.ts';
import { createRunSetReader } from '../indexer/runs/runs-version.ts';
import { visitScripts } from '../indexer/runs/visit-scripts.ts';
import { readOutputKeys } from '../indexer/transactions/stored-outputs.ts';
import { readRaw } from '../indexer/transactions/tx-page.ts';
import {
  findStoredTx,
  findStoredTxs,
  findTxByTxid,
  type StoredTx,
} from '../indexer/transactions/tx-store.ts';
import {
  findBlockAt,
  findBlockByHash,
  findTipBlock,
  listBlocksAt,
  listBlocksDown,
  listHashesUp,
  listHeadersUp,
  listRawTxsOfBlock,
  listTxidsOfBlock,
  listTxsOfBlock,
  nameBlockAt,
  readAuxpow,
  readRawBlock,
} from './block-store.ts';
import {
  type BlockName,
  type BlockRecord,
  type ChainView,
  type MempoolTotals,
  type ReadChain,
  type ScriptReads,
  type ScriptStats,
  type StaleBlock,
  type TxRecord,
  wholeSpan,
} from './chain-view.ts';
import { listCoinbaseTags, type TagMemory } from './coinbase-tags.ts';
import {
  describeHistogram,
  findMempoolScript,
  findMempoolTx,
  listAllMempoolTxids,
  listMempoolArrivals,
  listMempoolChanges,
  listMempoolChildren,
  listMempoolOutputs,
  listMempoolParents,
  listNewestMempoolTxs,
  listPresentMempoolIds,
  listWaitingTxs,
  sumMempoolChanges,
  visitTouches,
} from './mempool-store.ts';
import { getPayoutTotals, listPayouts } from './payout-store.ts';
import { type ProjectedBlockMemory, readProjectedBlock } from './projected-block.ts';
import { findReplacement, listReplaced } from './replacement-store.ts';
import {
  findFirstOutput,
  findScriptByKey,
  findScriptBytes,
  hasScriptCoins,
  listScriptHistory,
  listScriptUtxos,
  readScriptStats,
  readScripts,
  searchScriptHistory,
} from './script-store.ts';
import { type FindTxFacts, findTxFacts, type TxFactsMemory } from './tx-facts.ts';
import { listStoredPrevouts, listStoredSpends } from './tx-store.ts';
import { createSpendFinder, findOutputs, listUnconfirmedPrevouts } from './unconfirmed.ts';
import { type FindUtxos, findUtxos, type UtxoMemory } from './utxo-facts.ts';

const GET_MEMPOOL = sql<{ value: string }>("select value from meta where key = 'mempool'");
const EMPTY_STATS = { txCount: 0, fundedCount: 0, fundedSum: 0n, spentCount: 0, spentSum: 0n };

/** What is the same for all views of one revision. */
type RevisionFacts = {
  revision: string;
  tip: BlockRecord | undefined;
  mempool: MempoolSummary;
  /** Blocks read lately, by height. */
  blocks: Map<number, BlockRecord>;
  names: Map<number, BlockName>;
  txs: TxFactsMemory;
  utxos: UtxoMemory;
  tags: TagMemory;
  projected: ProjectedBlockMemory;
  runs: RunSet;
};

const REMEMBERED_BLOCKS = 2_000;
const REMEMBERED_NAMES = 20_000;
/** Filters that are held for looking up transactions, spends and scripts: those of thirty million transactions take 126 MB. */
const FILTERS: FilterChoice = { kinds: [txRuns, spendRuns, historyRuns], bytes: 128 << 20 };

/**
 * Opens the chain index for reading: each call of the result sees one snapshot of tip and mempool.
 * @param options.pace says whether the disk is slow
 * @param options.findRevision tells the revision that the index has now, where that is known without a question to the database
 * @param options.identity of an index that this program can read (`indexer/identity.ts`); undefined: whatever is there
 */
export function createReadChain(
  db: Database,
  {
    pace = createDiskPace(createFetchThreads()),
    identity,
    findRevision = () => undefined,
  }: { pace?: DiskPace; identity?: string; findRevision?: () => string | undefined } = {},
): ReadChain {
  let facts: RevisionFacts = {
    revision: '',
    tip: undefined,
    mempool: emptyMempoolSummary(),
    blocks: new Map(),
    names: new Map(),
    txs: new Map(),
    utxos: new Map(),
    tags: new Map(),
    projected: new Map(),
    runs: emptyRunSet,
  };
  let isReady = false;
  let isSynced = false;
  /** The runs whose filters and guides are all in memory. */
  let warm = emptyRunSet;
  const readRuns = createRunSetReader(FILTERS, pace);
  const factsOf = new WeakMap<Reader, Promise<RevisionFacts>>();

  const findFacts = async (reader: Reader): Promise<RevisionFacts> => {
    isReady ||= await hasTables(reader, db.engine);
    if (!isReady) return facts;
    const { revision, runs: runsVersion } = await readIndexState(reader);
    // What is made anew for another version has another revision.
    if (identity !== undefined && revision !== facts.revision) await requireIdentity(reader, identity);
    db.noteShown?.(Number(revision));
    isSynced ||= await hasBeenInStep(reader);
    // In a first sync few ask, and most runs do not last.
    const runs = await readRuns(reader, isSynced, runsVersion);
    if (isSynced && runs !== warm) {
      readAllFilters(runs.filters);
      readAllGuides(runs);
      warm = runs;
    }
    if (revision === facts.revision && revision !== '')
      return runs === facts.runs ? facts : { ...facts, runs };
    const tip = await findTipBlock(reader);
    const mempool = await reader.get(GET_MEMPOOL);
    const isSameTip = tip && facts.tip && equalBytes(tip.hash, facts.tip.hash);
    facts = {
      revision,
      tip,
      mempool: mempool ? decodeMempoolSummary(mempool.value) : emptyMempoolSummary(),
      blocks: isSameTip ? facts.blocks : new Map(),
      names: isSameTip ? facts.names : new Map(),
      txs: isSameTip ? facts.txs : new Map(),
      utxos: isSameTip ? facts.utxos : new Map(),
      tags: facts.tags,
      projected: new Map(),
      runs,
    };
    return facts;
  };

  const readChain: ReadChain = (read, options) =>
    db.snapshot(async (reader) => {
      let found = factsOf.get(reader);
      if (!found) {
        found = findFacts(reader);
        factsOf.set(reader, found);
      }
      return await read(createView(reader, await found));
    }, options);
  if (db.latest) {
    readChain.peek = async () => {
      if (facts.revision === '') return undefined;
      const latest = findRevision() ?? (await db.latest!(GET_REVISION))?.value;
      const { tip, revision } = facts;
      return tip && latest === revision ? { tip, mempool: totalsOf(facts) } : undefined;
    };
  }
  return readChain;
}

function totalsOf({ revision, mempool }: Pick<RevisionFacts, 'revision' | 'mempool'>): MempoolTotals {
  return { version: Number(revision), txs: mempool.txs, vsize: mempool.vsize, fees: mempool.fees };
}

function createView(
  reader: Reader,
  { revision, tip, mempool, blocks, names, txs, utxos, tags, projected, runs }: RevisionFacts,
): ChainView {
  const stored = new WeakMap<TxRecord, StoredTx>();
  const findFacts: FindTxFacts = (outputIds) => findTxFacts(reader, runs, txs, outputIds);
  const findCoins: FindUtxos = (outputIds) => findUtxos(reader, runs, utxos, outputIds);
  const findAt = async (height: number): Promise<BlockRecord | undefined> => {
    // Without a tip there is no block, and before the first start of the indexer no table to look into.
    if (!tip || height > tip.height) return undefined;
    const remembered = blocks.get(height);
    if (remembered) return remembered;
    const block = await findBlockAt(reader, height);
    if (blocks.size >= REMEMBERED_BLOCKS) blocks.clear();
    if (block) blocks.set(height, block);
    return block;
  };
  const nameAt = async (height: number): Promise<BlockName | undefined> => {
    if (!tip || height > tip.height) return undefined;
    const remembered = names.get(height) ?? blocks.get(height);
    if (remembered) return remembered;
    const name = await nameBlockAt(reader, height);
    if (names.size >= REMEMBERED_NAMES) names.clear();
    if (name) names.set(height, name);
    return name;
  };
  const findSpends = createSpendFinder(reader);
  const toRecord = (tx: StoredTx): TxRecord => {
    const { id, txid, weight, fee, height, position } = tx;
    const status = { confirmed: true, height, position } as const;
    const record: TxRecord = { id, txid, raw: readRaw(tx), weight, fee, status };
    stored.set(record, tx);
    return record;
  };
  const getStored = (tx: StoredTx | undefined, id: number): TxRecord => {
    if (tx?.id !== id) throw new Error(`the index has no transaction ${id}`);
    return toRecord(tx);
  };
  const getTxsById: ChainView['getTxsById'] = async (ids) => {
    const txs = await findStoredTxs(reader, runs, ids);
    return ids.map((id) => getStored(txs.get(id), id));
  };
  const listPrevouts: ChainView['listPrevouts'] = async (tx, span = wholeSpan) => {
    const confirmed = stored.get(tx);
    if (!confirmed) return await listUnconfirmedPrevouts(reader, runs, tx.raw, span);
    return (await listStoredPrevouts(reader, runs, [confirmed], span))[0]!;
  };
  const ofScript = (hash: Uint8Array): ScriptReads => {
    const key = hash.subarray(0, SCRIPT_KEY_BYTES);
    let narrowed: RunSet | undefined;
    const ownRuns = (): RunSet => (narrowed ??= narrowToScript(runs, key));
    let changes: ScriptStats | undefined;
    const getMempoolStats = async (): Promise<ScriptStats> => {
      changes ??= mempool.txs === 0 ? EMPTY_STATS : await sumMempoolChanges(reader, hash);
      return changes;
    };
    return {
      getStats: () => readScriptStats(reader, ownRuns(), hash),
      getMempoolStats,
      listHistory: (beforeTxId, limit) =>
        listScriptHistory(reader, ownRuns(), findFacts, hash, beforeTxId ?? Number.MAX_SAFE_INTEGER, limit),
      searchHistory: (search) => searchScriptHistory(reader, ownRuns(), findFacts, hash, search),
      listBalances: (beforeTxIds) => listBalances(reader, ownRuns(), key, beforeTxIds),
      listWaitingTxs: async (limit) => (mempool.txs === 0 ? [] : await listWaitingTxs(reader, hash, limit)),
      hasCoins: () => hasScriptCoins(reader, ownRuns(), hash),
      async listUtxos(afterOutputId, limit) {
        const found = await listScriptUtxos(reader, ownRuns(), findCoins, hash, afterOutputId ?? -1, limit);
        if (found.length === 0 || (await getMempoolStats()).spentCount === 0) return found;
        await Promise.all(
          found.map(async (utxo) => {
            utxo.spentInMempool = (await findSpends(utxo.txid)).has(utxo.vout);
          }),
        );
        return found;
      },
      listMempoolUtxos: async (afterOutputId, limit) =>
        mempool.txs === 0 ? [] : await listMempoolOutputs(reader, hash, afterOutputId ?? -1, limit),
    };
  };
  /** A handler reads several things of one script. */
  let lastScript: { script: Uint8Array; hash: Uint8Array; reads: ScriptReads } | undefined;
  const nameScript = (script: Uint8Array): { hash: Uint8Array; reads: ScriptReads } => {
    if (lastScript?.script !== script) {
      const hash = sha256(script);
      lastScript = { script, hash, reads: ofScript(hash) };
    }
    return lastScript;
  };

  return {
    reader,
    tip,
    mempool: totalsOf({ revision, mempool }),
    async getSynced() {
      // Without a revision there are no tables yet.
      const atMs = revision === '' ? undefined : await findSyncedMs(reader);
      return atMs === undefined ? undefined : { atMs };
    },
    findBlockAt: findAt,
    nameBlockAt: nameAt,
    findBlock: async (hash) => (tip ? await findBlockByHash(reader, hash) : undefined),
    listBlockHashes: async (fromHeight, count) => (tip ? await listHashesUp(reader, fromHeight, count) : []),
    listHeaders: async (fromHeight, count) => (tip ? await listHeadersUp(reader, fromHeight, count) : []),
    listBlocksAt: (heights) => listBlocksAt(reader, heights),
    listBlocks: (fromHeight, limit) => listBlocksDown(reader, fromHeight, limit),
    listCoinbaseTags: (blocks, charge) => listCoinbaseTags(tags, blocks, getTxsById, charge),
    listBlockTxs: (block, fromPosition, limit) => listTxsOfBlock(reader, runs, block, fromPosition, limit),
    listBlockRawTxs: (block, fromPosition, limit) =>
      listRawTxsOfBlock(reader, runs, block, fromPosition, limit),
    listBlockTxids: (block) => listTxidsOfBlock(reader, runs, block),
    readAuxpow: (block) => readAuxpow(reader, block),
    readRawBlock: (block) => readRawBlock(reader, runs, block),

    findUnconfirmedTx: async (txid) => (mempool.txs === 0 ? undefined : await findMempoolTx(reader, txid)),
    async findTx(txid) {
      const tx = await findTxByTxid(reader, runs, txid);
      if (!tx) return mempool.txs === 0 ? undefined : await findMempoolTx(reader, txid);
      return toRecord(tx);
    },
    listUnconfirmedParents: (tx, limit) => listMempoolParents(reader, tx.id, limit),
    listUnconfirmedChildren: (tx, limit) => listMempoolChildren(reader, tx.txid, limit),
    findReplacement: (txid) => findReplacement(reader, txid),
    listReplaced: (txid, limit) => listReplaced(reader, txid, limit),
    async findStaleBlock(hash) {
      const left = await findStaleBlock(reader, hash);
      return left && ((await findBlockByHash(reader, hash)) ? undefined : left);
    },
    async listStaleBlocks(limit) {
      const found: StaleBlock[] = [];
      for (const left of await listStaleBlocks(reader)) {
        if (found.length === limit) break;
        if (!(await findBlockByHash(reader, left.hash))) found.push(left);
      }
      return found;
    },
    getTxById: async (id) => getStored(await findStoredTx(reader, runs, id), id),
    getTxsById,
    listPrevouts,
    async listPrevoutsOf(txs) {
      const confirmed = txs.map((tx) => stored.get(tx));
      const found = await listStoredPrevouts(
        reader,
        runs,
        confirmed.filter((tx) => tx !== undefined),
        wholeSpan,
      );
      return await Promise.all(
        txs.map((tx, i) => (confirmed[i] === undefined ? listPrevouts(tx) : found.shift()!)),
      );
    },
    findOutput: async (txid, vout) => (await findOutputs(reader, runs, txid))?.(vout),
    async listSpends(tx, span = wholeSpan) {
      const confirmed = stored.get(tx);
      const spends = confirmed
        ? await listStoredSpends(reader, runs, confirmed, span)
        : getValue(parseTransaction(tx.raw))
            .outputs.slice(span.first, span.first + span.count)
            .map(() => undefined);
      if (mempool.txs > 0) {
        for (const [vout, spend] of await findSpends(tx.txid)) {
          const at = vout - span.first;
          if (at >= 0 && at < spends.length) spends[at] ??= spend;
        }
      }
      return spends;
    },

    async findScriptByHash(hash) {
      const script = await findScriptBytes(reader, runs, hash);
      if (script || mempool.txs === 0) return script;
      return await findMempoolScript(reader, hash);
    },
    findScriptByKey: (key) => findScriptByKey(reader, runs, key),
    readScriptKeys: (firstOutputId, count) => readOutputKeys(reader, runs, firstOutputId, count),
    async listTxsOfOutputs(outputIds) {
      const found = await findStoredTxs(reader, runs, outputIds);
      const byId = new Map(Array.from(found.values(), (tx) => [tx.id, tx]));
      return Array.from(byId.values(), toRecord);
    },
    getScripts: (outputIds) => readScripts(reader, runs, outputIds),
    findFirstOutput: (script) => findFirstOutput(reader, runs, script),
    ofScript,
    async visitTouchedScripts(fromTxId, mostEntries, visit) {
      return await visitScripts(reader, runs, fromTxId, mostEntries, visit);
    },
    async visitMempoolTouches(afterId, visit) {
      // Without a revision there are no tables yet.
      if (revision === '') return { newestId: afterId ?? 0, arrivals: 0 };
      return await visitTouches(reader, afterId, visit);
    },
    getScriptStats: (script) => nameScript(script).reads.getStats(),
    getMempoolStats: (script) => nameScript(script).reads.getMempoolStats(),
    listHistory: (script, beforeTxId, limit) => nameScript(script).reads.listHistory(beforeTxId, limit),
    async listMempoolHistory(script, beforeTxId, limit) {
      if (mempool.txs === 0) return [];
      const before = beforeTxId ?? Number.MAX_SAFE_INTEGER;
      return await listMempoolChanges(reader, nameScript(script).hash, before, limit);
    },
    listUtxos: (script, afterOutputId, limit) => nameScript(script).reads.listUtxos(afterOutputId, limit),
    listMempoolUtxos: (script, afterOutputId, limit) =>
      nameScript(script).reads.listMempoolUtxos(afterOutputId, limit),

    getFeeHistogram: async () => describeHistogram(mempool),
    readProjectedBlock: (number) => readProjectedBlock(reader, mempool, projected, number),
    listMempoolTxs: (limit) => listNewestMempoolTxs(reader, limit),
    listMempoolTxids: (limit) => listAllMempoolTxids(reader, limit),
    listMempoolArrivals: (afterId, limit) => listMempoolArrivals(reader, afterId, limit),
    listMempoolIds: (ids) => listPresentMempoolIds(reader, ids),
    listCoinbasePayouts: (script, fromHeight, beforeHeight, limit) =>
      listPayouts(reader, runs, script, fromHeight, beforeHeight ?? Number.MAX_SAFE_INTEGER, limit),
    getCoinbasePayoutTotals: (script) => getPayoutTotals(reader, script),
  };
}
