import { bytesToHex, equalBytes } from '@coinfront/protocol/bytes.ts';
import { describeTokenPayload } from '@coinfront/protocol/tokens/describe-token-payload.ts';
import {
  type PreparedToken,
  prepareTokenOperation,
  type SingleEvent,
  type SweepEvent,
  type TokenContext,
} from '@coinfront/protocol/tokens/token-rules.ts';
import type { Transaction } from '@coinfront/protocol/transaction.ts';
import { type ChainView, parseStored } from '../../chain/chain-reads.ts';
import { type Judgeable, judgeOn, openStateOverlay, type StateOverlay } from './token-state.ts';

/** Unconfirmed transactions of a sender that are looked at: the newest. */
const MAX_LOOKED = 100;

/** What a sender has in the mempool: on one token, or for a sweep on all of them. */
export type Pending = {
  operations: number;
  /** What its valid operations take from its balance of the token, in parts of it; zero for a sweep. */
  debits: bigint;
  isComplete: boolean;
  /** The state of the tip with all that it has there on top, in the order in which it came. */
  state: StateOverlay;
};

/** Applies what the sender of an operation has in the mempool; the operation itself is not. */
export async function applyPending(
  view: ChainView,
  asked: Judgeable,
  context: TokenContext,
): Promise<Pending> {
  const { placed, sender } = asked.prepared;
  const tokenId = asked.kind === 'operation' ? asked.prepared.tokenId : undefined;
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
    const own = await prepareOwn(view, tx, record.txid, { placed, sender }, context);
    if (own === undefined) continue;
    const outcome = await judgeOn(state, own);
    if (!outcome.ok) continue;
    // A sweep takes the first tokens that there are, so what was done to others counts, too.
    for (const changes of [outcome.changes].flat()) state.apply(changes);
    const debit = tokenId === undefined ? 0n : findDebit(outcome.event, tokenId);
    if (debit === undefined) continue;
    operations += 1;
    debits += debit;
  }
  return { operations, debits, isComplete: history.length <= MAX_LOOKED, state };
}

/** What an operation takes from its sender's balance of a token; undefined where it is about another one. */
function findDebit(event: SingleEvent | SweepEvent, tokenId: Uint8Array): bigint | undefined {
  if (event.kind === 'sweep') return event.moved.find((moved) => equalBytes(moved.tokenId, tokenId))?.amount;
  if (!equalBytes(event.tokenId, tokenId)) return undefined;
  if (event.kind === 'burn') return event.amount;
  return event.kind === 'transfer' ? event.shares.reduce((sum, { amount }) => sum + amount, 0n) : 0n;
}

function outpointText({ prevTxid, prevVout }: Transaction['inputs'][number]): string {
  return `${bytesToHex(prevTxid)}:${prevVout}`;
}

/** An operation of the same sender. */
async function prepareOwn(
  view: ChainView,
  tx: Transaction,
  txid: Uint8Array,
  { placed, sender }: Pick<PreparedToken, 'placed' | 'sender'>,
  context: TokenContext,
): Promise<Judgeable | undefined> {
  if (describeTokenPayload(tx.outputs, context.rules) === undefined) return undefined;
  const { prevTxid, prevVout } = tx.inputs[0]!;
  const prevout = await view.findOutput(prevTxid, prevVout);
  if (prevout === undefined || !equalBytes(prevout.script, sender)) return undefined;
  const read = prepareTokenOperation(
    { tx, txid, height: placed.height, position: 0, prevoutScript: prevout.script },
    context,
  );
  return read.kind === 'operation' || read.kind === 'sweep' ? read : undefined;
}
