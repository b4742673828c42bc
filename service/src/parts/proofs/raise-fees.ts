import type { Precious } from '../../db/precious.ts';
import type { AnchorWallet } from '../../node/anchor-wallet.ts';
import type { BroadcastResult } from '../../node/broadcast.ts';
import { isNodeError } from '../../node/node-error.ts';
import {
  type AnchorTables,
  findRequest,
  insertFeeChild,
  isFeeChild,
  removeRequest,
  saveSent,
} from './anchor-store.ts';
import type { TakeTurn } from './sign-turn.ts';

/** A transaction of an anchor, or one that pays for others, that the node's mempool has. */
export type WaitingAnchor = { digest: string; txid: string; coins: readonly string[] };

export type FeeRaiserOptions = {
  precious: Precious;
  wallet: Pick<AnchorWallet, 'payFor'>;
  broadcast: (rawTxHex: string, txid: string) => Promise<BroadcastResult>;
  takeTurn: TakeTurn;
  now: () => number;
};

/** Raises the fees of anchors that blocks pass over. */
export type FeeRaiser = {
  /**
   * Looks at all that wait, oldest first.
   *
   * @param tipHeight of the chain that they wait in
   */
  look(waiting: readonly WaitingAnchor[], tipHeight: number | undefined): Promise<void>;
  /** How many were passed over, and could not be raised, when it last looked. */
  countStuck(): number;
};

/** Blocks that may pass an anchor over. Time says nothing: where no block comes, no fee helps. */
const PATIENCE_BLOCKS = 6;

/**
 * Where a fee was too low for its time, blocks pass an anchor over, and with a wallet of one coin all that build on it. Then a transaction is added
 * behind the last of them that pays for all: nothing that was promised changes. It is stored before it is sent, as anchors are. How long
 * an anchor has waited is not stored: a process that starts counts anew.
 */
export function createFeeRaiser(options: FeeRaiserOptions): FeeRaiser {
  let seenAt = new Map<string, number>();
  let stuck = 0;
  return {
    countStuck: () => stuck,
    async look(waiting, tipHeight) {
      if (tipHeight === undefined) return;
      seenAt = new Map(waiting.map(({ txid }) => [txid, Math.min(seenAt.get(txid) ?? tipHeight, tipHeight)]));
      let left = 0;
      for (const chain of listChains(waiting)) {
        const since = Math.min(...chain.map(({ txid }) => seenAt.get(txid)!));
        if (tipHeight - since < PATIENCE_BLOCKS) continue;
        const anchors = chain.filter(({ digest }) => !isFeeChild(digest)).length;
        if (await raise(options, chain[0]!, anchors))
          for (const { txid } of chain) seenAt.set(txid, tipHeight);
        else left += anchors;
      }
      stuck = left;
    },
  };
}

/** For each transaction on which no other builds: itself, and all that it builds on. */
function listChains(waiting: readonly WaitingAnchor[]): WaitingAnchor[][] {
  const byTxid = new Map(waiting.map((anchor) => [anchor.txid, anchor]));
  const parentsOf = ({ coins }: WaitingAnchor): WaitingAnchor[] =>
    coins.flatMap((coin) => byTxid.get(coin.slice(0, 64)) ?? []);
  const builtOn = new Set(waiting.flatMap(parentsOf));
  return waiting
    .filter((anchor) => !builtOn.has(anchor))
    .map((last) => {
      const chain = new Set([last]);
      for (const anchor of chain) for (const parent of parentsOf(anchor)) chain.add(parent);
      return [...chain];
    });
}

/** In its turn, so that nothing else is built on it meanwhile; false when nothing was sent. */
async function raise(
  { precious, wallet, broadcast, takeTurn, now }: FeeRaiserOptions,
  { digest, txid }: WaitingAnchor,
  anchors: number,
): Promise<boolean> {
  const query = precious.query<AnchorTables>();
  const raised = await takeTurn(async () => {
    const row = await findRequest(query, digest);
    if (row?.txid !== txid || row.raw_tx === null) return false;
    const child = await wallet.payFor({ rawTxHex: row.raw_tx, txid }, anchors).catch((error: unknown) => {
      if (!isNodeError(error)) throw error;
      return undefined;
    });
    if (child === undefined) return false;
    const key = await insertFeeChild(precious, txid, child, now());
    if (key === undefined) return false;
    // Where it is not known what became of it, the keeper goes on with it.
    const sent = await broadcast(child.rawTxHex, child.txid);
    if (sent.ok) await saveSent(query, key, child.txid);
    else await removeRequest(precious, key, child.txid);
    return sent.ok;
  });
  return raised === true;
}
