/** What is decided of a request before its body is read, and what its client is charged for bytes. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseClient } from '../clients/client.ts';
import { AppError } from '../errors.ts';
import { checkHost } from './client-errors.ts';
import type { LabelledSource } from './metrics-server.ts';
import type { KeyGuard } from './private-keys.ts';
import {
  type Budget,
  createRateLimiter,
  type SpendBudget,
  type SpendingShare,
  unitsOfBytes,
} from './rate-limit.ts';
import { createRefusalCounter } from './refusal-counter.ts';

/** Characters of path and query that are accepted. */
export const maxUrlLength = 2_048;
/** The one header whose value is stored. */
const keptHeader = 'idempotency-key';
/** Bytes of a body that was not read which are taken in all the same: a client reads no answer before it has sent its body. */
const drainedBytes = 4_194_304;

export type Admission = {
  /**
   * Lets a request of so many units in, or not; `bodyLimit` is what its route reads.
   *
   * @throws AppError `rate_limited`, `bad_request`, `uri_too_long`, `private_key_refused`
   */
  admit(request: FastifyRequest, reply: FastifyReply, cost: number, bodyLimit?: number): void;
  /**
   * Takes units that only the body told of, before the work begins.
   *
   * @throws AppError `rate_limited`
   */
  take(request: FastifyRequest, reply: FastifyReply, units: number): void;
  /** Charges a client for bytes that its request did not announce, or that it was sent. */
  chargeBytes(request: FastifyRequest, bytes: number): void;
  /** Has an answer cost `due` units where `taken` were taken before: the rest is given back, or charged. */
  settle(request: FastifyRequest, reply: FastifyReply, taken: number, due: number): void;
  /** Counts from now on what other processes let in, too; undefined without a limit. See {@link SpendBudget}. */
  share(key: Uint8Array): SpendingShare | undefined;
  /** The budgets themselves, for what is asked over other ways than HTTP; undefined without a limit. */
  readonly spend: SpendBudget | undefined;
  readonly refusals: LabelledSource;
};

/** Creates the admission of a server; no limit without `unitsPerMinute`. */
export function createAdmission(keys: KeyGuard, unitsPerMinute: number | undefined): Admission {
  const refused = createRefusalCounter({
    name: 'coinfront_requests_refused_total',
    help: 'Requests over the limit of their client or of a network around it, by which one it was.',
  });
  const spend = unitsPerMinute === undefined ? undefined : createRateLimiter(unitsPerMinute);
  const take: Admission['take'] = (request, reply, units) => {
    if (spend === undefined) return;
    const client = parseClient(request.ip);
    const budget = spend(client, units, Date.now());
    reply
      .header('ratelimit-limit', String(budget.limit))
      .header('ratelimit-remaining', String(budget.remaining))
      .header('ratelimit-reset', String(budget.resetSeconds));
    if (budget.usedUp === undefined) return;
    refused.count(client, budget.usedUp);
    const detail = `${explainLimit(budget)}; try again in ${budget.retrySeconds} s.`;
    throw new AppError('rate_limited', detail, { 'retry-after': String(budget.retrySeconds) });
  };
  return {
    refusals: refused.source,
    spend,
    share: (key) => spend?.share(key),
    take,
    admit(request, reply, cost, bodyLimit = 0) {
      // The cheapest first: whoever is over the limit is not looked at any further.
      if (spend !== undefined) {
        const announced = announcedBytes(request);
        take(request, reply, cost + unitsOfBytes(announced > bodyLimit ? 0 : announced));
        request.hasPaid = true;
      }
      checkHost(request.raw);
      const { [keptHeader]: kept } = request.headers;
      if (kept !== undefined) keys.check(kept);
      const url = request.raw.url ?? '';
      keys.checkUrl(url);
      if (url.length > maxUrlLength) {
        const detail = `Path and query have ${url.length} characters; ${maxUrlLength} are accepted.`;
        throw new AppError('uri_too_long', detail);
      }
    },
    chargeBytes(request, bytes) {
      const units = unitsOfBytes(bytes);
      if (units > 0) spend?.owe(parseClient(request.ip), units, Date.now());
    },
    settle(request, reply, taken, due) {
      if (spend === undefined || !request.hasPaid || due === taken) return;
      const nowMs = Date.now();
      if (due > taken) {
        spend.owe(parseClient(request.ip), due - taken, nowMs);
        return;
      }
      const paidAtMs = nowMs - (performance.now() - request.startedAtMs);
      reply.header(
        'ratelimit-remaining',
        String(spend.giveBack(parseClient(request.ip), taken - due, paidAtMs, nowMs)),
      );
    },
  };
}

function explainLimit({ limit, usedUp }: Pick<Budget, 'limit' | 'usedUp'>): string {
  const ofClient = `Each client has ${limit} request units a minute`;
  if (usedUp === undefined || usedUp.share === 1) return ofClient;
  return `${ofClient}, and ${usedUp.name} together ${limit * usedUp.share}, which others in it have used up`;
}

/** The length of the body that a request announces; 0 where it has none, or sends it in chunks. */
export function announcedBytes({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0);
}

/**
 * Whether the connection has to end with the answer, because a body that nobody reads would go on arriving. What is short
 * is taken in and dropped, unparsed.
 */
export function mustClose(request: FastifyRequest): boolean {
  if (request.body !== undefined || request.raw.complete) return false;
  return request.headers['transfer-encoding'] !== undefined || announcedBytes(request) > drainedBytes;
}
