import type { Answer, ReceivedRequest } from '../../test/harness/receiver.ts';

/** What the merchant's receiver got, and whether it takes anything. */
export type WebhookInbox = {
  readonly answer: Answer;
  /** From now on answers 503, or takes events again. */
  refuse(isRefusing: boolean): void;
  /** Requests since the last time that this was asked, whatever was answered. */
  take(): ReceivedRequest[];
  /** Whether an event was answered with 204 at least once. */
  hasTaken(eventId: string): boolean;
  /** Events that were answered with 204, and requests that came in all. */
  counts(): { events: number; requests: number };
};

/** Makes an empty one, which takes everything. */
export function createWebhookInbox(): WebhookInbox {
  let isRefusing = false;
  let fresh: ReceivedRequest[] = [];
  let requests = 0;
  const taken = new Set<string>();
  return {
    answer(response, request) {
      requests++;
      fresh.push(request);
      if (!isRefusing) taken.add(String(request.headers['webhook-id']));
      response.writeHead(isRefusing ? 503 : 204).end();
    },
    refuse(next) {
      isRefusing = next;
    },
    take() {
      const got = fresh;
      fresh = [];
      return got;
    },
    hasTaken: (eventId) => taken.has(eventId),
    counts: () => ({ events: taken.size, requests }),
  };
}
