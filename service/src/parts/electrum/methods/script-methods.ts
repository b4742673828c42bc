import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { ChainView, ScriptReads, Utxo, WaitingTx } from '../../../chain/chain-view.ts';
import type { TakeTurn } from '../../../http/turns.ts';
import { type ElectrumContext, readFor } from '../electrum-context.ts';
import { electrumCosts, electrumLimits } from '../electrum-limits.ts';
import {
  type GiveWay,
  longRows,
  readHistory,
  readUnconfirmed,
  sliceRows,
  tooLarge,
} from '../scripts/read-script.ts';
import { type ConfirmedTx, heightOf } from '../scripts/status-rules.ts';
import { type LongName, LongReadError, readInTurn } from '../session/long-reads.ts';
import type { Session } from '../session/session.ts';
import type { Method, Methods } from './method.ts';
import { readHash } from './read-parameters.ts';

/** What was read of a script: its rows as JSON, which are written when they are wanted, and what they cost. */
type Rows = { readonly texts: Iterable<string>; readonly units: number };

/** A method that lists something of one script; it costs as many rows as it has besides. */
function listOfScript(
  kind: LongName['kind'],
  read: (view: ChainView, hash: Uint8Array, giveWay: GiveWay, mayBeLong: boolean) => Promise<Rows>,
): Method {
  return {
    parameters: ['scripthash'],
    required: 1,
    cost: electrumCosts.call,
    async answer(context: ElectrumContext, session: Session, [scripthash]) {
      const hash = readHash(scripthash, 'scripthash');
      const readRows = (view: ChainView, mayBeLong: boolean): Promise<Rows> =>
        read(view, hash, context.giveWay, mayBeLong);
      return await readInTurn(context, session, { kind, hash }, readRows, async ({ texts, units }, paid) => {
        context.charge.after(session, units - paid);
        return await writeRows(texts, context.takeTurn);
      });
    },
  };
}

/** An array of rows; a long one is written in turns with others. */
async function writeRows(texts: Iterable<string>, takeTurn: TakeTurn): Promise<string> {
  let text = '';
  let count = 0;
  for (const each of texts) {
    if (count > 0 && count % sliceRows === 0) await takeTurn();
    text += count === 0 ? each : `,${each}`;
    count++;
  }
  return `[${text}]`;
}

const getBalance: Method = {
  parameters: ['scripthash'],
  required: 1,
  cost: electrumCosts.call,
  async answer(context, session, [scripthash]) {
    const hash = readHash(scripthash, 'scripthash');
    return await readFor(context, session, async (view) => {
      const reads = view.ofScript(hash);
      // What nothing was ever spent of may be what nothing can ever be spent of: genesis, or data.
      const { fundedSum, spentSum, spentCount } = await reads.getStats();
      const waiting = await reads.getMempoolStats();
      const unconfirmed = waiting.fundedSum - waiting.spentSum;
      const confirmed = spentCount > 0 || (await reads.hasCoins()) ? fundedSum - spentSum : 0n;
      return `{"confirmed":${confirmed},"unconfirmed":${unconfirmed}}`;
    });
  },
};

const getHistory = listOfScript('history', async (view, hash, giveWay, mayBeLong) => {
  const { confirmed, unconfirmed } = await readHistory(view, hash, giveWay, mayBeLong);
  const units = (confirmed.length + unconfirmed.length) / electrumCosts.historyRows;
  return { texts: showHistory(confirmed, unconfirmed), units };
});

const getMempool = listOfScript('mempool', async (view, hash, _, mayBeLong) => {
  const waiting = await readUnconfirmed(view, hash, mayBeLong);
  return { texts: showHistory([], waiting), units: waiting.length / electrumCosts.historyRows };
});

const listUnspent = listOfScript('unspent', async (view, hash, giveWay, mayBeLong) => {
  const reads = view.ofScript(hash);
  const utxos: Utxo[] = [];
  const most = mayBeLong ? sliceRows : longRows;
  const collect = async (list: typeof reads.listUtxos): Promise<void> => {
    let after: number | undefined;
    for (;;) {
      const page = await list(after, most);
      if (!mayBeLong && page.length === most) throw await describeLongUnspent(reads);
      for (const utxo of page) if (!utxo.spentInMempool) utxos.push(utxo);
      if (utxos.length > electrumLimits.unspentOutputs) throw tooLarge();
      if (page.length < most) return;
      after = page.at(-1)!.outputId;
      await giveWay();
    }
  };
  await collect(reads.listUtxos);
  await collect(reads.listMempoolUtxos);
  return { texts: showUtxos(utxos), units: utxos.length / electrumCosts.unspentRows };
});

/** What is said in place of a long list: what it costs, or that nobody gets it. */
async function describeLongUnspent(reads: ScriptReads): Promise<LongReadError> {
  const [confirmed, waiting] = [await reads.getStats(), await reads.getMempoolStats()];
  const count = confirmed.fundedCount - confirmed.spentCount + waiting.fundedCount - waiting.spentCount;
  if (count > electrumLimits.unspentOutputs) return new LongReadError(electrumCosts.tooLong, tooLarge());
  return new LongReadError(Math.min(electrumCosts.longList, count / electrumCosts.unspentRows));
}

function* showHistory(
  confirmed: readonly ConfirmedTx[],
  unconfirmed: readonly WaitingTx[],
): Generator<string> {
  for (const { txid, height } of confirmed) yield `{"tx_hash":"${toDisplayHash(txid)}","height":${height}}`;
  for (const tx of unconfirmed) yield showWaiting(tx);
}

function* showUtxos(utxos: readonly Utxo[]): Generator<string> {
  for (const utxo of utxos) yield showUtxo(utxo);
}

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
