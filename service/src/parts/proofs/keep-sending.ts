import { getHexBytes, parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { anchorScript } from '@coinfront/protocol/proofs/anchor.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { confirmationsAt } from '../../chain/chain-reads.ts';
import type { ChainView, ReadChain } from '../../chain/chain-view.ts';
import type { Precious } from '../../db/precious.ts';
import { listCoins } from '../../node/anchor-wallet.ts';
import type { BroadcastResult } from '../../node/broadcast.ts';
import { isNodeError } from '../../node/node-error.ts';
import { pause } from '../../pause.ts';
import {
  type AnchorRequestTable,
  type AnchorTables,
  isFeeChild,
  listSigned,
  type RequestPlace,
  removeDead,
  removeInterrupted,
  removeRequest,
  saveSent,
} from './anchor-store.ts';
import type { WaitingAnchor } from './raise-fees.ts';
import type { ProofRules } from './read-proof.ts';

export type KeepSendingOptions = {
  precious: Precious;
  broadcast: (rawTxHex: string, txid: string) => Promise<BroadcastResult>;
  now: () => number;
  keepSendingEveryMs: number | undefined;
  /** Is told, round by round, of all that the node would have, and that no block has: oldest first. */
  lookAtWaiting(waiting: readonly WaitingAnchor[], tipHeight: number | undefined): Promise<void>;
} & ChainLooks;

/** What the index knows of anchors. */
export type ChainLooks = {
  /** How deep a digest, in hex, is anchored. */
  findDepth(digest: string): Promise<'not_mined' | 'mined' | 'final'>;
  /**
   * What became of the coins (`txid:vout`) of a transaction: one is `spent` by another that is final, or one is `unknown`
   * to chain and mempool.
   */
  findCoins(coins: readonly string[], txid: string): Promise<'there' | 'spent' | 'unknown'>;
  /** The same of a transaction that anchors nothing, by its txid. */
  findTxDepth(txid: string): Promise<'not_mined' | 'mined' | 'final'>;
  findTipHeight(): Promise<number | undefined>;
};

/** Requests looked at in one bite. */
const BITE = 100;
/** Those that wait of which so many, the oldest, are looked at together. */
const MAX_WAITING = 1_000;
const DAY_MS = 86_400_000;
/** Refusals after which the coins are looked at. */
const MAYBE_DEAD: ReadonlySet<string> = new Set(['missing_inputs', 'mempool_conflict']);
/** A coin that neither chain nor mempool has had in so many days is given up: nodes forget transactions in 14. */
const GIVEN_UP_DAYS = 28;

/**
 * Sends anchors again until they are deep in the chain: a node may have been away, restarted, or have dropped them.
 *
 * A refusal alone says little: the coin of a transaction may be the change of another that the node lost, too, and gets
 * again in a moment. Only what can never be mined is forgotten, because another transaction that is final has spent its
 * coin; then its digest can be asked for anew.
 */
export function keepSending(options: KeepSendingOptions): { stop(): Promise<void> } {
  const { keepSendingEveryMs } = options;
  if (keepSendingEveryMs === undefined) return { stop: async () => {} };
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // Whatever fails - the node, the database - is as it was: the next round finds it.
      await sendAll(options, stopping.signal).catch(() => {});
      await pause(keepSendingEveryMs, stopping.signal);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function sendAll(options: KeepSendingOptions, signal: AbortSignal): Promise<void> {
  const { precious, now } = options;
  const query = precious.query<AnchorTables>();
  await removeInterrupted(query, now());
  // Before they are looked at: a block that comes meanwhile is no reason to think that they were passed over.
  const tipHeight = await options.findTipHeight();
  const waiting: WaitingAnchor[] = [];
  for (let after: RequestPlace = { created_at: -1, digest: '' }; ; ) {
    const rows = await listSigned(query, after, BITE);
    for (const row of rows) {
      if (signal.aborted) return;
      const isWaiting = await lookAfter(options, row).catch((error) => {
        // What the node says of one transaction is no reason to leave the others; that it is away is.
        if (!isNodeError(error, 'rpc')) throw error;
      });
      if (isWaiting && waiting.length < MAX_WAITING)
        waiting.push({ digest: row.digest, txid: row.txid!, coins: listCoins(row.raw_tx!) });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BITE) break;
    after = last;
  }
  await options.lookAtWaiting(waiting, tipHeight);
}

/** True when the node has it, and no block. */
async function lookAfter(
  { precious, broadcast, findDepth, findTxDepth, findCoins, now }: KeepSendingOptions,
  { digest, txid, raw_tx, day }: AnchorRequestTable,
): Promise<boolean> {
  if (txid === null || raw_tx === null) return false;
  const today = Math.floor(now() / DAY_MS);
  const depth = await (isFeeChild(digest) ? findTxDepth(txid) : findDepth(digest));
  // Today's are kept: the budget counts them.
  if (depth === 'final' && day < today) await removeRequest(precious, digest, txid);
  if (depth !== 'not_mined') return false;
  const sent = await broadcast(raw_tx, txid);
  if (sent.ok) await saveSent(precious.query<AnchorTables>(), digest, txid);
  if (sent.ok || !MAYBE_DEAD.has(sent.code)) return sent.ok;
  const coins = await findCoins(listCoins(raw_tx), txid);
  if (coins === 'spent' || (coins === 'unknown' && day < today - GIVEN_UP_DAYS))
    await removeDead(precious, digest, txid);
  return false;
}

/** Looks into the index. */
export function createChainLooks(
  readChain: ReadChain,
  { marker, finalConfirmations }: ProofRules,
): ChainLooks {
  return {
    findTxDepth: (txid) =>
      readChain(async (view) => {
        const { status } = (await view.findTx(getValue(parseDisplayHash(txid)))) ?? {};
        if (status?.confirmed !== true || view.tip === undefined) return 'not_mined';
        return confirmationsAt(status.height, view.tip) >= finalConfirmations ? 'final' : 'mined';
      }),
    findTipHeight: () => readChain(async ({ tip }) => tip?.height),
    findDepth: (digest) =>
      readChain(async (view) => {
        const first = await view.findFirstOutput(anchorScript(getHexBytes(digest), marker));
        if (first === undefined || view.tip === undefined) return 'not_mined';
        return confirmationsAt(first.height, view.tip) >= finalConfirmations ? 'final' : 'mined';
      }),
    findCoins: (coins, txid) =>
      readChain(async (view) => {
        let isUnknown = false;
        for (const coin of coins) {
          const fate = await findCoin(view, coin, txid, finalConfirmations);
          if (fate === 'spent') return 'spent';
          isUnknown ||= fate === 'unknown';
        }
        return isUnknown ? 'unknown' : 'there';
      }),
  };
}

async function findCoin(
  view: ChainView,
  coin: string,
  ownTxid: string,
  finalConfirmations: number,
): Promise<'there' | 'spent' | 'unknown'> {
  const made = await view.findTx(getValue(parseDisplayHash(coin.slice(0, 64))));
  if (made === undefined) return 'unknown';
  const spend = (await view.listSpends(made))[Number(coin.slice(65))];
  if (spend?.height === undefined || view.tip === undefined || toDisplayHash(spend.txid) === ownTxid)
    return 'there';
  return confirmationsAt(spend.height, view.tip) >= finalConfirmations ? 'spent' : 'there';
}
