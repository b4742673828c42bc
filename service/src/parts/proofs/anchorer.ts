import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AnchorResultJson } from '@coinfront/api/proofs.ts';
import { bytesToHex, concatBytes } from '@coinfront/protocol/bytes.ts';
import { sql } from 'kysely';
import type { ReadChain } from '../../chain/chain-view.ts';
import type { Precious } from '../../db/precious.ts';
import type { AnchorWallet } from '../../node/anchor-wallet.ts';
import type { BroadcastResult } from '../../node/broadcast.ts';
import { isNodeError } from '../../node/node-error.ts';
import {
  type AnchorTables,
  countRequests,
  findRequest,
  insertRequest,
  removeUnsent,
  saveSent,
  saveSigned,
} from './anchor-store.ts';
import { findDepthIn, keepSending } from './keep-sending.ts';
import type { ProofRules } from './read-proof.ts';

/** What is left of the operator's budget for anchoring. */
export type AnchorBudget = {
  enabled: boolean;
  daily_limit: number;
  daily_limit_per_client: number;
  left_today: number;
};

/** What became of a request: a transaction, or why there is none. */
export type AnchorOutcome =
  | { ok: true; txid: string }
  | { ok: false; reason: NonNullable<AnchorResultJson['reason']> };

/** Sends transactions of the operator's own wallet, at most one for a digest. */
export type Anchorer = {
  describeBudget(): Promise<AnchorBudget>;
  /**
   * Sends the transaction that carries a digest, or gives the one that was sent before.
   *
   * @param client name of the client for its share of the budget; only a hash of it is kept
   */
  anchor(digest: Uint8Array, client: string): Promise<AnchorOutcome>;
  stop(): Promise<void>;
};

export type AnchorerOptions = {
  precious: Precious;
  readChain: ReadChain;
  rules: ProofRules;
  wallet: AnchorWallet;
  broadcast: (rawTxHex: string, txid: string) => Promise<BroadcastResult>;
  dailyLimit: number;
  dailyLimitPerClient: number;
  /** Unix milliseconds. */
  now: () => number;
  /** Looks after what was sent at this interval; undefined where another process does. */
  keepSendingEveryMs: number | undefined;
};

const DAY_MS = 86_400_000;
/** `taken`: the request is in somebody else's hands right now. */
type Claim = AnchorOutcome | 'claimed' | 'taken';
/** Another process that prepares the same digest is waited for. */
const WAIT = { times: 40, pauseMs: 250 };
/** Any fixed number: the name of the budget among the advisory locks of the database. */
const BUDGET_LOCK = 0x616e6368;
/** Longest time that making one transaction may take. */
const CLAIM_MS = 120_000;

/**
 * Opens the operator's wallet for anchoring.
 *
 * The order is what makes it safe to be interrupted anywhere: the request is a row before the wallet is asked; the signed
 * transaction is in the row before anybody sees it; and only the transaction in the row is ever sent, however often.
 */
export function openAnchorer(options: AnchorerOptions): Anchorer {
  const { precious, wallet, broadcast, rules, now, dailyLimit, dailyLimitPerClient } = options;
  const query = () => precious.query<AnchorTables>();
  const keeper = keepSending({ ...options, query, findDepth: findDepthIn(options.readChain, rules) });

  const claim = (digest: string, client: string): Promise<Claim> =>
    precious.transaction<AnchorTables, Claim>(async (trx) => {
      const known = await findRequest(trx, digest);
      if (known) return known.txid === null ? 'taken' : { ok: true, txid: known.txid };
      // Counting and taking are one step, or many at once would spend more than there is.
      if (precious.engine === 'postgres')
        await sql`select pg_advisory_xact_lock(${BUDGET_LOCK})`.execute(trx);
      const nowMs = now();
      const day = Math.floor(nowMs / DAY_MS);
      const clientHash = hashClient(client, day);
      const { all, ofClient } = await countRequests(trx, day, clientHash);
      if (all >= dailyLimit) return { ok: false, reason: 'daily_limit' };
      if (ofClient >= dailyLimitPerClient) return { ok: false, reason: 'daily_limit_per_client' };
      const inserted = await insertRequest(trx, {
        digest,
        state: 'preparing',
        day,
        client: clientHash,
        txid: null,
        raw_tx: null,
        claimed_until: nowMs + CLAIM_MS,
        created_at: nowMs,
      });
      return inserted ? 'claimed' : 'taken';
    });

  const send = async (digest: string, payload: Uint8Array): Promise<AnchorOutcome> => {
    let signed: Awaited<ReturnType<AnchorWallet['sign']>>;
    try {
      signed = await wallet.sign(bytesToHex(payload));
    } catch (error) {
      await removeUnsent(query(), digest);
      if (!isNodeError(error)) throw error;
      return { ok: false, reason: 'wallet_unavailable' };
    }
    // Another has it by now only when this took longer than its claim: then ours is never sent.
    if (!(await saveSigned(query(), digest, signed))) return { ok: false, reason: 'wallet_unavailable' };
    const sent = await broadcast(signed.rawTxHex, signed.txid).catch(() => undefined);
    if (sent?.ok) await saveSent(query(), digest, signed.txid);
    return { ok: true, txid: signed.txid };
  };

  return {
    async describeBudget() {
      const { all } = await countRequests(query(), Math.floor(now() / DAY_MS), '');
      return {
        enabled: true,
        daily_limit: dailyLimit,
        daily_limit_per_client: dailyLimitPerClient,
        left_today: Math.max(0, dailyLimit - all),
      };
    },
    async anchor(digest, client) {
      const name = bytesToHex(digest);
      for (let tries = 0; tries < WAIT.times; tries++) {
        const claimed = await claim(name, client);
        if (claimed === 'claimed') return await send(name, concatBytes(rules.marker, digest));
        if (claimed !== 'taken') return claimed;
        await delay(WAIT.pauseMs);
      }
      return { ok: false, reason: 'wallet_unavailable' };
    },
    stop: keeper.stop,
  };
}

function hashClient(client: string, day: number): string {
  return createHash('sha256').update(`${day} ${client}`).digest('hex');
}
