/** A signed log that is served by the routes of the product, with entries of a test. */

import { join } from 'node:path';
import { type LogKind, logOrigin } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { createClient } from '@coinfront/sdk/client/create-client.ts';
import { pino } from 'pino';
import { openPrecious, type Precious } from '../../service/src/db/precious.ts';
import { createHttpMetrics } from '../../service/src/http/http-metrics.ts';
import { createServer } from '../../service/src/http/server.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { appendEntries, type SignedLog } from '../../service/src/signed-log/append-entries.ts';
import { registerLogRoutes } from '../../service/src/signed-log/log-routes.ts';
import type { SignedLogTables } from '../../service/src/signed-log/log-tables.ts';
import type { ServiceSigner } from '../../service/src/signing/service-key.ts';
import type { TestEngine } from '../harness/engines.ts';

const PREFIXES: Record<LogKind, string> = {
  'node-registry': '/api/nodeproof',
  'treasury-ledger': '/api/treasury',
};

export type ServedLog = {
  client: ReturnType<typeof createClient>;
  baseUrl: string;
  /** Where its routes begin. */
  prefix: string;
  log: SignedLog;
  close(): Promise<void>;
};

/** Opens fresh precious data. */
export async function openFresh(engine: TestEngine): Promise<Precious> {
  const location = await engine.openUrl();
  return await openPrecious(
    location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'front.db') } : location,
    preciousMigrations,
  );
}

/** The log that a signer keeps of a kind. */
export function logOf(kind: LogKind, { publicKey, sign }: ServiceSigner): SignedLog {
  return { origin: logOrigin(kind, publicKey), publicKey, sign };
}

/** Writes a log of these entries, one checkpoint each, and serves it; without entries there is none. */
export async function serveLog(
  engine: TestEngine,
  { kind, signer, entries }: { kind: LogKind; signer: ServiceSigner; entries: readonly string[] },
): Promise<ServedLog> {
  const precious = await openFresh(engine);
  const log = logOf(kind, signer);
  for (const entry of entries)
    await precious.transaction<SignedLogTables, void>(
      async (trx) => void (await appendEntries(trx, log, [entry], 1)),
    );
  const http = createServer({
    logger: pino({ level: 'silent' }),
    metrics: createHttpMetrics(),
    findPrivateKey: () => undefined,
    corsOrigins: '*',
    rateLimitPerMinute: undefined,
    trustedProxies: [],
  });
  http.app.register(
    async (scope) =>
      registerLogRoutes(scope, {
        precious,
        findOrigin: async () => log.origin,
        listCosignatures: async () => [],
        ...{
          document: 'nodes',
          tag: 'Log',
          ids: { checkpoint: 'getLogCheckpoint', growth: 'proveLogGrowth' },
        },
        examples: { checkpoint: '', growth: { from: 0, to: 0, path: [] } },
      }),
    { prefix: PREFIXES[kind] },
  );
  const baseUrl = await http.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    client: createClient({ baseUrl, retries: 0 }),
    baseUrl,
    prefix: PREFIXES[kind],
    log,
    async close() {
      await http.app.close();
      await precious.close();
    },
  };
}
