import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction } from '@coinfront/protocol/transaction.ts';
import type { Database, Reader } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { hasTables } from '../db/tables.ts';
import {
  decodeMempoolSummary,
  emptyMempoolSummary,
  type MempoolSummary,
} from '../indexer/mempool-summary.ts';
import { findSyncedMs } from '../indexer/sync-mark.ts';
import { readRaw } from '../indexer/tx-page.ts';
import { findStoredTx, findTxByTxid, type StoredTx } from '../indexer/tx-store.ts';
import {
  findBlockAt,
  findBlockByHash,
  findTipBlock,
  listBlocksDown,
  listRawTxsOfBlock,
  listTxidsOfBlock,
  listTxsOfBlock,
  readAuxpow,
  readRawBlock,
  type StoredBlock,
} from './block-store.ts';
import type { BlockRecord, ChainView, ReadChain, ScriptStats, TxRecord } from './chain-view.ts';
import {
  describeHistogram,
  findMempoolScript,
  findMempoolTx,
  listAllMempoolTxids,
  listMempoolArrivals,
  listMempoolChanges,
  listMempoolOutputs,
  listNewestMempoolTxs,
  listPresentMempoolIds,
  sumMempoolChanges,
} from './mempool-store.ts';
import { getPayoutTotals, listPayouts } from './payout-store.ts';
import {
  findKnownScript,
  findScriptBytes,
  idOfScript,
  type KnownScript,
  listScriptHistory,
  listScriptUtxos,
  readScripts,
  statsOfScript,
} from './script-store.ts';
import { type FindTxFacts, findTxFacts, type TxFactsMemory } from './tx-facts.ts';
import { listStoredPrevouts, listStoredSpends } from './tx-store.ts';
import { createSpendFinder, findOutputs, listUnconfirmedPrevouts } from './unconfirmed.ts';

const GET_REVISION = sql<{ value: string }>("select value from meta where key = 'revision'");
const GET_MEMPOOL = sql<{ value: string }>("select value from meta where key = 'mempool'");
const EMPTY_STATS = { txCount: 0, fundedCount: 0, fundedSum: 0n, spentCount: 0, spentSum: 0n };

/** What is the same for all views of one revision. */
type RevisionFacts = {
  revision: string;
  tip: StoredBlock | undefined;
  mempool: MempoolSummary;
  /** Blocks read lately, by height. */
  blocks: Map<number, BlockRecord>;
  txs: TxFactsMemory;
};

const REMEMBERED_BLOCKS = 2_000;

/** Opens the chain index for reading: each call of the result sees one snapshot of tip and mempool. */
export function createReadChain(db: Database): ReadChain {
  let facts: RevisionFacts = {
    revision: '',
    tip: undefined,
    mempool: emptyMempoolSummary(),
    blocks: new Map(),
    txs: new Map(),
  };
  let isReady = false;
  const factsOf = new WeakMap<Reader, Promise<RevisionFacts>>();

  const findFacts = async (reader: Reader): Promise<RevisionFacts> => {
    isReady ||= await hasTables(reader, db.engine);
    if (!isReady) return facts;
    const revision = (await reader.get(GET_REVISION))?.value ?? '';
    if (revision === facts.revision && revision !== '') return facts;
    const tip = await findTipBlock(reader);
    const mempool = await reader.get(GET_MEMPOOL);
    const isSameTip = tip && facts.tip && equalBytes(tip.hash, facts.tip.hash);
    facts = {
      revision,
      tip,
      mempool: mempool ? decodeMempoolSummary(mempool.value) : emptyMempoolSummary(),
      blocks: isSameTip ? facts.blocks : new Map(),
      txs: isSameTip ? facts.txs : new Map(),
    };
    return facts;
  };

  const readChain: ReadChain = (read) =>
    db.snapshot(async (reader) => {
      let found = factsOf.get(reader);
      if (!found) {
        found = findFacts(reader);
        factsOf.set(reader, found);
      }
      return await read(createView(reader, await found));
    });
  if (db.latest) {
    readChain.peek = async () => {
      if (facts.revision === '') return undefined;
      const latest = await db.latest!(GET_REVISION);
      const { tip, revision } = facts;
      return tip && latest?.value === revision ? { tip, mempoolVersion: Number(revision) } : undefined;
    };
  }
  return readChain;
}

