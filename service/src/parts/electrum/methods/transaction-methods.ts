import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { BlockRecord, ChainView } from '../../../chain/chain-view.ts';
import { AppError } from '../../../errors.ts';
import { sliceMs } from '../../../http/turns.ts';
import { isMethodRefused, isNodeError } from '../../../node/node-error.ts';
import { NO_PACKAGES } from '../../../node/submit-package.ts';
import { type ElectrumContext, readFor } from '../electrum-context.ts';
import { electrumCosts } from '../electrum-limits.ts';
import { toJson } from '../rpc/messages.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { LongReadError, readInTurn } from '../session/long-reads.ts';
import type { Session } from '../session/session.ts';
import { RANK_1_6 } from '../session/version-rules.ts';
import { summarisePackage } from '../transactions/package-rules.ts';
import { type ShownTx, showTransaction } from '../transactions/show-transaction.ts';
import type { Method, Methods } from './method.ts';
import { readHash, readHexText, readSwitch, readWhole } from './read-parameters.ts';

const get: Method = {
  parameters: ['tx_hash', 'verbose'],
  required: 1,
  cost: electrumCosts.transaction,
  async answer(context, session, [txHash, verbose]) {
    const txid = readHash(txHash, 'tx_hash');
    const isVerbose = readSwitch(verbose, 'verbose');
    const read = async (view: ChainView, mayBeLong: boolean): Promise<ShownTx | string> => {
      const record = await view.findTx(txid);
      // The first words are the node's own, which wallets know.
      if (!record)
        throw new RpcError(
          'node',
          'daemon error: No such mempool or blockchain transaction. Nothing is known of it here.',
        );
      const bytes = record.raw.length;
      if (bytes >= LARGE_BYTES && !mayBeLong) throw new LongReadError(bytes / electrumCosts.bytesOfUnit);
      if (!isVerbose) return `"${bytesToHex(record.raw)}"`;
      const { status } = record;
      const block = status.confirmed ? await view.nameBlockAt(status.height) : undefined;
      return { record, block, tip: view.tip! };
    };
    return await readInTurn(context, session, { kind: 'transaction', hash: txid }, read, async (shown) =>
      typeof shown === 'string' ? shown : await writeVerbose(context, session, shown),
    );
  },
};

/** Bytes of a transaction from which on it is read and written in turns with others: it takes the thread some milliseconds. */
const LARGE_BYTES = 32_768;

async function writeVerbose(context: ElectrumContext, session: Session, shown: ShownTx): Promise<string> {
  const { profile, takeTurn } = context;
  const pieces = showTransaction(shown, profile);
  if (shown.record.raw.length < LARGE_BYTES) return [...pieces].join('');
  let text = '';
  let sliceEndsMs = 0;
  for (const piece of pieces) {
    if (performance.now() >= sliceEndsMs) {
      await takeTurn();
      if (session.isClosed) break;
      sliceEndsMs = performance.now() + sliceMs;
    }
    text += piece;
  }
  return text;
}

const getMerkle: Method = {
  parameters: ['tx_hash', 'height'],
  required: 2,
  cost: electrumCosts.proof,
  async answer(context, session, [txHash, height]) {
    const txid = readHash(txHash, 'tx_hash');
    const at = readWhole(height, 'height');
    return await readFor(context, session, async (view) => {
      const block = await view.findBlockAt(at);
      const status = block && (await view.findTx(txid))?.status;
      if (!block || !status?.confirmed || status.height !== at)
        throw new RpcError('refused', `tx ${toDisplayHash(txid)} not in block at height ${at}`);
      const merkle = await findBranch(context, view, block, status.position);
      return `{"block_height":${at},"merkle":${merkle},"pos":${status.position}}`;
    });
  },
};

const idFromPos: Method = {
  parameters: ['height', 'tx_pos', 'merkle'],
  required: 2,
  cost: electrumCosts.proof,
  async answer(context, session, [height, txPos, merkle]) {
    const at = readWhole(height, 'height');
    const position = readWhole(txPos, 'tx_pos');
    const wantsBranch = readSwitch(merkle, 'merkle');
    return await readFor(context, session, async (view) => {
      const block = await view.findBlockAt(at);
      const [tx] = block ? await view.listBlockTxs(block, position, 1) : [];
      if (!block || !tx)
        throw new RpcError('refused', `no tx at position ${position} in block at height ${at}`);
      const shown = `"${toDisplayHash(tx.txid)}"`;
      if (!wantsBranch) return shown;
      return `{"tx_hash":${shown},"merkle":${await findBranch(context, view, block, position)}}`;
    });
  },
};

async function findBranch(
  { blockBranches }: ElectrumContext,
  view: ChainView,
  block: BlockRecord,
  position: number,
): Promise<string> {
  return JSON.stringify((await blockBranches.find(view, block, position)).map(toDisplayHash));
}

const broadcast: Method = {
  parameters: ['raw_tx'],
  required: 1,
  cost: electrumCosts.broadcast,
  async answer(context, _, [rawTx]) {
    try {
      const { txid } = await context.broadcast(readHexText(rawTx, 'raw_tx'));
      return `"${txid}"`;
    } catch (error) {
      throw describeRefusal(error);
    }
  },
};

/** As the node's own limit. */
const MOST_PACKAGE_TXS = 25;

const broadcastPackage: Method = {
  parameters: ['raw_txs', 'verbose'],
  required: 1,
  since: RANK_1_6,
  cost: electrumCosts.broadcast,
  async answer(context, session, [rawTxs, verbose]) {
    if (!Array.isArray(rawTxs) || rawTxs.length === 0 || rawTxs.length > MOST_PACKAGE_TXS)
      throw new RpcError('refused', `raw_txs should be a list of 1 to ${MOST_PACKAGE_TXS} transactions`);
    const texts = rawTxs.map((each) => readHexText(each, 'raw_txs'));
    context.charge.before(session, electrumCosts.broadcast * (texts.length - 1));
    const isVerbose = readSwitch(verbose, 'verbose');
    try {
      const answer = await context.broadcastPackage(texts);
      return toJson(isVerbose ? answer : summarisePackage(answer));
    } catch (error) {
      // Nothing was said of the transactions, which may well be taken alone.
      if (isMethodRefused(error)) throw new RpcError('node', `daemon error: ${NO_PACKAGES}`);
      throw describeRefusal(error);
    }
  },
};

/** Wallets look for the node's reason in the text. */
function describeRefusal(error: unknown): unknown {
  if (isNodeError(error, 'rpc'))
    return new RpcError('refused', `the tx package was rejected by network rules.\n\n${error.message}`);
  if (isNodeError(error)) return new RpcError('node', `daemon error: ${error.kind}`);
  if (!(error instanceof AppError)) return error;
  if (error.code === 'node_unavailable') return new RpcError('node', `daemon error: ${error.message}`);
  return new RpcError('refused', `the transaction was rejected by network rules.\n\n${error.message}`);
}

/** Methods about transactions. */
export const transactionMethods: Methods = {
  'blockchain.transaction.get': get,
  'blockchain.transaction.get_merkle': getMerkle,
  'blockchain.transaction.id_from_pos': idFromPos,
  'blockchain.transaction.broadcast': broadcast,
  'blockchain.transaction.broadcast_package': broadcastPackage,
};
