import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppError } from '../../errors.ts';
import { html } from '../../http/html.ts';
import type { Page } from '../../http/operation.ts';
import { registerAssetRoute } from './asset-route.ts';
import { describeProblem } from './describe-problem.ts';
import { makeFaceFiles, registerFaceFiles } from './face/face-files.ts';
import type { Face } from './face/read-face.ts';
import { listPages } from './list-pages.ts';
import { type PageContext, readTheme, registerPage } from './page-route.ts';
import { findSpelling } from './page-spelling.ts';
import type { CoinPart, CoinWords } from './pages.ts';
import { registerPictures } from './picture/picture-routes.ts';
import { createPictures } from './picture/pictures.ts';
import { readSite } from './read-site.ts';
import { createPageRenderer, pageHeaders } from './render-page.ts';
import { registerSearchPage } from './search-page.ts';
import { registerSiteFiles } from './site-files.ts';

/** The explorer: pages for people beside the API for programs. */
export type ExplorerPart = {
  /** Whether it was built. */
  isBuilt: boolean;
  /** The page for an error, where a person asked for a page; undefined for programs. */
  renderError(error: AppError, request: FastifyRequest): Page | undefined;
  /** The address of a page that was asked for by another spelling of its path; undefined for any other. */
  findSpelling(url: string): string | undefined;
  register(app: FastifyInstance): void;
};

/** Paths that programs ask; they get problem documents. */
const apiPaths = /^\/(api|esplora|assets)(\/|$)/;

/** Creates the explorer from what `npm run build` left in `distDir`. */
export function createExplorerPart(options: {
  distDir: string;
  coin: CoinWords;
  publicUrl: string | undefined;
  /** Parts that the coin lacks: they have no pages. */
  lacks?: readonly CoinPart[];
  face?: Face | undefined;
}): ExplorerPart {
  const { coin, publicUrl, lacks = [] } = options;
  const face = options.face && makeFaceFiles(options.face, coin.name);
  const pages = listPages(lacks);
  const site = readSite(options.distDir);
  const render = site && createPageRenderer(site.shell, coin.name, { face, lacks });
  return {
    isBuilt: site !== undefined,
    renderError(error, request) {
      if (render === undefined || !wantsPage(request)) return undefined;
      const document = render({
        words: describeProblem(error),
        answers: {},
        problem: {
          status: error.status,
          code: error.code,
          detail: error.message,
          request_id: String(request.id),
        },
        url: undefined,
        isIndexed: false,
        scripts: [],
        theme: readTheme(request.headers.cookie),
      });
      return { html: document, headers: pageHeaders };
    },
    findSpelling: (url) => (site === undefined ? undefined : findSpelling(url)),
    register(app) {
      if (site === undefined || render === undefined) {
        registerHint(app);
        return;
      }
      const files = [...site.assets.keys()];
      const context: PageContext = {
        coin,
        publicUrl,
        render,
        findScript: (name) => files.find((file) => file.startsWith(`${name}-`) && file.endsWith('.js')),
      };
      registerAssetRoute(app, site);
      registerSiteFiles(app, { publicUrl, pages, mark: options.face?.mark });
      if (face !== undefined) registerFaceFiles(app, face);
      for (const page of pages) registerPage(app, context, page);
      // Without a public address no page could name them.
      if (publicUrl !== undefined)
        registerPictures(app, {
          pages,
          coin,
          pictures: createPictures({ coinName: coin.name, publicUrl, face: options.face }),
        });
      registerSearchPage(app, context);
    },
  };
}

function wantsPage(request: FastifyRequest): boolean {
  const path = (request.raw.url ?? '').split('?', 1)[0] ?? '';
  return !apiPaths.test(path) && (request.headers.accept ?? '').includes('text/html');
}

/** Without a build the API works all the same; whoever looks at `/` is told how to make one. */
function registerHint(app: FastifyInstance): void {
  const hint = html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Coinfront</title>
<h1>The explorer is not built</h1><p>The API works: <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.
To have the explorer here, run <code>npm run build</code> and start the service again.</p></html>`;
  app.get('/', (_, reply) =>
    reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(hint.html),
  );
}