function createView(reader: Reader, { revision, tip, mempool, blocks, txs }: RevisionFacts): ChainView {
  const stored = new WeakMap<TxRecord, StoredTx>();
  const totalTxs = tip?.totals.txs ?? 0;
  const totalScripts = tip?.totalScripts ?? 0;
  let lastScript: { script: Uint8Array; known: KnownScript | undefined } | undefined;

  const findScript = async (script: Uint8Array): Promise<KnownScript | undefined> => {
    if (lastScript?.script !== script) {
      lastScript = { script, known: await findKnownScript(reader, totalScripts, script) };
    }
    return lastScript.known;
  };
  const findFacts: FindTxFacts = (outputIds) => findTxFacts(reader, txs, outputIds);
  const findAt = async (height: number): Promise<BlockRecord | undefined> => {
    const remembered = blocks.get(height);
    if (remembered) return remembered;
    const block = await findBlockAt(reader, height);
    if (blocks.size >= REMEMBERED_BLOCKS) blocks.clear();
    if (block) blocks.set(height, block);
    return block;
  };
  const findSpends = createSpendFinder(reader);
  const toRecord = (tx: StoredTx): TxRecord => {
    const { id, txid, weight, fee, height, position } = tx;
    const status = { confirmed: true, height, position } as const;
    const record: TxRecord = { id, txid, raw: readRaw(tx), weight, fee, status };
    stored.set(record, tx);
    return record;
  };
  let lastChanges: { script: Uint8Array; stats: ScriptStats } | undefined;
  const getMempoolStats: ChainView['getMempoolStats'] = async (script) => {
    if (mempool.txs === 0) return EMPTY_STATS;
    if (lastChanges?.script !== script) {
      lastChanges = { script, stats: await sumMempoolChanges(reader, script) };
    }
    return lastChanges.stats;
  };

  return {
    reader,
    tip,
    mempool: { version: Number(revision), txs: mempool.txs, vsize: mempool.vsize, fees: mempool.fees },
    async getSynced() {
      // Without a revision there are no tables yet.
      const atMs = revision === '' ? undefined : await findSyncedMs(reader);
      return atMs === undefined ? undefined : { atMs };
    },
    findBlockAt: findAt,
    findBlock: (hash) => findBlockByHash(reader, hash),
    listBlocks: (fromHeight, limit) => listBlocksDown(reader, fromHeight, limit),
    listBlockTxs: (block, fromPosition, limit) => listTxsOfBlock(reader, block, fromPosition, limit),
    listBlockRawTxs: (block, fromPosition, limit) => listRawTxsOfBlock(reader, block, fromPosition, limit),
    listBlockTxids: (block) => listTxidsOfBlock(reader, block),
    readAuxpow: (block) => readAuxpow(reader, block),
    readRawBlock: (block) => readRawBlock(reader, block),

    async findTx(txid) {
      const tx = await findTxByTxid(reader, totalTxs, txid);
      if (!tx) return mempool.txs === 0 ? undefined : await findMempoolTx(reader, txid);
      return toRecord(tx);
    },
    async getTxById(id) {
      const tx = await findStoredTx(reader, id);
      if (tx?.id !== id) throw new Error(`the index has no transaction ${id}`);
      return toRecord(tx);
    },
    async listPrevouts(tx) {
      const confirmed = stored.get(tx);
      if (confirmed) return await listStoredPrevouts(reader, confirmed);
      return await listUnconfirmedPrevouts(reader, totalTxs, tx.raw);
    },
    findOutput: async (txid, vout) => (await findOutputs(reader, totalTxs, txid))?.(vout),
    async listSpends(tx) {
      const confirmed = stored.get(tx);
      const { length } = getValue(parseTransaction(tx.raw)).outputs;
      const spends = confirmed
        ? await listStoredSpends(reader, confirmed)
        : new Array(length).fill(undefined);
      if (mempool.txs > 0) {
        for (const [vout, spend] of await findSpends(tx.txid)) spends[vout] ??= spend;
      }
      return spends;
    },

    async findScriptByHash(hash) {
      const script = await findScriptBytes(reader, totalScripts, hash);
      if (script || mempool.txs === 0) return script;
      return await findMempoolScript(reader, hash);
    },
    getScripts: (outputIds) => readScripts(reader, outputIds),
    async findFirstOutput(script) {
      const known = await findScript(script);
      if (!known) return undefined;
      const outputId = idOfScript(known);
      const tx = known.kind === 'single' ? known.funding : await findStoredTx(reader, outputId);
      return tx && { txid: tx.txid, vout: outputId - tx.id, height: tx.height, position: tx.position };
    },
    getScriptStats: async (script) => statsOfScript(await findScript(script)),
    getMempoolStats,
    async listHistory(script, beforeTxId, limit) {
      const known = await findScript(script);
      return known
        ? await listScriptHistory(reader, findFacts, known, beforeTxId ?? Number.MAX_SAFE_INTEGER, limit)
        : [];
    },
    async listMempoolHistory(script, beforeTxId, limit) {
      if (mempool.txs === 0) return [];
      return await listMempoolChanges(reader, script, beforeTxId ?? Number.MAX_SAFE_INTEGER, limit);
    },
    async listUtxos(script, afterOutputId, limit) {
      const known = await findScript(script);
      if (!known) return [];
      const utxos = await listScriptUtxos(reader, findFacts, known, afterOutputId ?? -1, limit);
      if ((await getMempoolStats(script)).spentCount === 0) return utxos;
      await Promise.all(
        utxos.map(async (utxo) => {
          utxo.spentInMempool = (await findSpends(utxo.txid)).has(utxo.vout);
        }),
      );
      return utxos;
    },
    async listMempoolUtxos(script, afterOutputId, limit) {
      if (mempool.txs === 0) return [];
      return await listMempoolOutputs(reader, script, afterOutputId ?? -1, limit);
    },

    getFeeHistogram: async () => describeHistogram(mempool),
    listMempoolTxs: (limit) => listNewestMempoolTxs(reader, limit),
    listMempoolTxids: (limit) => listAllMempoolTxids(reader, limit),
    listMempoolArrivals: (afterId, limit) => listMempoolArrivals(reader, afterId, limit),
    listMempoolIds: (ids) => listPresentMempoolIds(reader, ids),
    listCoinbasePayouts: (script, fromHeight, beforeHeight, limit) =>
      listPayouts(reader, script, fromHeight, beforeHeight ?? Number.MAX_SAFE_INTEGER, limit),
    getCoinbasePayoutTotals: (script) => getPayoutTotals(reader, script),
  };
}
