import {
  AfterTxidQuery,
  EsploraAddress,
  EsploraSummaryEntry,
  EsploraTx,
  EsploraUtxo,
  OwnerAfterParams,
  OwnerParams,
} from '@coinfront/api/esplora.ts';
import { decodeAddress } from '@coinfront/protocol/address.ts';
import { getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  type ChainView,
  getTx,
  type HistoryEntry,
  type ScriptStats,
  type Utxo,
} from '../../chain/chain-reads.ts';
import { AppError } from '../../errors.ts';
import { registerRead } from '../../http/read-route.ts';
import { answerTxs } from './answer-txs.ts';
import { type EsploraContext, maxListed, mempoolPageSize, pageSize } from './esplora-context.ts';
import { esploraExamples } from './examples.ts';
import { describe, lookUpCost, txListCost } from './route-kit.ts';
import { readStatus, serialiseTotals, toBaseUnits } from './serialise.ts';

type OwnerKind = 'address' | 'scripthash';
type Reading = { view: ChainView; countRows(rows: number): void };

const noStats: ScriptStats = { txCount: 0, fundedCount: 0, fundedSum: 0n, spentCount: 0, spentSum: 0n };

/** `/address` and `/scripthash`: the same answers about the script that an address, or a hash, stands for. */
export function registerOwnerRoutes(app: FastifyInstance, context: EsploraContext, kind: OwnerKind): void {
  const errors = kind === 'address' ? (['address_invalid'] as const) : [];
  const listErrors = [...errors, 'overloaded'] as const;
  const params = OwnerParams[kind];
  const prefix = `/${kind}/:${kind}`;
  const readTxs = ({ view, countRows }: Reading, entries: readonly HistoryEntry[]) => {
    countRows(entries.length);
    const listed = entries.map(({ txId: id, txid, status }) => ({ id, txid, status }));
    return answerTxs(view, listed, context);
  };

  registerRead(app, context, {
    path: prefix,
    dependsOn: 'mempool',
    params,
    cost: lookUpCost,
    response: EsploraAddress,
    operation: describe(kind, `Totals of an ${kind}`, errors, esploraExamples.address),
    async read({ view, params }) {
      const script = await findScript(view, params, context);
      const chain = script === undefined ? noStats : await view.getScriptStats(script);
      const mempool = script === undefined ? noStats : await view.getMempoolStats(script);
      return { ...params, chain_stats: serialiseTotals(chain), mempool_stats: serialiseTotals(mempool) };
    },
  });
  registerRead(app, context, {
    path: `${prefix}/txs`,
    dependsOn: 'mempool',
    params,
    query: AfterTxidQuery,
    cost: txListCost,
    response: Type.Array(EsploraTx),
    operation: describe(
      `${kind}Txs`,
      'Up to 50 unconfirmed and 25 confirmed transactions, newest first; behind one, where it is named',
      [...listErrors, 'transaction_not_found'],
      [esploraExamples.tx],
    ),
    async read({ params, query, ...reading }) {
      const { view } = reading;
      const script = await findScript(view, params, context);
      const after =
        query.after_txid === undefined ? undefined : await getTx(view, query.after_txid, reading.charge);
      if (script === undefined) return [];
      if (after?.status.confirmed)
        return readTxs(reading, await view.listHistory(script, after.id, pageSize));
      const pending = await view.listMempoolHistory(script, after?.id, mempoolPageSize);
      return readTxs(reading, [...pending, ...(await view.listHistory(script, undefined, pageSize))]);
    },
  });
  registerRead(app, context, {
    path: `${prefix}/txs/mempool`,
    dependsOn: 'mempool',
    params,
    cost: txListCost,
    response: Type.Array(EsploraTx),
    operation: describe(
      `${kind}MempoolTxs`,
      'Up to 50 unconfirmed transactions, newest first',
      listErrors,
      [],
    ),
    async read({ params, ...reading }) {
      const { view } = reading;
      const script = await findScript(view, params, context);
      return script === undefined
        ? []
        : readTxs(reading, await view.listMempoolHistory(script, undefined, mempoolPageSize));
    },
  });
  registerRead(app, context, {
    path: `${prefix}/txs/chain`,
    dependsOn: 'tip',
    params,
    cost: txListCost,
    response: Type.Array(EsploraTx),
    operation: describe(`${kind}ChainTxs`, '25 confirmed transactions, newest first', listErrors, [
      esploraExamples.tx,
    ]),
    async read({ params, ...reading }) {
      const { view } = reading;
      const script = await findScript(view, params, context);
      return script === undefined
        ? []
        : readTxs(reading, await view.listHistory(script, undefined, pageSize));
    },
  });
  registerRead(app, context, {
    path: `${prefix}/txs/chain/:last_seen_txid`,
    dependsOn: 'tip',
    params: OwnerAfterParams[kind],
    cost: txListCost,
    response: Type.Array(EsploraTx),
    operation: describe(
      `${kind}ChainTxsAfter`,
      '25 confirmed transactions older than one',
      [...listErrors, 'transaction_not_found'],
      [esploraExamples.tx],
    ),
    async read({ params, ...reading }) {
      const { view } = reading;
      const script = await findScript(view, params, context);
      const last = await getTx(view, params.last_seen_txid, reading.charge);
      if (script === undefined || !last.status.confirmed) return [];
      return readTxs(reading, await view.listHistory(script, last.id, pageSize));
    },
  });
  registerRead(app, context, {
    path: `${prefix}/txs/summary`,
    dependsOn: 'tip',
    params,
    query: AfterTxidQuery,
    cost: { reserve: 25, rowsOfUnit: 10, of: 'transactions' },
    response: Type.Array(EsploraSummaryEntry),
    operation: describe(
      `${kind}TxsSummary`,
      `What up to ${maxListed.summary} confirmed transactions did to the balance, newest first; behind one, where it is named`,
      [...errors, 'transaction_not_found'],
      [{ ...esploraExamples.summary }],
    ),
    async read({ view, params, query, charge, countRows }) {
      const script = await findScript(view, params, context);
      const after = query.after_txid === undefined ? undefined : await getTx(view, query.after_txid, charge);
      if (script === undefined) return [];
      const before = after?.status.confirmed ? after.id : undefined;
      const entries = await view.listHistory(script, before, maxListed.summary);
      countRows(entries.length);
      return await Promise.all(entries.map((entry) => summarise(view, entry)));
    },
  });
  registerRead(app, context, {
    path: `${prefix}/utxo`,
    dependsOn: 'mempool',
    params,
    cost: { reserve: 5, rowsOfUnit: 500, of: 'outputs' },
    response: Type.Array(EsploraUtxo),
    operation: describe(`${kind}Utxos`, `All unspent outputs; an error above ${maxListed.utxos}`, errors, [
      esploraExamples.utxo,
    ]),
    async read({ params, ...reading }) {
      const script = await findScript(reading.view, params, context);
      return script === undefined ? [] : listUtxos(reading, script);
    },
  });
}

