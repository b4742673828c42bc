/** Answers a `ChainView` from a fixture chain. */

import { concatBytes, equalBytes } from '@coinfront/protocol/bytes.ts';
import { isUnspendable } from '@coinfront/protocol/script.ts';
import { isCoinbase } from '@coinfront/protocol/transaction.ts';
import type {
  ChainView,
  CoinbasePayout,
  HistoryEntry,
  Prevout,
  ReadChain,
  ScriptStats,
  Spend,
  TxRecord,
  Utxo,
} from '../chain/chain-view.ts';
import { wholeSpan } from '../chain/chain-view.ts';
import {
  type FixtureChain,
  type FixtureOutput,
  type FixtureTx,
  findOutput,
  fixtureSeenMs,
  sha256Of,
} from './fixture-chain.ts';

/** Reads of the chain as it is at each call. */
export function readFixture(chain: FixtureChain): ReadChain {
  return async (read) => read(viewFixture(chain));
}

/** No output of the fixture has it. */
const noScript = Uint8Array.of(0xff);

/** Tables that parts derive are only in a real index. */
async function refuse(): Promise<never> {
  throw new Error('a fixture chain has no database');
}

function viewFixture(chain: FixtureChain): ChainView {
  const withScript = (script: Uint8Array): FixtureOutput[] =>
    chain.outputs.filter((output) => equalBytes(output.script, script));
  const findRecord = (txid: Uint8Array): FixtureTx | undefined =>
    chain.txs.find((tx) => equalBytes(tx.txid, txid));
  const history = (
    script: Uint8Array,
    confirmed: boolean,
    before: number | undefined,
    limit: number,
  ): HistoryEntry[] => {
    const own = withScript(script);
    return chain.txs
      .filter(
        (tx) =>
          (tx.height !== undefined) === confirmed &&
          (before === undefined || tx.id < before) &&
          touches(tx, own),
      )
      .map((tx) => ({ tx, delta: deltaOf(tx, own) }))
      .sort((a, b) => b.tx.id - a.tx.id)
      .slice(0, limit)
      .map(({ tx, delta }) => ({ txId: tx.id, txid: tx.txid, delta, status: statusOf(tx) }));
  };
  const utxos = (script: Uint8Array, confirmed: boolean, after: number | undefined, limit: number): Utxo[] =>
    withScript(script)
      .filter(
        ({ owner, spentBy, id, script }) =>
          (owner.height !== undefined) === confirmed &&
          !isUnspendable(script) &&
          (spentBy === undefined || (confirmed && spentBy.owner.height === undefined)) &&
          (after === undefined || id > after),
      )
      .slice(0, limit)
      .map(({ owner, vout, value, id, spentBy }) => ({
        txid: owner.txid,
        vout,
        value,
        outputId: id,
        height: owner.height,
        coinbase: isCoinbase(owner.tx),
        pegOut: false,
        spentInMempool: spentBy !== undefined,
      }));
  const payouts = (script: Uint8Array): CoinbasePayout[] =>
    withScript(script)
      .filter(({ owner }) => isCoinbase(owner.tx))
      .map(({ owner, vout, value }) => {
        const block = chain.blocks[owner.height!]!;
        return { height: block.height, hash: block.hash, time: block.time, txid: owner.txid, vout, value };
      })
      .sort((a, b) => b.height - a.height || a.vout - b.vout);

  const toRecord = (found: FixtureTx): TxRecord => {
    const { id, txid, raw, weight, fee } = found;
    return { id, txid, raw, weight, fee, status: statusOf(found) };
  };
  const listPrevouts: ChainView['listPrevouts'] = async (record, { first, count } = wholeSpan) => {
    const { tx } = findRecord(record.txid)!;
    return tx.inputs.slice(first, first + count).map((input): Prevout | undefined => {
      const spent = findOutput(chain, input.prevTxid, input.prevVout);
      if (spent === undefined) return undefined;
      const { owner, vout, value, script } = spent;
      return { txid: owner.txid, vout, value, script, height: owner.height, coinbase: isCoinbase(owner.tx) };
    });
  };

  return {
    reader: { folder: undefined, all: refuse, get: refuse, lookup: refuse },
    tip: chain.blocks.at(-1),
    mempool: chain.mempool,
    getSynced: async () => ({ atMs: fixtureSeenMs }),
    findBlockAt: async (height) => chain.blocks[height],
    nameBlockAt: async (height) => chain.blocks[height],
    findBlock: async (hash) => chain.blocks.find((block) => equalBytes(block.hash, hash)),
    listBlockHashes: async (from, count) => chain.blocks.slice(from, from + count).map(({ hash }) => hash),
    listHeaders: async (from, count) =>
      chain.blocks.slice(from, from + count).map(({ header }) => ({ header, auxpow: new Uint8Array(0) })),
    listBlocksAt: async (heights) => heights.flatMap((height) => chain.blocks[height] ?? []),
    listBlocks: async (from, limit) =>
      chain.blocks
        .slice(0, from + 1)
        .reverse()
        .slice(0, limit),
    listCoinbaseTags: async (blocks) => blocks.map(() => undefined),
    listBlockTxs: async (block, from, limit) =>
      chain.txs
        .slice(block.firstTxId + from, block.firstTxId + Math.min(block.txCount, from + limit))
        .map((tx) => ({
          id: tx.id,
          txid: tx.txid,
          height: block.height,
          position: tx.position,
          weight: tx.weight,
          fee: tx.fee,
          outputValue: tx.tx.outputs.reduce((sum, { value }) => sum + value, 0n),
        })),
    listBlockRawTxs: async (block, from, limit) =>
      chain.txs
        .slice(block.firstTxId + from, block.firstTxId + Math.min(block.txCount, from + limit))
        .map(({ txid, raw }) => ({ txid, raw })),
    readAuxpow: async () => new Uint8Array(0),
    async readRawBlock(block) {
      const txs = chain.txs.slice(block.firstTxId, block.firstTxId + block.txCount);
      return concatBytes(block.header, Uint8Array.of(block.txCount), ...txs.map(({ raw }) => raw));
    },
    listBlockTxids: async (block) =>
      chain.txs.slice(block.firstTxId, block.firstTxId + block.txCount).map(({ txid }) => txid),
    async findUnconfirmedTx(txid) {
      const found = findRecord(txid);
      return found === undefined || found.height !== undefined ? undefined : toRecord(found);
    },
    async findTx(txid) {
      const found = findRecord(txid);
      return found && toRecord(found);
    },
    async listUnconfirmedParents(record) {
      const spent = findRecord(record.txid)!.tx.inputs.flatMap(({ prevTxid }) => findRecord(prevTxid) ?? []);
      return spent.filter(({ height }) => height === undefined).map(toRecord);
    },
    async listUnconfirmedChildren(record) {
      const spenders = chain.outputs.flatMap(({ owner, spentBy }) =>
        equalBytes(owner.txid, record.txid) && spentBy !== undefined ? [spentBy.owner] : [],
      );
      return spenders.filter(({ height }) => height === undefined).map(toRecord);
    },
    // Nothing of a fixture was ever replaced, or left.
    findReplacement: async () => undefined,
    listReplaced: async () => [],
    findStaleBlock: async () => undefined,
    listStaleBlocks: async () => [],
    async getTxById() {
      return await refuse();
    },
    getTxsById: async (ids) =>
      ids.map((id) => toRecord(chain.txs.find((tx) => tx.height !== undefined && tx.id === id)!)),
    readScriptKeys: refuse,
    listTxsOfOutputs: refuse,
    getScripts: refuse,
    listPrevouts,
    listPrevoutsOf: (records) => Promise.all(records.map((record) => listPrevouts(record))),
    async findOutput(txid, vout) {
      const found = findOutput(chain, txid, vout);
      if (found === undefined) return undefined;
      const { owner, value, script } = found;
      return { txid, vout, value, script, height: owner.height, coinbase: isCoinbase(owner.tx) };
    },
    async listSpends(record, { first, count } = wholeSpan) {
      const { tx } = findRecord(record.txid)!;
      return tx.outputs.slice(first, first + count).map((_, at): Spend | undefined => {
        const vout = first + at;
        const spentBy = findOutput(chain, record.txid, vout)?.spentBy;
        return spentBy && { txid: spentBy.owner.txid, vin: spentBy.vin, height: spentBy.owner.height };
      });
    },
    findScriptByHash: async (hash) =>
      chain.outputs.find(({ script }) => equalBytes(sha256Of(script), hash))?.script,
    findScriptByKey: async (key) =>
      chain.outputs.find(({ script }) => equalBytes(sha256Of(script).subarray(0, key.length), key))?.script,
    ofScript(hash) {
      const script =
        chain.outputs.find((output) => equalBytes(sha256Of(output.script), hash))?.script ?? noScript;
      return {
        getStats: async () => statsOf(chain, withScript(script), true),
        getMempoolStats: async () => statsOf(chain, withScript(script), false),
        listHistory: async (before, limit) => history(script, true, before, limit),
        async searchHistory({ beforeTxId, fromTxId, matches, limit }) {
          const entries = history(script, true, beforeTxId, Number.MAX_SAFE_INTEGER).filter(
            ({ txId, delta }) => txId >= fromTxId && matches(delta),
          );
          const shown = entries.slice(0, limit);
          const end = shown.at(-1);
          const last = end?.status.confirmed ? { txId: end.txId, height: end.status.height } : undefined;
          return { entries: shown, last: entries.length > limit ? last : undefined };
        },
        listBalances: async (beforeTxIds) =>
          beforeTxIds.map((before) =>
            history(script, true, before, Number.MAX_SAFE_INTEGER).reduce(
              (sum, { delta }) => sum + delta,
              0n,
            ),
          ),
        listWaitingTxs: async (limit) =>
          history(script, false, undefined, limit).map(({ txId, txid }) => {
            const { tx, fee = 0n } = findRecord(txid)!;
            const hasUnconfirmedParent = tx.inputs.some(({ prevTxid }) => {
              const parent = findRecord(prevTxid);
              return parent !== undefined && parent.height === undefined;
            });
            return { id: txId, txid, fee, hasUnconfirmedParent };
          }),
        hasCoins: async () => utxos(script, true, undefined, 1).length > 0,
        listUtxos: async (after, limit) => utxos(script, true, after, limit),
        listMempoolUtxos: async (after, limit) => utxos(script, false, after, limit),
      };
    },
    // The whole chain is touched by anything: nothing of it is skipped.
    visitTouchedScripts: async () => false,
    visitMempoolTouches: async () => ({ newestId: chain.txs.length, arrivals: 0 }),
    async findFirstOutput(script) {
      const first = withScript(script).find(({ owner }) => owner.height !== undefined);
      if (first === undefined) return undefined;
      const { txid, height, position } = first.owner;
      return { txid, vout: first.vout, height: height!, position };
    },
    getScriptStats: async (script) => statsOf(chain, withScript(script), true),
    getMempoolStats: async (script) => statsOf(chain, withScript(script), false),
    listHistory: async (script, before, limit) => history(script, true, before, limit),
    listMempoolHistory: async (script, before, limit) => history(script, false, before, limit),
    listUtxos: async (script, after, limit) => utxos(script, true, after, limit),
    listMempoolUtxos: async (script, after, limit) => utxos(script, false, after, limit),
    getFeeHistogram: async () =>
      chain.mempool.txs === 0
        ? []
        : [{ feeRateMilliSatsPerVb: 1000, vsize: chain.mempool.vsize, txs: chain.mempool.txs }],
    readProjectedBlock: async (number) => {
      const listed = chain.txs
        .filter(({ height }) => height === undefined && number === 1)
        .map(({ txid, fee, weight }) => ({ txid, fee: fee ?? 0n, vsize: Math.ceil(weight / 4) }));
      const { txs, vsize, fees } = chain.mempool;
      return { blocks: Math.min(1, txs), rowsRead: txs, txs: listed.length, vsize, fees, listed };
    },
    listMempoolTxs: async (limit) =>
      chain.txs
        .filter(({ height }) => height === undefined)
        .reverse()
        .slice(0, limit)
        .map(({ txid, fee, weight, tx }) => ({
          txid,
          fee: fee ?? 0n,
          vsize: Math.ceil(weight / 4),
          value: tx.outputs.reduce((sum, { value }) => sum + value, 0n),
          firstSeenMs: fixtureSeenMs,
        })),
    listMempoolTxids: async (limit) =>
      chain.txs
        .filter(({ height }) => height === undefined)
        .slice(0, limit)
        .map(({ txid }) => txid),
    listMempoolArrivals: async (afterId, limit) =>
      chain.txs
        .filter(({ height, id }) => height === undefined && id > afterId)
        .slice(0, limit)
        .map(({ id, txid, raw }) => ({ id, txid, raw, firstSeenMs: fixtureSeenMs })),
    listMempoolIds: async (ids) =>
      chain.txs.filter(({ height, id }) => height === undefined && ids.includes(id)).map(({ id }) => id),
    listCoinbasePayouts: async (script, from, before, limit) =>
      payouts(script)
        .filter(({ height }) => height >= from && (before === undefined || height < before))
        .slice(0, limit),
    async getCoinbasePayoutTotals(script) {
      const all = payouts(script);
      return {
        blocks: new Set(all.map(({ height }) => height)).size,
        value: all.reduce((sum, { value }) => sum + value, 0n),
        firstHeight: all.at(-1)?.height,
        lastHeight: all[0]?.height,
      };
    },
  };
}

