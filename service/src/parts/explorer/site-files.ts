/** Files that browsers and search engines ask for by their names. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { html } from '../../http/html.ts';
import { drawFavicon } from './favicon.ts';
import type { ExplorerPage } from './pages.ts';

/**
 * Registers `/favicon.ico`, `/robots.txt` and, where the service knows what clients call it, `/sitemap.xml`, whose addresses
 * have to be whole ones.
 */
export function registerSiteFiles(
  app: FastifyInstance,
  {
    publicUrl,
    pages,
    mark,
  }: { publicUrl: string | undefined; pages: readonly ExplorerPage[]; mark: Buffer | undefined },
): void {
  let favicon = mark;
  app.get('/favicon.ico', { config: { cost: 0 } }, (_, reply) => {
    favicon ??= drawFavicon();
    return send(reply, mark === undefined ? 'image/x-icon' : 'image/png', favicon);
  });
  const robots = [
    'User-agent: *',
    // Searches have no end, and payments are nobody else's.
    'Disallow: /search',
    'Disallow: /pay/',
    ...(publicUrl === undefined ? [] : ['', `Sitemap: ${publicUrl}/sitemap.xml`]),
  ];
  app.get('/robots.txt', (_, reply) => send(reply, 'text/plain; charset=utf-8', `${robots.join('\n')}\n`));
  if (publicUrl === undefined) return;
  const sitemap = writeSitemap(publicUrl, pages);
  app.get('/sitemap.xml', (_, reply) => send(reply, 'application/xml; charset=utf-8', sitemap));
}

/** The pages that are always there (sitemaps.org): what is in the chain is found from these. */
function writeSitemap(publicUrl: string, pages: readonly ExplorerPage[]): string {
  const paths = pages.flatMap(({ path, known }) =>
    path.includes(':') ? (known ?? []).map((each) => path.replace(/:.*$/, each)) : [path],
  );
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => html`<url><loc>${publicUrl + path}</loc></url>\n`)}</urlset>
`.html;
}

function send(reply: FastifyReply, type: string, content: string | Buffer): FastifyReply {
  return reply.header('cache-control', 'public, max-age=86400').type(type).send(content);
}
