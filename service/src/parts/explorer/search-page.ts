import type { FastifyInstance } from 'fastify';
import { type PageContext, registerPage } from './page-route.ts';

/** A search result as the API names it, and the page that shows it. */
const pagesOfKinds: Readonly<Record<string, string>> = {
  block: '/block/',
  transaction: '/tx/',
  address: '/address/',
  name: '/name/',
  token: '/token/',
  proof: '/proof/',
  payment: '/pay/',
};

/** An extended public key, or a descriptor of one. */
const walletKey = /^(?:[1-9A-HJ-NP-Za-km-z]{111,112}$|(?:w?pkh|w?sh|tr)\()/;

type Hit = { kind: string; id: string; path: string };

/** Registers `GET /search?q=`: goes straight to the one thing that was found; else the page lists what was, or says that nothing was. */
export function registerSearchPage(app: FastifyInstance, context: PageContext): void {
  app.register(async (scope) => {
    scope.addHook('preHandler', async (request, reply) => {
      const text = String((request.query as Record<string, unknown>).q ?? '').trim();
      if (text === '') return reply.redirect('/', 302);
      if (/^VP-[0-9A-Z]{12}$/i.test(text)) return reply.redirect(`/pay/${text.toUpperCase()}`, 302);
      // A wallet's key is looked up where its owner is told what that means.
      if (walletKey.test(text)) return reply.header('cache-control', 'no-store').redirect('/xpub', 302);
      const answer = await app.inject({
        method: 'GET',
        url: `/api/v1/search?q=${encodeURIComponent(text)}`,
        remoteAddress: request.ip,
        headers: { host: 'localhost' },
      });
      if (answer.statusCode !== 200) return undefined;
      const { items } = answer.json<{ items: Hit[] }>();
      const [hit] = items;
      const page = pagesOfKinds[hit?.kind ?? ''];
      if (hit === undefined || items.length !== 1 || page === undefined) return undefined;
      // A block that was asked for by its height is shown by it.
      const shown = hit.kind === 'block' ? (hit.path.split('/').at(-1) ?? hit.id) : hit.id;
      return reply.header('cache-control', 'no-store').redirect(page + encodeURIComponent(shown), 302);
    });
    registerPage(scope, context, {
      path: '/search',
      script: 'search-page',
      lacksPicture: true,
      describe: () => ({
        title: 'Search',
        description: 'Nothing, or more than one thing, goes by this name.',
      }),
    });
  });
}