async function summarise(view: ChainView, { txid, delta, status }: HistoryEntry) {
  if (!status.confirmed) throw new Error(`${toDisplayHash(txid)} of the chain is not confirmed`);
  const block = await view.nameBlockAt(status.height);
  return {
    txid: toDisplayHash(txid),
    height: status.height,
    value: toBaseUnits(delta),
    time: block!.time,
    tx_position: status.position,
  };
}

async function findScript(
  view: ChainView,
  params: { address?: string; scripthash?: string },
  { profile }: EsploraContext,
): Promise<Uint8Array | undefined> {
  if (params.scripthash !== undefined) return view.findScriptByHash(getHexBytes(params.scripthash));
  const decoded = decodeAddress(params.address ?? '', profile);
  if (!decoded.ok) throw new AppError('address_invalid', `Invalid address: ${decoded.reason}`);
  return decoded.value.script;
}

async function listUtxos({ view, countRows }: Reading, script: Uint8Array) {
  const want = maxListed.utxos + 1;
  const confirmed = await view.listUtxos(script, undefined, want);
  const pending = view.mempool.txs === 0 ? [] : await view.listMempoolUtxos(script, undefined, want);
  const all: Utxo[] = [...confirmed, ...pending];
  countRows(all.length);
  if (all.length > maxListed.utxos) {
    const detail = `Too many unspent transaction outputs (>${maxListed.utxos}). Read them in pages at /api/v1/utxos.`;
    throw new AppError('invalid_parameter', detail);
  }
  const utxos = [];
  for (const { txid, vout, height, value, spentInMempool } of all) {
    if (spentInMempool) continue;
    const status = await readStatus(view, height);
    utxos.push({ txid: toDisplayHash(txid), vout, status, value: toBaseUnits(value) });
  }
  return utxos;
}
