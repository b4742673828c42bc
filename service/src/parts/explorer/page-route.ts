import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { chooseCoding } from '../../http/content-coding.ts';
import { routeNotFound } from '../../http/problem.ts';
import { matchesEtag } from '../../http/snapshot.ts';
import type { CoinWords, ExplorerPage, PageQuery } from './pages.ts';
import { etagOf, type PageContent, type PreloadedAnswer, pageHeaders } from './render-page.ts';

/** What the routes of pages need. */
export type PageContext = {
  coin: CoinWords;
  /** What clients call this service; undefined when it was not said. */
  publicUrl: string | undefined;
  render(content: PageContent): string;
  /** The file of a page's script as it was built. */
  findScript(name: string): string | undefined;
};

/** What every page begins with: the coin, the latest figures, and whether the service is in step. */
const commonReads = ['/api/v1/config', '/api/v1/stats', '/api/v1/health'];

/** Headers of an answer that a client of the API goes by. */
const keptHeaders = ['content-type', 'etag', 'x-chain-height', 'x-chain-tip', 'retry-after'];
/** Bytes of answers that come with a page at most; what is larger the page asks for itself. */
const maxPreloadedBytes = 120_000;

/** Registers one page: `GET` and `HEAD`. */
export function registerPage(app: FastifyInstance, context: PageContext, page: ExplorerPage): void {
  const script = page.script === undefined ? undefined : context.findScript(page.script);
  app.get<{ Params: Record<string, string> }>(page.path, async (request, reply) => {
    // The router takes what begins with no slash for the first page.
    if (request.raw.url?.startsWith('/') !== true) throw routeNotFound(request.method);
    const parameter = Object.values(request.params)[0] ?? '';
    const read = (path: string) => readOwn(app, request, path);
    const [first, ...further] = page.reads?.(parameter, queryOf(request)) ?? [];
    const paths = [...new Set([...(first === undefined ? [] : [first]), ...further, ...commonReads])];
    const answers = await Promise.all(paths.map(async (path) => [path, await read(path)] as const));
    const firstAnswer = first === undefined ? undefined : answers[0]?.[1];
    const isMissing =
      page.known?.includes(parameter) === false ||
      (page.needsData === true &&
        firstAnswer !== undefined &&
        firstAnswer.status >= 400 &&
        firstAnswer.status < 429);
    const data = firstAnswer?.status === 200 ? JSON.parse(firstAnswer.body) : undefined;
    const words =
      data === undefined && !isMissing && page.needsData === true
        ? // Unknown is not the same as not there.
          { title: 'Not available', description: 'This cannot be read at the moment.' }
        : page.describe(parameter, data, context.coin);
    const path = (request.raw.url ?? '/').split('?', 1)[0] ?? '/';
    const html = context.render({
      words,
      answers: Object.fromEntries(keepSome(answers)),
      url: context.publicUrl === undefined ? undefined : context.publicUrl + path,
      pictureUrl:
        context.publicUrl === undefined || isMissing || page.lacksPicture === true
          ? undefined
          : context.publicUrl + picturePathOf(path),
      isIndexed: !isMissing,
      scripts: script === undefined ? [] : [script],
      theme: readTheme(request.headers.cookie),
    });
    if (isMissing) reply.code(404);
    return sendPage(request, reply, html);
  });
}

/** The path of a page's picture. */
export function picturePathOf(path: string): string {
  return `/picture${path === '/' ? '/home' : path}.png`;
}

/** What our own pages write into an address needs no escaping: cursors, places, words of a search. */
function queryOf(request: FastifyRequest): PageQuery {
  const query = request.query as Readonly<Record<string, unknown>>;
  return (name) => {
    const value = query[name];
    return typeof value === 'string' && /^[\w-]{1,200}$/.test(value) ? value : undefined;
  };
}

/** Sends a document, compressed, and only if the visitor has not the same one already. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, html: string): FastifyReply {
  const accepted = request.headers['accept-encoding'];
  const encoding = chooseCoding(accepted) ?? 'plain';
  const etag = etagOf(html, encoding);
  reply
    .headers(pageHeaders)
    .header('cache-control', 'no-cache')
    .header('vary', 'Accept-Encoding, Cookie')
    .header('etag', etag)
    .type('text/html; charset=utf-8');
  if (reply.statusCode === 200 && matchesEtag(request.headers['if-none-match'], etag)) {
    return reply.code(304).send();
  }
  if (encoding === 'plain') return reply.send(html);
  return reply
    .header('content-encoding', encoding)
    .send(
      encoding === 'br'
        ? brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
        : gzipSync(html),
    );
}

/** The visitor's choice of colours, which the page's script keeps in a cookie so that the first paint is right. */
export function readTheme(cookie: string | undefined): 'light' | 'dark' | undefined {
  const found = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(cookie ?? '')?.[1];
  return found === 'light' || found === 'dark' ? found : undefined;
}

/** Asks our own API as this visitor would: the same answer, within the visitor's own limits. */
export async function readOwn(
  app: FastifyInstance,
  request: FastifyRequest,
  path: string,
): Promise<PreloadedAnswer> {
  const answer = await app
    .inject({ method: 'GET', url: path, remoteAddress: request.ip, headers: { host: 'localhost' } })
    .catch(() => {
      throw new AppError('internal_error', 'The page could not be read.');
    });
  const headers: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = answer.headers[name];
    if (value !== undefined) headers[name] = String(value);
  }
  return { status: answer.statusCode, headers, body: answer.body };
}

function keepSome(
  answers: readonly (readonly [string, PreloadedAnswer])[],
): (readonly [string, PreloadedAnswer])[] {
  let bytes = 0;
  return answers.filter(([, { status, body }]) => {
    bytes += body.length;
    // What went wrong is asked for again: it may be better a moment later, and has another number each time.
    return bytes <= maxPreloadedBytes && status === 200;
  });
}
