import { join } from 'node:path';
import { findPrivateKeyInJson } from '@coinfront/protocol/private-key.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createHttpMetrics } from '../http/http-metrics.ts';
import { createServer } from '../http/server.ts';
import { createExplorerPart } from '../parts/explorer/explorer-part.ts';

const EXPLORER_DIST = join(import.meta.dirname, '..', '..', '..', 'explorer', 'dist');

/** Makes the HTTP server with the explorer's pages, which also show its errors to people. */
export function openFront(config: Config, profile: CoinProfile, logger: Logger) {
  const metrics = createHttpMetrics();
  const explorer = createExplorerPart({
    distDir: EXPLORER_DIST,
    coin: profile,
    publicUrl: config.publicUrl,
  });
  const server = createServer({
    logger,
    metrics,
    findPrivateKey: (value) => findPrivateKeyInJson(value, profile),
    corsOrigins: config.corsOrigins,
    rateLimitPerMinute: config.rateLimitPerMinute,
    trustedProxies: config.trustedProxies,
    tls: config.tls,
    publicUrl: config.publicUrl,
    keptBodiesLength: config.bodyCacheMegabytes * 2 ** 20,
    unsentBytes: config.unsentMegabytes * 2 ** 20,
    renderError: explorer.renderError,
    findSpelling: explorer.findSpelling,
  });
  explorer.register(server.app);
  return { server, metrics, hasExplorer: explorer.isBuilt };
}
