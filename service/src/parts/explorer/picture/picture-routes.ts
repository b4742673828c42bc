/** `GET /picture/…`: the pictures that go with links to pages (Open Graph), drawn from what the API answers now. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import { createSlices } from '../../../http/slices.ts';
import { matchesEtag } from '../../../http/snapshot.ts';
import { picturePathOf, readOwn } from '../page-route.ts';
import type { CoinWords, ExplorerPage } from '../pages.ts';
import { describeCard, findPictureRead } from './describe-card.ts';
import type { Card } from './draw-card.ts';
import type { Pictures } from './pictures.ts';

const ENDING = '.png';
/** Units besides those of the read: drawing takes some 20 ms of a processor. */
const DRAWING_UNITS = 4;
const cost = { reserve: 1 + DRAWING_UNITS, rowsOfUnit: 1, of: 'picture that is not kept' };

export type PictureRoutes = { pages: readonly ExplorerPage[]; coin: CoinWords; pictures: Pictures };

/** Registers one route for each page that has a picture: `GET` and `HEAD`. */
export function registerPictures(app: FastifyInstance, { pages, coin, pictures }: PictureRoutes): void {
  for (const page of pages) {
    if (page.lacksPicture === true) continue;
    const parameterName = /:(\w+)$/.exec(page.path)?.[1];
    // A parameter goes to the end of the segment, which has the ending of the file as well.
    const path =
      parameterName === undefined
        ? picturePathOf(page.path)
        : picturePathOf(page.path).slice(0, -ENDING.length);
    app.get<{ Params: Record<string, string> }>(path, { config: { cost } }, async (request, reply) => {
      const file = parameterName === undefined ? ENDING : (request.params[parameterName] ?? '');
      const parameter = file.slice(0, -ENDING.length);
      if (!file.endsWith(ENDING) || page.known?.includes(parameter) === false)
        throw new AppError('route_not_found', 'There is no such picture; its page names the one it has.');
      const read = findPictureRead(page, parameter);
      if (read === undefined)
        return await send(request, reply, describeCard(page, parameter, undefined, coin, undefined));
      const { status, headers, body } = await readOwn(app, request, read);
      // What cannot be read is not drawn: the answer says why.
      if (status !== 200) {
        if (headers['retry-after'] !== undefined) reply.header('retry-after', headers['retry-after']);
        const type = headers['content-type'] ?? 'application/problem+json';
        return reply.code(status).header('cache-control', 'no-store').type(type).send(body);
      }
      const height = headers['x-chain-height'];
      if (height !== undefined) reply.header('x-chain-height', height);
      return await send(request, reply, describeCard(page, parameter, JSON.parse(body), coin, height));
    });
  }

  async function send(request: FastifyRequest, reply: FastifyReply, card: Card): Promise<FastifyReply> {
    const name = pictures.nameOf(card);
    const isSame = matchesEtag(request.headers['if-none-match'], name);
    if (!isSame && !pictures.isKept(name)) request.rows = DRAWING_UNITS;
    const png = isSame ? undefined : await pictures.draw(card, createSlices(app.takeTurn, request));
    reply
      .header('etag', name)
      .header('cache-control', 'public, max-age=300')
      // Pages of others show it.
      .header('cross-origin-resource-policy', 'cross-origin');
    return png === undefined ? reply.code(304).send() : reply.type('image/png').send(png);
  }
}
