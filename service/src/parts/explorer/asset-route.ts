import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';
import { accepts } from '../../http/content-coding.ts';
import { cacheControls } from '../../http/snapshot.ts';
import type { Asset, Site } from './read-site.ts';

/** What hashes files: the one script that compiles WebAssembly. It loads and sends nothing. */
const HASH_WORKER = 'hash-worker-';
const workerPolicy = "default-src 'none'; script-src 'wasm-unsafe-eval'; frame-ancestors 'none'";

/** Registers `GET /assets/{file}`: files named by their hashes, so a browser asks once a year. */
export function registerAssetRoute(app: FastifyInstance, { assets }: Site): void {
  app.get<{ Params: { file: string } }>('/assets/:file', { config: { cost: 0 } }, (request, reply) => {
    const asset = assets.get(request.params.file);
    if (asset === undefined)
      throw new AppError('route_not_found', 'There is no such file; load the page again.');
    const { encoding, bytes } = chooseEncoding(asset, request.headers['accept-encoding']);
    if (encoding !== undefined) reply.header('content-encoding', encoding);
    reply
      .header('cache-control', cacheControls.fixed)
      .header('vary', 'Accept-Encoding')
      .header('cross-origin-resource-policy', 'same-origin')
      .type(asset.contentType);
    // A worker goes by the policy that its own file comes with; pages stay without WebAssembly.
    if (request.params.file.startsWith(HASH_WORKER)) reply.header('content-security-policy', workerPolicy);
    return reply.send(bytes);
  });
}

function chooseEncoding(
  { plain, br, gzip }: Asset,
  accepted: string | undefined,
): { encoding: string | undefined; bytes: Buffer } {
  if (br !== undefined && accepts(accepted, 'br')) return { encoding: 'br', bytes: br };
  if (gzip !== undefined && accepts(accepted, 'gzip')) return { encoding: 'gzip', bytes: gzip };
  return { encoding: undefined, bytes: plain };
}
