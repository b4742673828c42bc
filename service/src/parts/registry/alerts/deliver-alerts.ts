/**
 * Sends alerts to owners: takes due ones, sends them, writes how it went. At least once, by one id: what was taken by a process which
 * died is taken again when its claim runs out.
 */

import type { Precious } from '../../../db/precious.ts';
import type { OutboundAnswer, OutboundRequest } from '../../../outbound/outbound-client.ts';
import { pause, waitAtMost } from '../../../pause.ts';
import { describeRefusal, judgeAnswer, retryPausesMs } from '../../../webhooks/retry-rules.ts';
import { signWebhook } from '../../../webhooks/sign-webhook.ts';
import { lockRegistry } from '../registry-context.ts';
import type { RegistryAlertTable, RegistryTables } from '../schema/registry-tables.ts';
import { claimAlert, disableReceiver, endTry, forgetAlerts } from './alert-store.ts';
import { listDueAlerts } from './due-alerts.ts';

export type AlertSender = { stop(deadlineMs: number): Promise<void> };

export type AlertSenderOptions = {
  precious: Precious;
  /** Rejects with an error whose message may be shown to the owner. */
  post: (request: OutboundRequest) => Promise<OutboundAnswer>;
  userAgent: string;
  onError: (error: unknown) => void;
  now: () => number;
  pausesMs?: readonly number[];
  /** How long nobody else takes what was taken; longer than any request. */
  claimMs?: number;
  pollMs?: number;
};

/** Of one process. */
const MAX_UNDER_WAY = 16;
const MAX_PER_ORIGIN = 2;
const FORGET_EVERY_MS = 600_000;

/** Starts it; several processes of one database share the work. */
export function startAlertSender(options: AlertSenderOptions): AlertSender {
  const { precious, now, onError, claimMs = 60_000, pollMs = 1_000 } = options;
  const stopping = new AbortController();
  const underWay = new Map<string, { origin: string; node: string; ended: Promise<void> }>();
  const db = () => precious.query<RegistryTables>();
  let forgottenMs = 0;
  let isFailing = false;
  let isAbandoned = false;

  const countOf = (origin: string) => [...underWay.values()].filter((each) => each.origin === origin).length;

  const takeSome = async (): Promise<void> => {
    if (underWay.size >= MAX_UNDER_WAY) return;
    const sent = [...underWay.values()];
    const origins = [...new Set(sent.map(({ origin }) => origin))];
    const due = await listDueAlerts(db(), now(), {
      limit: MAX_UNDER_WAY - underWay.size,
      perOrigin: MAX_PER_ORIGIN,
      fullOrigins: origins.filter((origin) => countOf(origin) >= MAX_PER_ORIGIN),
      busyNodes: sent.map(({ node }) => node),
    });
    for (const alert of due) {
      if (stopping.signal.aborted) return;
      if (underWay.has(alert.id) || countOf(alert.origin) >= MAX_PER_ORIGIN) continue;
      if (!(await claimAlert(db(), alert, now() + claimMs))) continue;
      const ended = send(alert)
        .catch(onError)
        .finally(() => underWay.delete(alert.id));
      underWay.set(alert.id, { origin: alert.origin, node: alert.node_key, ended });
    }
  };

  const send = async (alert: RegistryAlertTable): Promise<void> => {
    const body = Buffer.from(alert.body);
    let answer: OutboundAnswer | undefined;
    let error: string | null;
    try {
      answer = await options.post({
        url: alert.url,
        headers: {
          'content-type': 'application/json',
          'user-agent': options.userAgent,
          ...signWebhook({ eventId: alert.id, body, secrets: [alert.secret], nowMs: now() }),
        },
        body,
      });
      error = describeRefusal(answer);
    } catch (thrown) {
      error = (thrown as Error).message;
    }
    if (isAbandoned) return;
    const verdict = judgeAnswer(
      answer,
      alert.attempts + 1,
      now(),
      Math.random(),
      options.pausesMs ?? retryPausesMs,
    );
    const last = { last_status: answer?.status ?? null, last_error: error };
    await precious.transaction<RegistryTables, void>(async (trx) => {
      // Several alerts of one receiver may come back at once, and each of them ends all the others.
      if (verdict.kind === 'disabled') await lockRegistry(trx, precious.engine);
      const change =
        verdict.kind === 'retry' ? { next_at: verdict.atMs } : { state: verdict.kind, ended_at: now() };
      await endTry(trx, alert, { ...last, ...change });
      if (verdict.kind === 'disabled') await disableReceiver(trx, alert, now());
    });
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await takeSome();
        if (now() - forgottenMs >= FORGET_EVERY_MS) {
          forgottenMs = now();
          await forgetAlerts(db(), now());
        }
        isFailing = false;
      } catch (error) {
        // Once for each time that it begins: a database that is away for an hour is one piece of news.
        if (!isFailing) onError(error);
        isFailing = true;
      }
      await pause(pollMs, stopping.signal);
    }
  };

  const ended = run();
  return {
    async stop(deadlineMs) {
      stopping.abort();
      await ended;
      await waitAtMost(Promise.all([...underWay.values()].map((each) => each.ended)), deadlineMs);
      isAbandoned = true;
    },
  };
}
