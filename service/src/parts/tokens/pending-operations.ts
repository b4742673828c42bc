import { bytesToHex, equalBytes } from '@coinfront/protocol/bytes.ts';
import { describeTokenPayload } from '@coinfront/protocol/tokens/describe-token-payload.ts';
import {
  applyTokenOperation,
  type PreparedToken,
  prepareTokenOperation,
  type TokenContext,
} from '@coinfront/protocol/tokens/token-rules.ts';
import type { Transaction } from '@coinfront/protocol/transaction.ts';
import { type ChainView, parseStored } from '../../chain/chain-reads.ts';
import { openStateOverlay, type StateOverlay } from './token-state.ts';

/** Unconfirmed transactions of a sender that are looked at: the newest. */
const MAX_LOOKED = 100;

/** What a sender has in the mempool on one token. */
export type Pending = {
  operations: number;
  /** What its valid operations take from its balance, in parts of the token. */
  debits: bigint;
  isComplete: boolean;
  /** The state of the tip with these operations on top, in the order in which they came. */
  state: StateOverlay;
};

/** Applies what the sender of an operation has in the mempool on its token; the operation itself is not. */
export async function applyPending(
  view: ChainView,
  { placed, sender, tokenId }: PreparedToken,
  context: TokenContext,
): Promise<Pending> {
  const state = openStateOverlay(view);
  const history = await view.listMempoolHistory(sender, undefined, MAX_LOOKED + 1);
  const spent = new Set(placed.tx.inputs.map(outpointText));
  // What spends outputs of these is gone when the transaction comes, or comes behind it.
  const apart = new Set([bytesToHex(placed.txid)]);
  let operations = 0;
  let debits = 0n;
  for (const entry of history.slice(0, MAX_LOOKED).reverse()) {
    const record = await view.findTx(entry.txid);
    if (record === undefined || equalBytes(record.txid, placed.txid)) continue;
    const tx = parseStored(record);
    if (tx.inputs.some((input) => spent.has(outpointText(input)) || apart.has(bytesToHex(input.prevTxid)))) {
      apart.add(bytesToHex(record.txid));
      continue;
    }
    const prepared = await prepareOwn(view, tx, record.txid, { placed, sender, tokenId }, context);
    if (prepared === undefined) continue;
    const outcome = applyTokenOperation(prepared, await state.read(prepared));
    if (!outcome.ok) continue;
    operations += 1;
    const { event } = outcome;
    if (event.kind === 'burn') debits += event.amount;
    if (event.kind === 'transfer') debits += event.shares.reduce((sum, { amount }) => sum + amount, 0n);
    state.apply(outcome.changes);
  }
  return { operations, debits, isComplete: history.length <= MAX_LOOKED, state };
}

function outpointText({ prevTxid, prevVout }: Transaction['inputs'][number]): string {
  return `${bytesToHex(prevTxid)}:${prevVout}`;
}

/** An operation of the same sender on the same token. */
async function prepareOwn(
  view: ChainView,
  tx: Transaction,
  txid: Uint8Array,
  { placed, sender, tokenId }: Pick<PreparedToken, 'placed' | 'sender' | 'tokenId'>,
  context: TokenContext,
): Promise<PreparedToken | undefined> {
  if (describeTokenPayload(tx.outputs, context.rules) === undefined) return undefined;
  const { prevTxid, prevVout } = tx.inputs[0]!;
  const prevout = await view.findOutput(prevTxid, prevVout);
  if (prevout === undefined || !equalBytes(prevout.script, sender)) return undefined;
  const read = prepareTokenOperation(
    { tx, txid, height: placed.height, position: 0, prevoutScript: prevout.script },
    context,
  );
  return read.kind === 'operation' && equalBytes(read.prepared.tokenId, tokenId) ? read.prepared : undefined;
}
