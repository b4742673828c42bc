import { setTimeout as delay } from 'node:timers/promises';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { anchorScript } from '@coinfront/protocol/proofs/anchor.ts';
import type { Kysely } from 'kysely';
import { confirmationsAt } from '../../chain/chain-reads.ts';
import type { ReadChain } from '../../chain/chain-view.ts';
import type { BroadcastResult } from '../../node/broadcast.ts';
import { type AnchorTables, listSigned, removeInterrupted, removeRequest, saveSent } from './anchor-store.ts';
import type { ProofRules } from './read-proof.ts';

export type KeepSendingOptions = {
  query: () => Kysely<AnchorTables>;
  broadcast: (rawTxHex: string, txid: string) => Promise<BroadcastResult>;
  findDepth: FindDepth;
  now: () => number;
  keepSendingEveryMs: number | undefined;
};

/** How deep a digest, in hex, is anchored. */
export type FindDepth = (digest: string) => Promise<'not_mined' | 'mined' | 'final'>;

/** Requests looked at in one bite. */
const BITE = 100;
const DAY_MS = 86_400_000;
/** Refusals after which a transaction can never be mined: another has spent its coins. */
const DEAD = new Set(['missing_inputs', 'mempool_conflict']);

/**
 * Sends anchors again until they are deep in the chain: a node may have been away, restarted, or have dropped them. A
 * transaction that lost its coins is forgotten, so that its digest can be asked for anew.
 */
export function keepSending(options: KeepSendingOptions): { stop(): Promise<void> } {
  const { keepSendingEveryMs } = options;
  if (keepSendingEveryMs === undefined) return { stop: async () => {} };
  const stopping = new AbortController();
  const running = run();
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Whatever fails - the node, the database - is as it was: the next round finds it.
      await sendAll(options, stopping.signal).catch(() => {});
      await delay(keepSendingEveryMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function sendAll(
  { query, broadcast, findDepth, now }: KeepSendingOptions,
  signal: AbortSignal,
): Promise<void> {
  await removeInterrupted(query(), now());
  for (let after = ''; ; ) {
    const rows = await listSigned(query(), after, BITE);
    for (const { digest, txid, raw_tx, day } of rows) {
      if (signal.aborted) return;
      if (txid === null || raw_tx === null) continue;
      const depth = await findDepth(digest);
      // Today's are kept: the budget counts them.
      if (depth === 'final' && day < Math.floor(now() / DAY_MS)) await removeRequest(query(), digest, txid);
      if (depth !== 'not_mined') continue;
      const sent = await broadcast(raw_tx, txid);
      if (sent.ok) await saveSent(query(), digest, txid);
      else if (DEAD.has(sent.code)) await removeRequest(query(), digest, txid);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BITE) return;
    after = last.digest;
  }
}

/** Looks a digest up in the index. */
export function findDepthIn(readChain: ReadChain, { marker, finalConfirmations }: ProofRules): FindDepth {
  return (digest) =>
    readChain(async (view) => {
      const first = await view.findFirstOutput(anchorScript(getHexBytes(digest), marker));
      if (first === undefined || view.tip === undefined) return 'not_mined';
      return confirmationsAt(first.height, view.tip) >= finalConfirmations ? 'final' : 'mined';
    });
}
