/** Follows the chain for payments: the job that says what becomes of them. */

import { createAlarm } from '../../../alarm.ts';
import type { ReadChain } from '../../../chain/chain-reads.ts';
import { pause } from '../../../pause.ts';
import { openChainRecorder } from '../chain/record-chain.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import { finishRound, judgeDuePayments, type WholeState } from './judge-payments.ts';
import { findShared, type JudgeTurn, runInTurn, TurnLostError } from './judge-turn.ts';

export type PaymentFollower = {
  /** Something has to be judged: looks at once instead of at the next poll. */
  wake(): void;
  /** Lets the transaction under way end. */
  stop(): Promise<void>;
};

export type FollowerOptions = {
  /** How long, in milliseconds, a payment that was seen in full, settled or accepted waits past its expiry. */
  waitMs: number;
  /** Takes the address of a payment that is over out of the pool for good. */
  retireAddress: (trx: PaymentQuery, paymentId: string) => Promise<void>;
  /** What else follows the whole state of each round, made anew for each turn. */
  createFollowMore?: () => (state: WholeState, turn: JudgeTurn) => Promise<void>;
  /** A round failed; it is tried again after a pause. */
  onError: (error: unknown) => void;
  /** How often the index is asked whether it changed. */
  pollMs?: number;
};

const POLL_MS = 100;
/** Between rounds, so that many payments that are made at the same time are looked at together. */
const LEAST_PAUSE_MS = 20;
const RETRY_MS = 1_000;

/**
 * Starts following. On PostgreSQL one process follows the chain at a time, and another takes over when it ends; those that wait for it take
 * part in judging where there is much to judge.
 *
 * Each round records what came since the last one, then judges by the newest whole state of the index. While there is
 * none, because node or indexer are away or catch up, payments stay what they are.
 */
export function startPaymentFollower(
  context: PaymentContext & { readChain: ReadChain },
  options: FollowerOptions,
): PaymentFollower {
  const stopping = new AbortController();
  const { signal } = stopping;
  const alarm = createAlarm(signal);
  const pollMs = options.pollMs ?? POLL_MS;

  const judgeOptions = { signal, waitMs: options.waitMs, retireAddress: options.retireAddress };

  const followInTurn = async (turn: JudgeTurn): Promise<void> => {
    const recorder = await openChainRecorder(context, turn, signal);
    const followMore = options.createFollowMore?.();
    let judged: string | undefined;
    while (!signal.aborted && (await turn.isHeld())) {
      const state = await recorder.record();
      if (state) {
        await judgeDuePayments(context, state, { ...judgeOptions, turn });
        if (signal.aborted) return;
        if (state.tip.hash !== judged && (await finishRound(context, state, turn))) judged = state.tip.hash;
        await followMore?.(state, turn);
      }
      await alarm.wait(pollMs);
      await pause(LEAST_PAUSE_MS, signal);
    }
  };

  /** Judges what the process that has the turn shares, for as long as it is time to ask for the turn again. */
  const help = async (): Promise<void> => {
    const untilMs = performance.now() + RETRY_MS;
    while (!signal.aborted && performance.now() < untilMs) {
      const shared = await findShared(context.precious);
      try {
        if (shared) await judgeDuePayments(context, shared.state, { ...judgeOptions, turn: shared.turn });
      } catch (error) {
        // What was shared has come to its end.
        if (!(error instanceof TurnLostError)) throw error;
      }
      await pause(pollMs, signal);
    }
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        if (await runInTurn(context.precious, followInTurn)) await pause(RETRY_MS, signal);
        else await help();
      } catch (error) {
        options.onError(error);
        // Whoever came later on the same file is the one that judges.
        if (error instanceof TurnLostError && context.precious.engine === 'sqlite') return;
        await pause(RETRY_MS, signal);
      }
    }
  };

  const ended = run();
  return {
    wake: () => alarm.ring(),
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
