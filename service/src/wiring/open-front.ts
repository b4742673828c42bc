import { join } from 'node:path';
import { findPrivateKeyInJson } from '@coinfront/protocol/private-key.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createHttpMetrics } from '../http/http-metrics.ts';
import { createServer } from '../http/server.ts';
import { createExplorerPart } from '../parts/explorer/explorer-part.ts';
import { type Face, readFace } from '../parts/explorer/face/read-face.ts';
import { coinParts } from '../parts/explorer/pages.ts';

const EXPLORER_DIST = join(import.meta.dirname, '..', '..', '..', 'explorer', 'dist');

/** Makes the HTTP server with the explorer's pages, which also show its errors to people. */
export function openFront(config: Config, profile: CoinProfile, logger: Logger) {
  const metrics = createHttpMetrics();
  const explorer = createExplorerPart({
    distDir: EXPLORER_DIST,
    coin: profile,
    publicUrl: config.publicUrl,
    lacks: [
      ...coinParts.filter((part) => profile[part] === undefined),
      ...(config.richListBlocks === undefined ? (['rich'] as const) : []),
    ],
    face: openFace(config.faceDir),
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

/** @throws Error that says what is wrong with the folder */
function openFace(dir: string | undefined): Face | undefined {
  if (dir === undefined) return undefined;
  const face = readFace(dir);
  if (!face.ok) throw new Error(`COINFRONT_FACE_DIR: ${face.reason}.`);
  return face.value;
}
