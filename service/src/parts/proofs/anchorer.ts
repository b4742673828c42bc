import type { AnchorResultJson } from '@coinfront/api/proofs.ts';
import { bytesToHex, concatBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { anchorScript } from '@coinfront/protocol/proofs/anchor.ts';
import { sql } from 'kysely';
import type { ReadChain } from '../../chain/chain-view.ts';
import { readInStep } from '../../chain/read-in-step.ts';
import { dayOf, type NameClient, type NamedClient } from '../../clients/client-names.ts';
import type { Precious } from '../../db/precious.ts';
import { AppError } from '../../errors.ts';
import type { AnchorWallet } from '../../node/anchor-wallet.ts';
import type { BroadcastResult } from '../../node/broadcast.ts';
import { isNodeError } from '../../node/node-error.ts';
import type { RefusalCode } from '../../node/refusal.ts';
import {
  type AnchorTables,
  countRequests,
  findRequest,
  insertRequest,
  listTakenCoins,
  removeRequest,
  removeUnsent,
  saveSent,
  saveSigned,
} from './anchor-store.ts';
import { createChainLooks, keepSending } from './keep-sending.ts';
import { createFeeRaiser } from './raise-fees.ts';
import type { ProofRules } from './read-proof.ts';
import { createTurn } from './sign-turn.ts';

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
   * @param address of the client, for its share of the budget
   * @throws AppError `not_ready` while the index is behind the node
   */
  anchor(digest: Uint8Array, address: string): Promise<AnchorOutcome>;
  /**
   * The same for the service itself, whatever is left of the budget.
   *
   * @throws AppError `not_ready`
   */
  anchorOwn(digest: Uint8Array): Promise<AnchorOutcome>;
  /** Transactions that blocks pass over although their fees were raised as far as they may; 0 where another process looks after them. */
  countStuck(): number;
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
  nameClient: NameClient;
  /** Unix milliseconds. */
  now: () => number;
  /** Looks after what was sent at this interval; undefined where another process does. */
  keepSendingEveryMs: number | undefined;
};

/** None of the networks around a client has more than this part of a day's budget. */
const PART_OF_NETWORK = 4;
/** Any fixed number: the name of the budget among the advisory locks of the database. */
const BUDGET_LOCK = 0x616e6368;
/** A request that nobody came to sign for in this time is forgotten. */
const CLAIM_MS = 120_000;
/** The budget is public; counting it once in this time is enough. */
const BUDGET_KEPT_MS = 1_000;
const UNAVAILABLE: AnchorOutcome = { ok: false, reason: 'wallet_unavailable' };

/**
 * Refusals of a transaction that nobody has seen before after which it is taken back: mostly because waiting would not help, such as
 * with a node that relays no data carriers.
 */
const HOPELESS: ReadonlySet<RefusalCode> = new Set([
  'decode_failed',
  'non_standard',
  'invalid',
  'script_failed',
  'dust',
  'too_large',
  'fee_too_high',
  'burn_too_large',
  // Waiting would help, but with another one fixed behind it nothing could be added that pays for all.
  'too_long_chain',
]);

/**
 * Opens the operator's wallet for anchoring.
 *
 * The order is what makes it safe to be interrupted anywhere: the request is a row before the wallet is asked; the signed
 * transaction is in the row, and its coins are taken, before anybody sees it; and only the transaction in the row is ever
 * sent, however often. The wallet is used in turns, so whoever has the turn knows that nobody else prepares anything: a
 * request that was interrupted before is simply signed for.
 */
