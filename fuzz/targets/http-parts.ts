import { findPrivateKeyInJson } from '@coinfront/protocol/private-key.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import pino from 'pino';
import { createHttpMetrics } from '../../service/src/http/http-metrics.ts';
import { createServer } from '../../service/src/http/server.ts';
import { buildDocuments, registerEveryPart } from '../../service/src/openapi-documents.ts';
import type { FuzzTarget } from '../target.ts';
import { type Document, growBodies, judge, listExamples, sendRequest } from './http-request.ts';

/** Thrown where a handler asks for what is behind it: all that stands before was passed. */
class PassedError extends Error {}

const profile = getShippedProfile('regtest');
let thrown: unknown;
const server = createServer({
  logger: pino({
    level: 'error',
    hooks: {
      logMethod([entry]) {
        thrown = (entry as { err?: unknown }).err;
      },
    },
  }),
  metrics: createHttpMetrics(),
  findPrivateKey: (value) => findPrivateKeyInJson(value, profile),
  corsOrigins: '*',
  rateLimitPerMinute: undefined,
  trustedProxies: [],
});
registerEveryPart(server, () => {
  throw new PassedError();
});
const documents = (await buildDocuments()) as unknown as Record<string, Document>;

/** Requests to the routes of every part, up to where a database or a node would be asked. */
export const httpPartsTarget: FuzzTarget = {
  name: 'http-parts',
  reads: 'requests to every route, up to what is behind them',
  form: 'text',
  replayed: 300,
  maxBytes: 3_000,
  seeds: Object.values(documents).flatMap((document) => listExamples(document)),
  words: [
    'null',
    '"',
    '[',
    '{',
    '}',
    ',',
    ':',
    '?',
    '&',
    '%00',
    '/',
    'limit=',
    'cursor=',
    '\\ud800',
    '__proto__',
  ],
  async check(input) {
    thrown = undefined;
    const { statusCode, type, body } = await sendRequest(server.app, input, {});
    if (thrown instanceof PassedError) return;
    judge({ status: statusCode, type, body, thrown });
  },
  growing: growBodies('POST', '/api/treasury/contributors'),
};
