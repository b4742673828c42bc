import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { ChainView, Utxo, WaitingTx } from '../../../chain/chain-view.ts';
import { type ElectrumContext, readFor } from '../electrum-context.ts';
import { electrumCosts, electrumLimits } from '../electrum-limits.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { type GiveWay, readHistory, readUnconfirmed } from '../scripts/read-script.ts';
import { heightOf } from '../scripts/status-rules.ts';
import type { Session } from '../session/session.ts';
import type { Method, Methods } from './method.ts';
import { readHash } from './read-parameters.ts';

/** A method of one script, and what its rows cost besides. */
function aboutScript(
  read: (view: ChainView, hash: Uint8Array, giveWay: GiveWay) => Promise<{ text: string; units: number }>,
): Method {
  return {
    parameters: ['scripthash'],
    required: 1,
    cost: electrumCosts.call,
    async answer(context: ElectrumContext, session: Session, [scripthash]) {
      const hash = readHash(scripthash, 'scripthash');
      const { text, units } = await readFor(context, session, (view) => read(view, hash, context.giveWay));
      context.charge.after(session, units);
      return text;
    },
  };
}

const getBalance = aboutScript(async (view, hash) => {
  const reads = view.ofScript(hash);
  // What nothing was ever spent of may be what nothing can ever be spent of: genesis, or data.
  const { fundedSum, spentSum, spentCount } = await reads.getStats();
  const waiting = await reads.getMempoolStats();
  const unconfirmed = waiting.fundedSum - waiting.spentSum;
  const confirmed = spentCount > 0 || (await reads.hasCoins()) ? fundedSum - spentSum : 0n;
  return { text: `{"confirmed":${confirmed},"unconfirmed":${unconfirmed}}`, units: 0 };
});

const getHistory = aboutScript(async (view, hash, giveWay) => {
  const { confirmed, unconfirmed } = await readHistory(view, hash, giveWay);
  const rows = confirmed.map(({ txid, height }) => `{"tx_hash":"${toDisplayHash(txid)}","height":${height}}`);
  for (const tx of unconfirmed) rows.push(showWaiting(tx));
  return { text: `[${rows.join(',')}]`, units: rows.length / electrumCosts.historyRows };
});

const getMempool = aboutScript(async (view, hash) => {
  const waiting = await readUnconfirmed(view, hash);
  const text = `[${waiting.map(showWaiting).join(',')}]`;
  return { text, units: waiting.length / electrumCosts.historyRows };
});

const listUnspent = aboutScript(async (view, hash, giveWay) => {
  const reads = view.ofScript(hash);
  const rows: string[] = [];
  const collect = async (list: typeof reads.listUtxos): Promise<void> => {
    let after: number | undefined;
    for (;;) {
      const page = await list(after, SLICE);
      for (const utxo of page) if (!utxo.spentInMempool) rows.push(showUtxo(utxo));
      if (rows.length > electrumLimits.unspentOutputs) throw new RpcError('refused', 'history too large');
      if (page.length < SLICE) return;
      after = page.at(-1)!.outputId;
      await giveWay();
    }
  };
  await collect(reads.listUtxos);
  await collect(reads.listMempoolUtxos);
  return { text: `[${rows.join(',')}]`, units: rows.length / electrumCosts.unspentRows };
});

/** Outputs that are read before others are let in. */
const SLICE = 500;

function showWaiting(tx: WaitingTx): string {
  return `{"tx_hash":"${toDisplayHash(tx.txid)}","height":${heightOf(tx)},"fee":${tx.fee}}`;
}

function showUtxo({ txid, vout, value, height = 0 }: Utxo): string {
  return `{"tx_hash":"${toDisplayHash(txid)}","tx_pos":${vout},"height":${height},"value":${value}}`;
}

/** Methods that read one script, which is named by its hash. */
export const scriptMethods: Methods = {
  'blockchain.scripthash.get_balance': getBalance,
  'blockchain.scripthash.get_history': getHistory,
  'blockchain.scripthash.get_mempool': getMempool,
  'blockchain.scripthash.listunspent': listUnspent,
};