export function openAnchorer(options: AnchorerOptions): Anchorer {
  const { precious, readChain, wallet, broadcast, rules, now, nameClient } = options;
  const { dailyLimit, dailyLimitPerClient } = options;
  const query = () => precious.query<AnchorTables>();
  const takeTurn = createTurn(precious);
  const raiser = createFeeRaiser({ precious, wallet, broadcast, takeTurn, now });
  const keeper = keepSending({
    ...options,
    ...createChainLooks(readChain, rules),
    lookAtWaiting: raiser.look,
  });
  let counted: { at: number; day: number; all: number } | undefined;

  /**
   * The transaction of the chain that carries a digest. An index that is being rebuilt does not know of it, and the
   * request that it was sent for is forgotten.
   *
   * @throws AppError `not_ready` while the index is behind the node
   */
  const findMined = async (digest: Uint8Array): Promise<string | undefined> => {
    const script = anchorScript(digest, rules.marker);
    const found = await readInStep({ readChain, now }, (view) => view.findFirstOutput(script));
    if (found !== undefined) return found.value && toDisplayHash(found.value.txid);
    throw new AppError(
      'not_ready',
      'The index is behind the node, so that the digest may be anchored already. Try again.',
      { 'retry-after': '5' },
    );
  };

  /** Takes up a request, unless the digest has one or there is no budget; gives what stands against it. */
  const claim = (digest: string, client: NamedClient | 'own'): Promise<AnchorOutcome | undefined> =>
    precious.transaction<AnchorTables, AnchorOutcome | undefined>(async (trx) => {
      const known = await findRequest(trx, digest);
      if (known) return known.txid === null ? undefined : { ok: true, txid: known.txid };
      // Counting and taking are one step, or many at once would spend more than there is.
      if (precious.engine === 'postgres')
        await sql`select pg_advisory_xact_lock(${BUDGET_LOCK})`.execute(trx);
      const nowMs = now();
      const day = dayOf(nowMs);
      const bounded = client === 'own' ? [] : client;
      if (client !== 'own' && (await countRequests(trx, day)) >= dailyLimit)
        return { ok: false, reason: 'daily_limit' };
      for (const { name, share } of bounded) {
        const ofNetwork = Math.min(dailyLimitPerClient * share, Math.floor(dailyLimit / PART_OF_NETWORK));
        if ((await countRequests(trx, day, name)) >= Math.max(dailyLimitPerClient, ofNetwork))
          return { ok: false, reason: 'daily_limit_per_client' };
      }
      await insertRequest(trx, {
        digest,
        state: 'preparing',
        day,
        client: bounded.map(({ name }) => name).join(' '),
        txid: null,
        raw_tx: null,
        claimed_until: nowMs + CLAIM_MS,
        created_at: nowMs,
      });
      return undefined;
    });

  /** In its turn: signs for a request that is taken up, fixes the transaction, and sends it. */
  const send = async (digest: string, payload: Uint8Array): Promise<AnchorOutcome> => {
    const request = await findRequest(query(), digest);
    // Who had the turn before has sent it, or could not sign.
    if (request === undefined) return UNAVAILABLE;
    if (request.txid !== null) return { ok: true, txid: request.txid };
    let signed: Awaited<ReturnType<AnchorWallet['sign']>>;
    try {
      signed = await wallet.sign(bytesToHex(payload), (coins) => listTakenCoins(query(), coins));
    } catch (error) {
      await removeUnsent(query(), digest);
      if (!isNodeError(error)) throw error;
      return UNAVAILABLE;
    }
    if (!(await saveSigned(precious, digest, signed))) {
      // Another process was faster, and only its transaction is ever sent; or it took the coin.
      const fixed = await findRequest(query(), digest);
      return fixed?.txid ? { ok: true, txid: fixed.txid } : UNAVAILABLE;
    }
    const sent = await broadcast(signed.rawTxHex, signed.txid).catch(() => undefined);
    if (sent?.ok) await saveSent(query(), digest, signed.txid);
    else if (sent && HOPELESS.has(sent.code)) {
      await removeRequest(precious, digest, signed.txid);
      return UNAVAILABLE;
    }
    return { ok: true, txid: signed.txid };
  };

  const anchor = async (
    digest: Uint8Array,
    nameAsker: () => Promise<NamedClient | 'own'>,
  ): Promise<AnchorOutcome> => {
    const name = bytesToHex(digest);
    const request = await findRequest(query(), name);
    if (request?.txid) return { ok: true, txid: request.txid };
    const mined = await findMined(digest);
    if (mined !== undefined) return { ok: true, txid: mined };
    const known = await claim(name, await nameAsker());
    if (known !== undefined) return known;
    counted = undefined;
    return (await takeTurn(() => send(name, concatBytes(rules.marker, digest)))) ?? UNAVAILABLE;
  };

  return {
    async describeBudget() {
      const nowMs = now();
      const day = dayOf(nowMs);
      if (counted?.day !== day || nowMs - counted.at >= BUDGET_KEPT_MS)
        counted = { at: nowMs, day, all: await countRequests(query(), day) };
      return {
        enabled: true,
        daily_limit: dailyLimit,
        daily_limit_per_client: dailyLimitPerClient,
        left_today: Math.max(0, dailyLimit - counted.all),
      };
    },
    anchor: (digest, address) => anchor(digest, () => nameClient(address, now())),
    anchorOwn: (digest) => anchor(digest, async () => 'own'),
    countStuck: raiser.countStuck,
    stop: keeper.stop,
  };
}