function statusOf(tx: FixtureTx): TxRecord['status'] {
  return tx.height === undefined
    ? { confirmed: false, firstSeenMs: fixtureSeenMs }
    : { confirmed: true, height: tx.height, position: tx.position };
}

function touches(tx: FixtureTx, outputs: readonly FixtureOutput[]): boolean {
  return outputs.some(({ owner, spentBy }) => owner === tx || spentBy?.owner === tx);
}

function deltaOf(tx: FixtureTx, outputs: readonly FixtureOutput[]): bigint {
  let delta = 0n;
  for (const { owner, spentBy, value } of outputs) {
    if (owner === tx) delta += value;
    if (spentBy?.owner === tx) delta -= value;
  }
  return delta;
}

function statsOf(chain: FixtureChain, outputs: readonly FixtureOutput[], confirmed: boolean): ScriptStats {
  const here = (tx: FixtureTx | undefined): boolean =>
    tx !== undefined && (tx.height !== undefined) === confirmed;
  const funded = outputs.filter(({ owner }) => here(owner));
  const spent = outputs.filter(({ spentBy }) => here(spentBy?.owner));
  const sum = (list: readonly FixtureOutput[]): bigint =>
    list.reduce((total, { value }) => total + value, 0n);
  return {
    txCount: chain.txs.filter((tx) => here(tx) && touches(tx, outputs)).length,
    fundedCount: funded.length,
    fundedSum: sum(funded),
    spentCount: spent.length,
    spentSum: sum(spent),
  };
}
